// library: libatomic_ops (libatomic-ops-dev)
#include "both.h"
#include <atomic_ops.h>

static volatile AO_t counter;

static void *one(void *argument) {
  AO_fetch_and_add_full(&counter, 1);
  return argument;
}

static void *other(void *argument) {
  AO_t old;
  do old = AO_load(&counter);
  while (!AO_compare_and_swap_full(&counter, old, old + 2));
  return argument;
}

int main(void) {
  both(one, other);
  assert(AO_load(&counter) == 3);
}
