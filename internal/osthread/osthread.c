#include "osthread.h"
#include "_cgo_export.h"

static void *run(void *ticket) {
  osthreadRun((uintptr_t)ticket);
  return NULL;
}

int osthread_start(pthread_t *id, size_t stack, uintptr_t ticket) {
  pthread_attr_t attr;
  int err = pthread_attr_init(&attr);
  if (err != 0) return err;
  if (stack != 0) err = pthread_attr_setstacksize(&attr, stack);
  if (err == 0) err = pthread_create(id, &attr, run, (void *)ticket);
  pthread_attr_destroy(&attr);
  return err;
}
