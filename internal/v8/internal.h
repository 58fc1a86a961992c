// What the binding's C++ files share.
#ifndef DDSABENCH_V8_INTERNAL_H
#define DDSABENCH_V8_INTERNAL_H

#include <v8.h>

#include <atomic>
#include <memory>
#include <mutex>
#include <string>

#include "bridge.h"

// Hands out array buffers up to a cap; over it, scripts see a RangeError.
// Isolates are used by one thread at a time, but buffers may be freed by V8's
// helper threads, hence the atomic.
class CappedAllocator final : public v8::ArrayBuffer::Allocator {
 public:
  explicit CappedAllocator(size_t cap) : cap_(cap) {}
  void *Allocate(size_t length) override;
  void *AllocateUninitialized(size_t length) override;
  void Free(void *data, size_t length) override;
  size_t used() const { return used_.load(std::memory_order_relaxed); }

 private:
  bool Reserve(size_t length);
  const size_t cap_;
  std::atomic<size_t> used_{0};
};

// What contexts begin with; shared by isolates on any threads.
struct bridge_setup {
  std::string source;
  std::mutex mutex;  // of code
  std::unique_ptr<v8::ScriptCompiler::CachedData> code;
};

struct bridge_isolate {
  v8::Isolate *isolate;
  bridge_setup *setup;
  std::unique_ptr<CappedAllocator> allocator;
  uintptr_t ticket;        // what Go's near-heap-limit hook gets
  uint64_t thread;         // number of the thread the stack limit is for, 0: none
  size_t initial_heap;     // limit to restore, 0 while it was never raised
  size_t max_memory_words;
  std::shared_ptr<v8::BackingStore> memory;
  uint64_t memory_version; // grows with each move of the memory
  size_t text_capacity;    // of view.text
  bridge_view view;

  // The file of the running or last call.
  const char *file_text;
  size_t file_length;
  int file_ascii;
  uint64_t file_id, file_made;  // file_made: the file that file_string is of
  v8::Global<v8::String> file_string;
  bridge_navigate navigate;
  void *navigate_data;
};

struct bridge_context {
  bridge_isolate *owner;
  std::unique_ptr<v8::MicrotaskQueue> microtasks;
  v8::Global<v8::Context> context;
  v8::Global<v8::Function> runner;
  uint64_t memory_version;  // the memory that the runner knows
};

struct bridge_function {
  bridge_context *context;
  bool async;
  v8::Global<v8::Function> function;
};

// Every way into V8 begins with an Entry: it makes the isolate current, opens a
// handle scope and sees to it that the stack limit is this thread's own.
class Entry {
 public:
  explicit Entry(bridge_isolate *);

 private:
  v8::Isolate::Scope isolate_;
  v8::HandleScope handles_;
};

// What was caught, in words, with stack lines; "" if that was terminated. Runs
// the script's toString and stack getters.
std::string ErrorText(v8::Isolate *, v8::Local<v8::Context>, v8::TryCatch &);

// Keeps what was caught as the isolate's error text and returns the status.
int Caught(bridge_isolate *, v8::Local<v8::Context>, v8::TryCatch &);

// Keeps a string as the isolate's text; false if there is no memory for it.
bool KeepText(bridge_isolate *, v8::Local<v8::String>);
bool KeepText(bridge_isolate *, const std::string &);

// The functions that a context's setup gets.
void HostText(const v8::FunctionCallbackInfo<v8::Value> &);
void HostNavigate(const v8::FunctionCallbackInfo<v8::Value> &);
void HostGrow(const v8::FunctionCallbackInfo<v8::Value> &);

v8::Local<v8::Uint32Array> MemoryArray(bridge_isolate *);

#endif
