// The part of tree-sitter's C interface that this package calls. The code is
// in the objects of github.com/smacker/go-tree-sitter, which the final link
// binds. The symbols are weak because cgo also links this package alone, to
// look at it, and nothing defines them then; native.go checks that they are
// bound. The forms must be those of api.h at the version in go.mod.
#pragma once

#include <stdbool.h>
#include <stdint.h>

typedef uint16_t TSSymbol;
typedef uint16_t TSFieldId;
typedef struct TSLanguage TSLanguage;
typedef struct TSParser TSParser;
typedef struct TSTree TSTree;
typedef struct TSQuery TSQuery;
typedef struct TSQueryCursor TSQueryCursor;

typedef struct TSPoint {
  uint32_t row;
  uint32_t column;
} TSPoint;

typedef struct TSNode {
  uint32_t context[4];
  const void *id;
  const TSTree *tree;
} TSNode;

typedef struct TSTreeCursor {
  const void *tree;
  const void *id;
  uint32_t context[3];
} TSTreeCursor;

typedef struct TSQueryCapture {
  TSNode node;
  uint32_t index;
} TSQueryCapture;

typedef struct TSQueryMatch {
  uint32_t id;
  uint16_t pattern_index;
  uint16_t capture_count;
  const TSQueryCapture *captures;
} TSQueryMatch;

typedef enum TSQueryPredicateStepType {
  TSQueryPredicateStepTypeDone,
  TSQueryPredicateStepTypeCapture,
  TSQueryPredicateStepTypeString,
} TSQueryPredicateStepType;

typedef struct TSQueryPredicateStep {
  TSQueryPredicateStepType type;
  uint32_t value_id;
} TSQueryPredicateStep;

typedef enum TSQueryError {
  TSQueryErrorNone,
  TSQueryErrorSyntax,
  TSQueryErrorNodeType,
  TSQueryErrorField,
  TSQueryErrorCapture,
  TSQueryErrorStructure,
  TSQueryErrorLanguage,
} TSQueryError;

#define WEAK __attribute__((weak))

WEAK const TSLanguage *tree_sitter_javascript(void);
WEAK const TSLanguage *tree_sitter_tsx(void);
WEAK uint32_t ts_language_symbol_count(const TSLanguage *);
WEAK const char *ts_language_symbol_name(const TSLanguage *, TSSymbol);
WEAK uint32_t ts_language_field_count(const TSLanguage *);
WEAK const char *ts_language_field_name_for_id(const TSLanguage *, TSFieldId);

WEAK TSParser *ts_parser_new(void);
WEAK void ts_parser_delete(TSParser *);
WEAK bool ts_parser_set_language(TSParser *, const TSLanguage *);
WEAK void ts_parser_set_timeout_micros(TSParser *, uint64_t);
WEAK void ts_parser_reset(TSParser *);
WEAK TSTree *ts_parser_parse_string(TSParser *, const TSTree *, const char *, uint32_t);
WEAK void ts_tree_delete(TSTree *);
WEAK TSNode ts_tree_root_node(const TSTree *);

WEAK TSSymbol ts_node_symbol(TSNode);
WEAK bool ts_node_is_null(TSNode);
WEAK bool ts_node_is_named(TSNode);
WEAK uint32_t ts_node_start_byte(TSNode);
WEAK uint32_t ts_node_end_byte(TSNode);
WEAK TSPoint ts_node_start_point(TSNode);
WEAK TSPoint ts_node_end_point(TSNode);
WEAK TSNode ts_node_parent(TSNode);

WEAK TSTreeCursor ts_tree_cursor_new(TSNode);
WEAK void ts_tree_cursor_delete(TSTreeCursor *);
WEAK void ts_tree_cursor_reset(TSTreeCursor *, TSNode);
WEAK TSNode ts_tree_cursor_current_node(const TSTreeCursor *);
WEAK TSFieldId ts_tree_cursor_current_field_id(const TSTreeCursor *);
WEAK bool ts_tree_cursor_goto_first_child(TSTreeCursor *);
WEAK bool ts_tree_cursor_goto_next_sibling(TSTreeCursor *);
WEAK bool ts_tree_cursor_goto_parent(TSTreeCursor *);

WEAK TSQuery *ts_query_new(const TSLanguage *, const char *, uint32_t, uint32_t *, TSQueryError *);
WEAK void ts_query_delete(TSQuery *);
WEAK uint32_t ts_query_pattern_count(const TSQuery *);
WEAK uint32_t ts_query_capture_count(const TSQuery *);
WEAK uint32_t ts_query_start_byte_for_pattern(const TSQuery *, uint32_t);
WEAK const TSQueryPredicateStep *ts_query_predicates_for_pattern(const TSQuery *, uint32_t, uint32_t *);
WEAK const char *ts_query_capture_name_for_id(const TSQuery *, uint32_t, uint32_t *);
WEAK const char *ts_query_string_value_for_id(const TSQuery *, uint32_t, uint32_t *);

WEAK TSQueryCursor *ts_query_cursor_new(void);
WEAK void ts_query_cursor_delete(TSQueryCursor *);
WEAK void ts_query_cursor_exec(TSQueryCursor *, const TSQuery *, TSNode);
WEAK bool ts_query_cursor_next_match(TSQueryCursor *, TSQueryMatch *);
WEAK bool ts_query_cursor_did_exceed_match_limit(const TSQueryCursor *);
WEAK void ts_query_cursor_set_match_limit(TSQueryCursor *, uint32_t);
