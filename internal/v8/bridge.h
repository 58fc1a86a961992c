// The C face of the binding: what Go may call. Every function tolerates an
// isolate that is being terminated; statuses come back as codes.
//
// Functions that take an isolate, context or function must not run at once for
// one isolate, except bridge_terminate and bridge_cancel.
#ifndef DDSABENCH_V8_BRIDGE_H
#define DDSABENCH_V8_BRIDGE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum bridge_status {
  BRIDGE_OK = 0,
  BRIDGE_THROWN = 1,      // the script threw; the error text says what
  BRIDGE_TERMINATED = 2,  // execution was terminated
  BRIDGE_SYNTAX = 3,      // the source does not compile; the error text says why
  BRIDGE_NO_MEMORY = 4,   // the shared memory cannot grow that far, or no room for the text
};

typedef struct bridge_setup bridge_setup;
typedef struct bridge_isolate bridge_isolate;
typedef struct bridge_context bridge_context;
typedef struct bridge_function bridge_function;

// See executor.Navigator.
typedef int32_t (*bridge_navigate)(void *data, uint32_t op, uint32_t subject,
                                   uint32_t from, uint32_t *out, uint32_t cap);

// What an isolate shows to Go without a further call. Lives as long as the
// isolate; text is valid until the isolate's next call.
typedef struct {
  uint32_t *memory;     // flat memory that scripts see as a Uint32Array
  size_t memory_words;  // its length
  char *text;           // result or error text, UTF-8
  size_t text_length;
  uint64_t texts_made;  // how often a file's text was copied into V8
} bridge_view;

typedef struct {
  size_t used, limit, external;
} bridge_heap;

int bridge_init(const char *flags);
const char *bridge_version(void);

// A setup is the body of a function (text, navigate, grow, memory) that each
// context starts with. Its result is the context's runner: the function through
// which all calls go. May be shared by isolates; outlives them.
bridge_setup *bridge_setup_new(const char *source, size_t length);
void bridge_setup_dispose(bridge_setup *);

bridge_isolate *bridge_isolate_new(bridge_setup *, size_t heap, size_t buffers,
                                   size_t max_memory_words, uintptr_t ticket);
void bridge_isolate_dispose(bridge_isolate *);
bridge_view *bridge_isolate_view(bridge_isolate *);

// Between the two, which the same thread calls, an Entry on that thread finds its
// isolate current and has next to nothing to do.
void bridge_stay(bridge_isolate *);
void bridge_leave(bridge_isolate *);

void bridge_terminate(bridge_isolate *);
void bridge_cancel(bridge_isolate *);
int bridge_grow(bridge_isolate *, size_t words);
void bridge_recover_heap(bridge_isolate *);
bridge_heap bridge_heap_statistics(bridge_isolate *);

// A context starts with the isolate's setup and one call of
// runner(undefined, undefined, config).
bridge_context *bridge_context_new(bridge_isolate *, const char *config,
                                   size_t length, int *status);
void bridge_context_dispose(bridge_context *);

// Compiles source as the body of a function without parameters. With async, it
// may leave microtasks.
bridge_function *bridge_compile(bridge_context *, const char *name,
                                const char *source, size_t length,
                                int line_offset, int async, int *status);
void bridge_function_dispose(bridge_function *);

// Runs runner(function, memory), with the memory only if it has moved, then the
// microtasks of an async function, then, after those or if the script threw, the
// runner once more without arguments. The runner's result, a string or nothing,
// becomes the view's text.
int bridge_call(bridge_function *, const char *text, size_t text_length,
                int ascii, uint64_t text_id, bridge_navigate navigate,
                void *navigate_data);

#ifdef __cplusplus
}
#endif
#endif
