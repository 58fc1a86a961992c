#include "document.h"

#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>

// Arrays with more items than this are given back before the next file.
enum { KEEP_ITEMS = 1 << 14 };

// After a text of more bytes the C library gives free memory back. A large tree
// leaves up to 10 MB behind that no later file needs, on each thread that ever
// had one, so that memory would grow with the number of files.
enum { TRIM_BYTES = 64 << 10 };

void *syn_grow(void *array, uint32_t *cap, uint32_t need, uint32_t size) {
  if (need <= *cap) return array;
  uint64_t want = *cap < 64 ? 64 : (uint64_t)*cap * 2;
  if (want < need) want = need;
  array = want > UINT32_MAX ? NULL : realloc(array, want * size);
  if (array == NULL) {
    fprintf(stderr, "syntax: cannot allocate %llu bytes\n", (unsigned long long)(want * size));
    abort();
  }
  *cap = (uint32_t)want;
  return array;
}

syn_document *syn_new(void) {
  syn_document *d = calloc(1, sizeof *d);
  if (d == NULL) return NULL;
  d->parser = ts_parser_new();
  d->cursor = ts_query_cursor_new();
  ts_query_cursor_set_match_limit(d->cursor, MATCH_LIMIT);
  return d;
}

void syn_delete(syn_document *d) {
  if (d->walking) ts_tree_cursor_delete(&d->walk);
  ts_query_cursor_delete(d->cursor);
  if (d->tree != NULL) ts_tree_delete(d->tree);
  ts_parser_delete(d->parser);
  free(d->text);
  free(d->units);
  free(d->nodes);
  free(d->slots);
  free(d->matches);
  free(d->captures);
  free(d);
}

void syn_forget_matches(syn_document *d) {
  d->match_count = d->capture_count = 0;
  if (d->match_cap > KEEP_ITEMS || d->capture_cap > KEEP_ITEMS) {
    free(d->matches);
    free(d->captures);
    d->matches = NULL;
    d->captures = NULL;
    d->match_cap = d->capture_cap = 0;
  }
}

void syn_walk(syn_document *d, TSNode node) {
  if (d->walking) {
    ts_tree_cursor_reset(&d->walk, node);
  } else {
    d->walk = ts_tree_cursor_new(node);
    d->walking = true;
  }
}

// deep says that the tree is too deep. A level takes at least a byte of text,
// but for a few between two tokens, so that small files need no walk.
static bool deep(syn_document *d) {
  if (d->length < MAX_DEPTH / 4) return false;
  syn_walk(d, ts_tree_root_node(d->tree));
  for (uint32_t depth = 0;;) {
    if (ts_tree_cursor_goto_first_child(&d->walk)) {
      if (++depth > MAX_DEPTH) return true;
      continue;
    }
    while (!ts_tree_cursor_goto_next_sibling(&d->walk)) {
      if (depth-- == 0) return false;
      ts_tree_cursor_goto_parent(&d->walk);
    }
  }
}

int32_t syn_parse(syn_document *d, const TSLanguage *language, const char *text,
                  uint32_t length, uint64_t timeout_micros) {
  syn_forget_matches(d);
  syn_forget_nodes(d);
  if (d->tree != NULL) ts_tree_delete(d->tree);
  d->tree = NULL;
  if (d->length > TRIM_BYTES) malloc_trim(0);
  if (d->language != language) ts_parser_set_language(d->parser, language);
  d->language = language;
  syn_index_text(d, text, length);
  ts_parser_set_timeout_micros(d->parser, timeout_micros);
  d->tree = ts_parser_parse_string(d->parser, NULL, text, length);
  if (d->tree == NULL) {
    ts_parser_reset(d->parser);  // or the next parse would resume this one
    return SYN_EXPIRED;
  }
  if (!deep(d)) return SYN_OK;
  ts_tree_delete(d->tree);
  d->tree = NULL;
  return SYN_DEEP;
}
