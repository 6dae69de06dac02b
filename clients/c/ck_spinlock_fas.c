// library: ck_spinlock_fas (libck-dev)
#include "both.h"
#include <ck_spinlock.h>

static ck_spinlock_fas_t lock = CK_SPINLOCK_FAS_INITIALIZER;
static int value;

static void *add(void *argument) {
  ck_spinlock_fas_lock(&lock);
  value++;
  ck_spinlock_fas_unlock(&lock);
  return argument;
}

int main(void) {
  both(add, add);
  assert(value == 2);
}
