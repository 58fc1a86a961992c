// Contexts, and what a script gets from its host: memory, text, navigation.
#include "internal.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

using v8::Context;
using v8::Function;
using v8::Local;
using v8::Value;

int bridge_grow(bridge_isolate *iso, size_t words) {
  if (words <= iso->view.memory_words) return BRIDGE_OK;
  if (words > iso->max_memory_words) return BRIDGE_NO_MEMORY;
  words = std::min(iso->max_memory_words, std::max(words, iso->view.memory_words * 2));
  auto *data = static_cast<uint32_t *>(calloc(words, sizeof(uint32_t)));
  if (data == nullptr) return BRIDGE_NO_MEMORY;
  if (iso->view.memory_words != 0) memcpy(data, iso->view.memory, iso->view.memory_words * sizeof *data);
  // The old block is freed with the last array that a context holds on it.
  iso->memory = v8::ArrayBuffer::NewBackingStore(
      data, words * sizeof *data, [](void *p, size_t, void *) { free(p); }, nullptr);
  iso->view.memory = data;
  iso->view.memory_words = words;
  iso->memory_version++;
  return BRIDGE_OK;
}

Local<v8::Uint32Array> MemoryArray(bridge_isolate *iso) {
  auto buffer = v8::ArrayBuffer::New(iso->isolate, iso->memory);
  return v8::Uint32Array::New(buffer, 0, iso->view.memory_words);
}

static bridge_isolate *Owner(const v8::FunctionCallbackInfo<Value> &info) {
  return static_cast<bridge_isolate *>(info.GetIsolate()->GetData(0));
}

static uint32_t Argument(const v8::FunctionCallbackInfo<Value> &info, int i) {
  return info[i]->IsUint32() ? info[i].As<v8::Uint32>()->Value() : 0;
}

// text(): the file's text, made once per file and isolate.
void HostText(const v8::FunctionCallbackInfo<Value> &info) {
  auto *iso = Owner(info);
  if (iso->file_string.IsEmpty() || iso->file_made != iso->file_id) {
    auto length = static_cast<int>(iso->file_length);
    Local<v8::String> text;
    if (!(iso->file_ascii
              ? v8::String::NewFromOneByte(iso->isolate, reinterpret_cast<const uint8_t *>(iso->file_text),
                                           v8::NewStringType::kNormal, length)
              : v8::String::NewFromUtf8(iso->isolate, iso->file_text, v8::NewStringType::kNormal, length))
             .ToLocal(&text)) {
      return;
    }
    iso->file_string.Reset(iso->isolate, text);
    iso->file_made = iso->file_id;
    iso->view.texts_made++;
  }
  info.GetReturnValue().Set(iso->file_string);
}

// navigate(op, subject, from, at): answers into the memory from word at on.
void HostNavigate(const v8::FunctionCallbackInfo<Value> &info) {
  auto *iso = Owner(info);
  uint32_t at = Argument(info, 3);
  if (iso->navigate == nullptr || at > iso->view.memory_words) {
    info.GetReturnValue().Set(-1);
    return;
  }
  info.GetReturnValue().Set(iso->navigate(iso->navigate_data, Argument(info, 0), Argument(info, 1),
                                          Argument(info, 2), iso->view.memory + at,
                                          static_cast<uint32_t>(iso->view.memory_words - at)));
}

// grow(words): the memory, now at least that long, or undefined.
void HostGrow(const v8::FunctionCallbackInfo<Value> &info) {
  auto *iso = Owner(info);
  if (bridge_grow(iso, Argument(info, 0)) == BRIDGE_OK) info.GetReturnValue().Set(MemoryArray(iso));
}

// Compiles and calls the setup; the first context of all leaves its code for
// the others.
static v8::MaybeLocal<Value> Setup(bridge_isolate *iso, Local<Context> context) {
  using v8::ScriptCompiler;
  auto *isolate = iso->isolate;
  auto *setup = iso->setup;
  Local<v8::String> text;
  if (!v8::String::NewFromUtf8(isolate, setup->source.data(), v8::NewStringType::kNormal,
                               static_cast<int>(setup->source.size())).ToLocal(&text))
    return {};
  ScriptCompiler::CachedData *cached = nullptr;
  {
    std::lock_guard<std::mutex> lock(setup->mutex);
    if (setup->code)
      cached = new ScriptCompiler::CachedData(setup->code->data, setup->code->length,
                                              ScriptCompiler::CachedData::BufferNotOwned);
  }
  ScriptCompiler::Source source(text, v8::ScriptOrigin(isolate, v8::String::NewFromUtf8Literal(isolate, "setup")), cached);
  Local<v8::String> names[] = {
      v8::String::NewFromUtf8Literal(isolate, "text"), v8::String::NewFromUtf8Literal(isolate, "navigate"),
      v8::String::NewFromUtf8Literal(isolate, "grow"), v8::String::NewFromUtf8Literal(isolate, "memory")};
  Local<Function> function;
  if (!ScriptCompiler::CompileFunctionInContext(
           context, &source, 4, names, 0, nullptr,
           cached ? ScriptCompiler::kConsumeCodeCache : ScriptCompiler::kNoCompileOptions).ToLocal(&function))
    return {};
  v8::FunctionCallback host[] = {HostText, HostNavigate, HostGrow};
  Local<Value> arguments[4];
  for (int i = 0; i < 3; i++) {
    Local<Function> f;
    if (!Function::New(context, host[i], {}, 0, v8::ConstructorBehavior::kThrow).ToLocal(&f)) return {};
    arguments[i] = f;
  }
  arguments[3] = MemoryArray(iso);
  auto runner = function->Call(context, v8::Undefined(isolate), 4, arguments);
  if (cached == nullptr && !runner.IsEmpty()) {
    std::lock_guard<std::mutex> lock(setup->mutex);
    // Never replaced: an isolate may be reading it.
    if (!setup->code) setup->code.reset(ScriptCompiler::CreateCodeCacheForFunction(function));
  }
  return runner;
}

bridge_context *bridge_context_new(bridge_isolate *iso, const char *config, size_t length, int *status) {
  auto *isolate = iso->isolate;
  Entry entry(iso);
  v8::TryCatch caught(isolate);
  auto microtasks = v8::MicrotaskQueue::New(isolate, v8::MicrotasksPolicy::kExplicit);
  auto context = Context::New(isolate, nullptr, {}, {}, {}, microtasks.get());
  if (context.IsEmpty()) {
    *status = BRIDGE_TERMINATED;
    return nullptr;
  }
  Context::Scope scope(context);
  context->AllowCodeGenerationFromStrings(false);
  Local<Value> runner;
  Local<v8::String> text;
  if (!Setup(iso, context).ToLocal(&runner) || !runner->IsFunction() ||
      !v8::String::NewFromUtf8(isolate, config, v8::NewStringType::kNormal, static_cast<int>(length)).ToLocal(&text)) {
    *status = Caught(iso, context, caught);
    return nullptr;
  }
  Local<Value> arguments[] = {v8::Undefined(isolate), v8::Undefined(isolate), text};
  if (runner.As<Function>()->Call(context, v8::Undefined(isolate), 3, arguments).IsEmpty()) {
    *status = Caught(iso, context, caught);
    return nullptr;
  }
  auto *c = new bridge_context{iso, std::move(microtasks), {}, {}, iso->memory_version};
  c->context.Reset(isolate, context);
  c->runner.Reset(isolate, runner.As<Function>());
  *status = BRIDGE_OK;
  return c;
}

void bridge_context_dispose(bridge_context *c) {
  Entry entry(c->owner);
  c->runner.Reset();
  c->context.Reset();
  delete c;
}

bridge_setup *bridge_setup_new(const char *source, size_t length) {
  auto *setup = new bridge_setup();
  setup->source.assign(source, length);
  return setup;
}

void bridge_setup_dispose(bridge_setup *setup) { delete setup; }
