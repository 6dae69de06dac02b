// Runs both at the same time: the first in a new thread.
#pragma once
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static void both(void *(*one)(void *), void *(*other)(void *)) {
  pthread_t thread;
  pthread_create(&thread, NULL, one, NULL);
  other(NULL);
  pthread_join(thread, NULL);
}
