#ifndef DDSABENCH_OSTHREAD_H
#define DDSABENCH_OSTHREAD_H

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

// Starts a joinable thread that calls osthreadRun(ticket). A stack of 0 is the
// system's default. Returns 0 or an errno.
int osthread_start(pthread_t *id, size_t stack, uintptr_t ticket);

#endif
