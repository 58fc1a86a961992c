// The table of a document's nodes, and their places in UTF-16 units.

#include <stdlib.h>
#include <string.h>

#include "document.h"

enum { KEEP_NODES = 1 << 16, KEEP_TEXT = 4 << 20 };

void syn_index_text(syn_document *d, const char *text, uint32_t length) {
  d->length = length;
  unsigned char all = 0;
  for (uint32_t i = 0; i < length; i++) all |= (unsigned char)text[i];
  d->ascii = all < 0x80;
  if (d->ascii) return;
  if (d->text_cap > KEEP_TEXT) {
    free(d->text);
    free(d->units);
    d->text = NULL;
    d->units = NULL;
    d->text_cap = d->units_cap = 0;
  }
  d->text = syn_grow(d->text, &d->text_cap, length, 1);
  d->units = syn_grow(d->units, &d->units_cap, length / 64 + 1, sizeof *d->units);
  memcpy(d->text, text, length);
  uint32_t units = 0;
  for (uint32_t i = 0; i < length; i++) {
    if (i % 64 == 0) d->units[i / 64] = units;
    unsigned char c = (unsigned char)text[i];
    units += ((c & 0xC0) != 0x80) + (c >= 0xF0);
  }
  if (length % 64 == 0) d->units[length / 64] = units;
}

uint32_t syn_units(const syn_document *d, uint32_t offset) {
  if (d->ascii) return offset;
  if (offset > d->length) offset = d->length;
  uint32_t units = d->units[offset / 64];
  for (uint32_t i = offset & ~63u; i < offset; i++) {
    unsigned char c = (unsigned char)d->text[i];
    units += ((c & 0xC0) != 0x80) + (c >= 0xF0);
  }
  return units;
}

void syn_forget_nodes(syn_document *d) {
  d->node_count = 0;
  if (d->node_cap > KEEP_NODES) {
    free(d->nodes);
    free(d->slots);
    d->nodes = NULL;
    d->slots = NULL;
    d->node_cap = d->slot_cap = 0;
  }
  if (d->slots != NULL) memset(d->slots, 0, d->slot_cap * sizeof *d->slots);
}

// hash mixes what identifies a node: its subtree and where it starts.
static uint32_t hash(TSNode node) {
  uint64_t h = (uint64_t)(uintptr_t)node.id ^ ((uint64_t)ts_node_start_byte(node) << 40);
  h *= 0x9E3779B97F4A7C15u;
  return (uint32_t)(h >> 32);
}

static void rehash(syn_document *d) {
  uint32_t cap = d->slot_cap == 0 ? 256 : d->slot_cap * 2;
  uint32_t none = 0;
  free(d->slots);
  d->slots = syn_grow(NULL, &none, cap, sizeof *d->slots);
  memset(d->slots, 0, cap * sizeof *d->slots);
  d->slot_cap = cap;
  for (uint32_t n = 0; n < d->node_count; n++) {
    uint32_t i = hash(d->nodes[n].node) & (cap - 1);
    while (d->slots[i] != 0) i = (i + 1) & (cap - 1);
    d->slots[i] = n + 1;
  }
}

// column returns a point's 1-based column in UTF-16 units.
static uint32_t column(const syn_document *d, uint32_t offset, uint32_t units, TSPoint point) {
  if (d->ascii) return point.column + 1;
  return units - syn_units(d, offset - point.column) + 1;
}

uint32_t syn_handle(syn_document *d, TSNode node) {
  if (d->node_count * 2 >= d->slot_cap) rehash(d);
  uint32_t start = ts_node_start_byte(node);
  uint32_t i = hash(node) & (d->slot_cap - 1);
  for (; d->slots[i] != 0; i = (i + 1) & (d->slot_cap - 1)) {
    const TSNode *seen = &d->nodes[d->slots[i] - 1].node;
    if (seen->id == node.id && ts_node_start_byte(*seen) == start) return d->slots[i] - 1;
  }
  uint32_t handle = d->node_count++;
  d->slots[i] = handle + 1;
  d->nodes = syn_grow(d->nodes, &d->node_cap, d->node_count, sizeof *d->nodes);

  uint32_t end = ts_node_end_byte(node);
  uint32_t from = syn_units(d, start), to = syn_units(d, end);
  TSPoint first = ts_node_start_point(node), last = ts_node_end_point(node);
  d->nodes[handle] = (syn_node){
      .node = node,
      .record = {handle, ts_node_symbol(node), from, to, first.row + 1,
                 column(d, start, from, first), last.row + 1, column(d, end, to, last), 0},
      .end_byte = end,
      .parent = UNKNOWN,
  };
  return handle;
}
