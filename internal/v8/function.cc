// Compiling a rule, calling it, and the texts that come back.
#include "internal.h"

#include <cstdlib>
#include <string>

using v8::Context;
using v8::Function;
using v8::Local;
using v8::Value;

bridge_function *bridge_compile(bridge_context *c, const char *name, const char *source, size_t length,
                                int line_offset, int async, int *status) {
  auto *isolate = c->owner->isolate;
  Entry entry(c->owner);
  auto context = c->context.Get(isolate);
  Context::Scope scope(context);
  v8::TryCatch caught(isolate);
  Local<v8::String> text, file;
  Local<Function> function;
  if (v8::String::NewFromUtf8(isolate, source, v8::NewStringType::kNormal, static_cast<int>(length)).ToLocal(&text) &&
      v8::String::NewFromUtf8(isolate, name).ToLocal(&file)) {
    v8::ScriptOrigin origin(isolate, file, line_offset);
    v8::ScriptCompiler::Source code(text, origin);
    // As a function's body, so that no text can close the function and leave
    // something behind outside of it.
    if (v8::ScriptCompiler::CompileFunctionInContext(context, &code, 0, nullptr, 0, nullptr).ToLocal(&function)) {
      *status = BRIDGE_OK;
      return new bridge_function{c, async != 0, v8::Global<Function>(isolate, function)};
    }
  }
  *status = Caught(c->owner, context, caught);
  if (*status == BRIDGE_THROWN) *status = BRIDGE_SYNTAX;
  return nullptr;
}

void bridge_function_dispose(bridge_function *f) {
  Entry entry(f->context->owner);
  f->function.Reset();
  delete f;
}

int bridge_call(bridge_function *f, const char *text, size_t text_length, int ascii, uint64_t text_id,
                bridge_navigate navigate, void *navigate_data) {
  auto *c = f->context;
  auto *iso = c->owner;
  auto *isolate = iso->isolate;
  iso->file_text = text;
  iso->file_length = text_length;
  iso->file_ascii = ascii;
  iso->file_id = text_id;
  iso->navigate = navigate;
  iso->navigate_data = navigate_data;
  iso->view.text_length = 0;

  Entry entry(iso);
  auto context = c->context.Get(isolate);
  Context::Scope scope(context);
  v8::TryCatch caught(isolate);
  auto runner = c->runner.Get(isolate);
  Local<Value> arguments[2] = {f->function.Get(isolate), v8::Undefined(isolate)};
  if (c->memory_version != iso->memory_version) {
    arguments[1] = MemoryArray(iso);
    c->memory_version = iso->memory_version;
  }
  Local<Value> result;
  int status = BRIDGE_OK;
  if (!runner->Call(context, v8::Undefined(isolate), 2, arguments).ToLocal(&result)) {
    status = Caught(iso, context, caught);
    caught.Reset();
  }
  auto terminated = [&] { return caught.HasTerminated() || isolate->IsExecutionTerminating(); };
  // Once it was terminated nothing of the script's may run: nobody would
  // terminate that again.
  if (f->async && status != BRIDGE_TERMINATED) {
    c->microtasks->PerformCheckpoint(isolate);
    if (terminated()) status = BRIDGE_TERMINATED;
  }
  if (status == BRIDGE_OK && result->IsString() && !KeepText(iso, result.As<v8::String>())) status = BRIDGE_NO_MEMORY;
  if (status == BRIDGE_THROWN || (status == BRIDGE_OK && f->async)) {
    if (runner->Call(context, v8::Undefined(isolate), 0, nullptr).IsEmpty()) status = Caught(iso, context, caught);
    if (terminated()) status = BRIDGE_TERMINATED;
  }
  // The text's memory is the caller's again.
  iso->file_text = nullptr;
  iso->navigate = nullptr;
  return status;
}

static bool Reserve(bridge_isolate *iso, size_t length) {
  if (length <= iso->text_capacity) return true;
  free(iso->view.text);
  iso->view.text = static_cast<char *>(malloc(length));
  iso->text_capacity = iso->view.text == nullptr ? 0 : length;
  return iso->view.text != nullptr;
}

bool KeepText(bridge_isolate *iso, Local<v8::String> s) {
  size_t length = s->Utf8Length(iso->isolate);
  if (!Reserve(iso, length)) return false;
  iso->view.text_length = length;
  s->WriteUtf8(iso->isolate, iso->view.text, static_cast<int>(length), nullptr,
               v8::String::NO_NULL_TERMINATION | v8::String::REPLACE_INVALID_UTF8);
  return true;
}

bool KeepText(bridge_isolate *iso, const std::string &s) {
  if (!Reserve(iso, s.size())) return false;
  iso->view.text_length = s.copy(iso->view.text, s.size());
  return true;
}

// Error texts are for people; nobody reads a megabyte of them.
static constexpr int kMaxErrorText = 4096;

static std::string Text(v8::Isolate *isolate, Local<v8::String> s) {
  char buffer[kMaxErrorText];
  int n = s->WriteUtf8(isolate, buffer, sizeof buffer, nullptr,
                       v8::String::NO_NULL_TERMINATION | v8::String::REPLACE_INVALID_UTF8);
  return std::string(buffer, n);
}

std::string ErrorText(v8::Isolate *isolate, Local<Context> context, v8::TryCatch &caught) {
  auto exception = caught.Exception();
  auto message = caught.Message();
  std::string what;
  v8::TryCatch again(isolate);
  Local<v8::String> s;
  Local<Value> stack;
  if (exception->IsObject() && v8::TryCatch::StackTrace(context, exception).ToLocal(&stack) && stack->IsString()) {
    what = "Uncaught " + Text(isolate, stack.As<v8::String>());
  } else if (!again.HasTerminated() && exception->ToString(context).ToLocal(&s)) {
    what = "Uncaught " + Text(isolate, s);
  } else if (!again.HasTerminated() && !message.IsEmpty()) {
    what = Text(isolate, message->Get());
  }
  if (again.HasTerminated() || isolate->IsExecutionTerminating()) return "";
  int line = 0;
  if (what.find("\n    at ") == std::string::npos && !message.IsEmpty() && message->GetLineNumber(context).To(&line) &&
      line > 0 && message->GetScriptResourceName()->IsString()) {
    what += "\n    at " + Text(isolate, message->GetScriptResourceName().As<v8::String>()) + ":" + std::to_string(line) +
            ":" + std::to_string(message->GetStartColumn() + 1);
  }
  return what;
}

int Caught(bridge_isolate *iso, Local<Context> context, v8::TryCatch &caught) {
  if (caught.HasTerminated() || !caught.HasCaught()) return BRIDGE_TERMINATED;
  auto text = ErrorText(iso->isolate, context, caught);
  if (text.empty()) return BRIDGE_TERMINATED;
  KeepText(iso, text);
  return BRIDGE_THROWN;
}
