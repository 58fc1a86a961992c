// Running a query over a document within a time limit.
//
// This version of tree-sitter cannot interrupt a running query: between two
// matches it may walk a whole file, and at one node it may compare millions of
// matches in progress. But at each node and in most comparisons it calls one of
// two small functions of its own. The linker puts the functions below in their
// way, and when time is up, or matches were lost because too many were in
// progress, they jump out of the query. The two are called where the cursor is
// only read, so that deleting it afterwards is safe, and it is not used again.

#include <setjmp.h>
#include <time.h>

#include "document.h"

enum { CALLS_PER_CHECK = 16 };

typedef struct guard {
  const TSQueryCursor *cursor;
  int64_t deadline;  // 0: none
  uint32_t calls;    // left until the next check
  int32_t status;
  jmp_buf out;
} guard;

// The query that is running on this thread, if any. Other callers of the two
// functions find null here and are not affected.
static __thread guard *running;

WEAK uint32_t __real_ts_node_start_byte(TSNode);
WEAK uint32_t __real_ts_node_end_byte(TSNode);

static int64_t now(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static void check(guard *g) {
  g->calls = CALLS_PER_CHECK;
  if (ts_query_cursor_did_exceed_match_limit(g->cursor)) {
    g->status = SYN_CROWDED;
  } else if (g->deadline != 0 && now(CLOCK_MONOTONIC_COARSE) > g->deadline) {
    g->status = SYN_EXPIRED;  // up to 4 ms late, the coarse clock's step
  } else {
    return;
  }
  running = NULL;
  _longjmp(g->out, 1);
}

uint32_t __wrap_ts_node_start_byte(TSNode node) {
  guard *g = running;
  if (g != NULL && --g->calls == 0) check(g);
  return __real_ts_node_start_byte(node);
}

uint32_t __wrap_ts_node_end_byte(TSNode node) {
  guard *g = running;
  if (g != NULL && --g->calls == 0) check(g);
  return __real_ts_node_end_byte(node);
}

// next is ts_query_cursor_next_match under the guard. It returns false at the
// end, or with a status in g.
static bool next(guard *g, TSQueryCursor *cursor, TSQueryMatch *m) {
  if (_setjmp(g->out) != 0) return false;
  running = g;
  bool found = ts_query_cursor_next_match(cursor, m);
  running = NULL;
  return found;
}

// keep appends a match; it returns false if there is no room.
static bool keep(syn_document *d, const TSQueryMatch *m, uint32_t base) {
  uint32_t first = d->capture_count, count = first + m->capture_count;
  if (count * 2 + d->match_count * 3 > MAX_WORDS) return false;
  d->captures = syn_grow(d->captures, &d->capture_cap, count, sizeof *d->captures);
  for (uint32_t i = 0; i < m->capture_count; i++) {
    d->captures[first + i] = (syn_capture){
        .name = m->captures[i].index,
        .node = syn_handle(d, m->captures[i].node),
    };
  }
  d->capture_count = count;
  d->matches = syn_grow(d->matches, &d->match_cap, d->match_count + 1, sizeof *d->matches);
  d->matches[d->match_count++] = (syn_match){base + m->pattern_index, first, m->capture_count};
  return true;
}

int32_t syn_match_query(syn_document *d, const TSQuery *query, uint32_t base, int64_t limit) {
  guard g = {.cursor = d->cursor, .calls = CALLS_PER_CHECK};
  if (limit > 0) g.deadline = now(CLOCK_MONOTONIC) + limit;
  ts_query_cursor_exec(d->cursor, query, ts_tree_root_node(d->tree));
  TSQueryMatch m;
  while (next(&g, d->cursor, &m)) {
    if (m.capture_count > 0 && !keep(d, &m, base)) {
      g.status = SYN_FULL;
      break;
    }
  }
  if (g.status == SYN_OK) {
    if (ts_query_cursor_did_exceed_match_limit(d->cursor)) {
      g.status = SYN_CROWDED;
    } else if (g.deadline != 0 && now(CLOCK_MONOTONIC) > g.deadline) {
      g.status = SYN_EXPIRED;
    }
  }
  if (g.status != SYN_OK) {
    ts_query_cursor_delete(d->cursor);
    d->cursor = ts_query_cursor_new();
    ts_query_cursor_set_match_limit(d->cursor, MATCH_LIMIT);
  }
  return g.status;
}

// syn_unbound names a function that the link left unbound, or null.
const char *syn_unbound(void) {
  const struct {
    const char *name;
    const void *function;
  } some[] = {
      {"tree_sitter_javascript", (const void *)tree_sitter_javascript},
      {"tree_sitter_tsx", (const void *)tree_sitter_tsx},
      {"ts_language_symbol_name", (const void *)ts_language_symbol_name},
      {"ts_node_parent", (const void *)ts_node_parent},
      {"ts_parser_new", (const void *)ts_parser_new},
      {"ts_query_new", (const void *)ts_query_new},
      {"ts_tree_delete", (const void *)ts_tree_delete},
      {"ts_tree_cursor_new", (const void *)ts_tree_cursor_new},
      {"ts_node_start_byte", (const void *)__real_ts_node_start_byte},
      {"ts_node_end_byte", (const void *)__real_ts_node_end_byte},
  };
  for (unsigned i = 0; i < sizeof some / sizeof *some; i++) {
    if (some[i].function == 0) return some[i].name;
  }
  return 0;
}
