// One parsed file in C memory: its tree, a table of the nodes seen so far, and
// the raw matches of the last queries. A document belongs to one thread at a
// time.
#pragma once

#include "treesitter.h"

// As executor.NodeWords and the words' order.
enum { NODE_WORDS = 9 };

// How a parse or a query ended.
enum {
  SYN_OK,
  SYN_EXPIRED,   // out of time
  SYN_CROWDED,   // more than MATCH_LIMIT matches in progress
  SYN_FULL,      // more than MAX_WORDS words of matches
  SYN_DEEP,      // a tree deeper than MAX_DEPTH
};

enum {
  // Matches that one query may have in progress at a time. It bounds what
  // tree-sitter does between two chances to stop it: at worst it compares all of
  // them with each other.
  MATCH_LIMIT = 8192,
  MAX_WORDS = 16 << 20,
  // tree-sitter's queries count depth in 16 bits, and abort where they overflow.
  MAX_DEPTH = 60000,
};

// A node that was captured or navigated to. Its index is its handle.
typedef struct syn_node {
  TSNode node;
  uint32_t record[NODE_WORDS];
  uint32_t end_byte;
  uint32_t parent;  // a handle, NO_PARENT, or UNKNOWN
} syn_node;

#define NO_PARENT UINT32_MAX
#define UNKNOWN (UINT32_MAX - 1)

typedef struct syn_capture {
  uint32_t name;  // the query's number of the capture name
  uint32_t node;  // handle
} syn_capture;

typedef struct syn_match {
  uint32_t pattern;
  uint32_t first, count;  // its captures
} syn_match;

typedef struct syn_document {
  TSParser *parser;
  TSTree *tree;  // null before the first file and after a failed parse
  const TSLanguage *language;
  TSQueryCursor *cursor;
  TSTreeCursor walk;
  bool walking;  // walk holds memory

  // For texts that are not ASCII: the text, and for every 64th byte the number
  // of UTF-16 units before it.
  bool ascii;
  uint32_t length;
  char *text;
  uint32_t *units;
  uint32_t text_cap, units_cap;

  syn_node *nodes;
  uint32_t node_count, node_cap;
  uint32_t *slots;  // hash table: handle + 1, 0 is free
  uint32_t slot_cap;

  syn_match *matches;
  uint32_t match_count, match_cap;
  syn_capture *captures;
  uint32_t capture_count, capture_cap;
} syn_document;

syn_document *syn_new(void);
void syn_delete(syn_document *);

// syn_parse parses text, which need not outlive the call, and forgets the
// file before. It returns SYN_OK, SYN_EXPIRED or SYN_DEEP.
int32_t syn_parse(syn_document *, const TSLanguage *, const char *text,
                  uint32_t length, uint64_t timeout_micros);

// syn_match runs query over the tree, for at most limit nanoseconds (0: no
// limit), and appends its matches, their patterns numbered from base. Matches
// without captures are left out.
int32_t syn_match_query(syn_document *, const TSQuery *query, uint32_t base, int64_t limit);

// syn_forget_matches empties the list of matches; nodes keep their handles.
void syn_forget_matches(syn_document *);

// syn_navigate is executor.Navigator's function; data is a syn_document.
int32_t syn_navigate(void *data, uint32_t op, uint32_t subject, uint32_t from,
                     uint32_t *out, uint32_t cap);

// For the other C files.

// syn_handle returns the handle of node, which it enters if it is new.
uint32_t syn_handle(syn_document *, TSNode node);
void syn_forget_nodes(syn_document *);
// syn_walk points the document's tree cursor at node.
void syn_walk(syn_document *, TSNode node);
// syn_index_text prepares syn_units for text.
void syn_index_text(syn_document *, const char *text, uint32_t length);
// syn_units returns the number of UTF-16 units before a byte offset.
uint32_t syn_units(const syn_document *, uint32_t offset);
// syn_grow returns array, with room for at least need items of size bytes. It
// ends the process if there is no memory, as tree-sitter does.
void *syn_grow(void *array, uint32_t *cap, uint32_t need, uint32_t size);
