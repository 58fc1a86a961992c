// Navigation during an execution. It runs under a watchdog that cannot
// interrupt it, so each call does bounded work: at most one pass over a node's
// children or over the path from the root.

#include <string.h>

#include "document.h"

// As executor.NavChildren and the others.
enum { CHILDREN, PARENT, KIND, FIELD };

static int32_t children(syn_document *d, uint32_t subject, uint32_t from, uint32_t *out, uint32_t cap) {
  syn_walk(d, d->nodes[subject].node);
  int32_t written = 0;
  if (!ts_tree_cursor_goto_first_child(&d->walk)) return 0;
  do {
    TSNode child = ts_tree_cursor_current_node(&d->walk);
    if (!ts_node_is_named(child)) continue;
    if (from > 0) {
      from--;
      continue;
    }
    if (cap < NODE_WORDS) break;
    uint32_t handle = syn_handle(d, child);
    d->nodes[handle].parent = subject;
    memcpy(out, d->nodes[handle].record, sizeof d->nodes[handle].record);
    out[NODE_WORDS - 1] = ts_tree_cursor_current_field_id(&d->walk);
    out += NODE_WORDS;
    cap -= NODE_WORDS;
    written++;
  } while (ts_tree_cursor_goto_next_sibling(&d->walk));
  return written;
}

static int32_t parent(syn_document *d, uint32_t subject, uint32_t *out, uint32_t cap) {
  uint32_t up = d->nodes[subject].parent;
  if (up == UNKNOWN) {
    TSNode node = ts_node_parent(d->nodes[subject].node);
    up = ts_node_is_null(node) ? NO_PARENT : syn_handle(d, node);
    d->nodes[subject].parent = up;
  }
  if (up == NO_PARENT || cap < NODE_WORDS) return 0;
  memcpy(out, d->nodes[up].record, sizeof d->nodes[up].record);
  return 1;
}

static int32_t name(const char *text, uint32_t *out, uint32_t cap) {
  if (text == NULL) return -1;
  uint32_t length = (uint32_t)strlen(text);
  for (uint32_t i = 0; i < length && i < cap; i++) out[i] = (unsigned char)text[i];
  return (int32_t)length;
}

int32_t syn_navigate(void *data, uint32_t op, uint32_t subject, uint32_t from,
                     uint32_t *out, uint32_t cap) {
  syn_document *d = data;
  if (d->tree == NULL) return -1;
  switch (op) {
    case CHILDREN:
      return subject < d->node_count ? children(d, subject, from, out, cap) : -1;
    case PARENT:
      return subject < d->node_count ? parent(d, subject, out, cap) : -1;
    case KIND:
      return subject > UINT16_MAX ? -1
                                  : name(ts_language_symbol_name(d->language, (TSSymbol)subject), out, cap);
    case FIELD:
      return subject == 0 || subject > ts_language_field_count(d->language)
                 ? -1
                 : name(ts_language_field_name_for_id(d->language, (TSFieldId)subject), out, cap);
  }
  return -1;
}
