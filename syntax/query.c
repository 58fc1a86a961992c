// Running a query over a document within a time limit.
//
// This version of tree-sitter cannot interrupt a running query, and between two
// matches it may walk a whole file. So the linker puts the functions below in
// the way of the three calls by which its query cursor moves through a tree.
// When time is up, or matches were lost because too many were in progress, they
// say that there is no further node, and the query ends as at the end of a file.

#include <time.h>

#include "document.h"

typedef struct guard {
  const TSQueryCursor *cursor;
  int64_t deadline;  // 0: none
  int32_t status;
} guard;

// The query that runs on this thread, if any. Other users of the three
// functions find null here and are not affected.
static __thread guard *running;

WEAK int __real_ts_tree_cursor_goto_first_child_internal(TSTreeCursor *);
WEAK int __real_ts_tree_cursor_goto_next_sibling_internal(TSTreeCursor *);
WEAK bool __real_ts_tree_cursor_goto_parent(TSTreeCursor *);

static int64_t now(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

// ended says that the running query must stop. The coarse clock, 4 ms fine,
// costs a fifth of the exact one, and this is asked at every node.
static bool ended(void) {
  guard *g = running;
  if (g == NULL) return false;
  if (g->status == SYN_OK) {
    if (ts_query_cursor_did_exceed_match_limit(g->cursor)) {
      g->status = SYN_CROWDED;
    } else if (g->deadline != 0 && now(CLOCK_MONOTONIC_COARSE) > g->deadline) {
      g->status = SYN_EXPIRED;
    }
  }
  return g->status != SYN_OK;
}

int __wrap_ts_tree_cursor_goto_first_child_internal(TSTreeCursor *c) {
  return ended() ? 0 : __real_ts_tree_cursor_goto_first_child_internal(c);
}

int __wrap_ts_tree_cursor_goto_next_sibling_internal(TSTreeCursor *c) {
  return ended() ? 0 : __real_ts_tree_cursor_goto_next_sibling_internal(c);
}

bool __wrap_ts_tree_cursor_goto_parent(TSTreeCursor *c) {
  return ended() ? false : __real_ts_tree_cursor_goto_parent(c);
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
  guard g = {.cursor = d->cursor, .status = SYN_OK};
  if (limit > 0) g.deadline = now(CLOCK_MONOTONIC) + limit;
  ts_query_cursor_exec(d->cursor, query, ts_tree_root_node(d->tree));
  running = &g;
  TSQueryMatch m;
  while (!ended() && ts_query_cursor_next_match(d->cursor, &m)) {
    if (m.capture_count > 0 && !keep(d, &m, base)) g.status = SYN_FULL;
  }
  ended();
  running = NULL;
  if (g.status == SYN_OK && g.deadline != 0 && now(CLOCK_MONOTONIC) > g.deadline) {
    g.status = SYN_EXPIRED;
  }
  if (g.status != SYN_OK) {
    // The cursor keeps a list for every match that was in progress, and looks
    // through all of them from then on: start afresh.
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
      {"goto_first_child", (const void *)__real_ts_tree_cursor_goto_first_child_internal},
      {"goto_next_sibling", (const void *)__real_ts_tree_cursor_goto_next_sibling_internal},
      {"goto_parent", (const void *)__real_ts_tree_cursor_goto_parent},
  };
  for (unsigned i = 0; i < sizeof some / sizeof *some; i++) {
    if (some[i].function == 0) return some[i].name;
  }
  return 0;
}
