// V8's start, isolates, and their heap and buffer limits.
#include "internal.h"

#include <libplatform/libplatform.h>
#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>

extern "C" void bridgeNearHeapLimit(uintptr_t ticket);  // in isolate.go

void *CappedAllocator::Allocate(size_t length) {
  return Reserve(length) ? calloc(length ? length : 1, 1) : nullptr;
}

void *CappedAllocator::AllocateUninitialized(size_t length) {
  return Reserve(length) ? malloc(length ? length : 1) : nullptr;
}

void CappedAllocator::Free(void *data, size_t length) {
  free(data);
  used_.fetch_sub(length, std::memory_order_relaxed);
}

bool CappedAllocator::Reserve(size_t length) {
  if (length > cap_) return false;
  if (used_.fetch_add(length, std::memory_order_relaxed) <= cap_ - length) return true;
  used_.fetch_sub(length, std::memory_order_relaxed);
  return false;
}

static v8::Platform *platform;

int bridge_init(const char *flags) {
  v8::V8::SetFlagsFromString(flags);
  // One helper thread: concurrent compilation and marking, the same few
  // threads on every machine.
  platform = v8::platform::NewDefaultPlatform(1).release();
  v8::V8::InitializePlatform(platform);
  return v8::V8::Initialize() ? 0 : 1;
}

const char *bridge_version(void) { return v8::V8::GetVersion(); }

// Lets the script be stopped before the heap is full. The raise is large
// because V8 may need much more room before it looks at the termination: with
// 1.5 times a growing Map aborts the process. It is given once: a script that
// fills that too aborts the process, and not the machine.
static size_t NearHeapLimit(void *data, size_t current, size_t initial) {
  auto *iso = static_cast<bridge_isolate *>(data);
  iso->initial_heap = initial;
  bridgeNearHeapLimit(iso->ticket);
  return initial * 4;
}

bridge_isolate *bridge_isolate_new(bridge_setup *setup, size_t heap, size_t buffers,
                                   size_t max_memory_words, uintptr_t ticket) {
  auto *iso = new bridge_isolate();
  iso->setup = setup;
  iso->allocator = std::make_unique<CappedAllocator>(buffers);
  iso->ticket = ticket;
  iso->max_memory_words = max_memory_words;
  v8::Isolate::CreateParams params;
  params.array_buffer_allocator = iso->allocator.get();
  params.constraints.ConfigureDefaultsFromHeapSize(0, heap);
  iso->isolate = v8::Isolate::New(params);
  iso->isolate->SetData(0, iso);
  iso->isolate->SetMicrotasksPolicy(v8::MicrotasksPolicy::kExplicit);
  iso->isolate->AddNearHeapLimitCallback(NearHeapLimit, iso);
  return iso;
}

void bridge_isolate_dispose(bridge_isolate *iso) {
  {
    Entry entry(iso);
    iso->file_string.Reset();
    iso->memory.reset();
  }
  iso->isolate->Dispose();
  free(iso->view.text);
  delete iso;
}

bridge_view *bridge_isolate_view(bridge_isolate *iso) { return &iso->view; }

void bridge_stay(bridge_isolate *iso) { iso->isolate->Enter(); }

void bridge_leave(bridge_isolate *iso) { iso->isolate->Exit(); }

void bridge_terminate(bridge_isolate *iso) { iso->isolate->TerminateExecution(); }

void bridge_cancel(bridge_isolate *iso) { iso->isolate->CancelTerminateExecution(); }

void bridge_recover_heap(bridge_isolate *iso) {
  if (iso->initial_heap == 0) return;
  Entry entry(iso);
  // Without the collection the restored limit would be the heap's present
  // size, and each time a higher one.
  iso->isolate->LowMemoryNotification();
  iso->isolate->RemoveNearHeapLimitCallback(NearHeapLimit, iso->initial_heap);
  iso->isolate->AddNearHeapLimitCallback(NearHeapLimit, iso);
  iso->initial_heap = 0;
}

bridge_heap bridge_heap_statistics(bridge_isolate *iso) {
  v8::HeapStatistics s;
  iso->isolate->GetHeapStatistics(&s);
  return {s.used_heap_size(), s.heap_size_limit(), iso->allocator->used()};
}

// The lowest address that scripts may use on this thread: V8's usual megabyte
// below the caller, and never within 128 KiB of the stack's end. Where the end
// cannot be found out (for the main thread that takes a file descriptor), it is
// taken to be half a megabyte below.
static uintptr_t StackLimit() {
  auto here = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
  static thread_local uintptr_t lowest = [here] {
    pthread_attr_t attr;
    void *low = nullptr;
    size_t size = 0;
    if (pthread_getattr_np(pthread_self(), &attr) == 0) {
      pthread_attr_getstack(&attr, &low, &size);
      pthread_attr_destroy(&attr);
    }
    return low == nullptr ? here - (512 << 10) : reinterpret_cast<uintptr_t>(low);
  }();
  return std::max(here - (984 << 10), lowest + (128 << 10));
}

Entry::Entry(bridge_isolate *iso) : isolate_(iso->isolate), handles_(iso->isolate) {
  // A number, because an address is used again for the next thread, whose stack
  // is another.
  static std::atomic<uint64_t> threads{0};
  static thread_local const uint64_t thread = ++threads;
  if (iso->thread == thread) return;
  iso->thread = thread;
  iso->isolate->SetStackLimit(StackLimit());
}
