// library: ck_spinlock_mcs (libck-dev)
#include "both.h"
#include <ck_spinlock.h>

static ck_spinlock_mcs_t lock = CK_SPINLOCK_MCS_INITIALIZER;
static int value;

static void *add(void *argument) {
  ck_spinlock_mcs_context_t node;
  ck_spinlock_mcs_lock(&lock, &node);
  value++;
  ck_spinlock_mcs_unlock(&lock, &node);
  return argument;
}

int main(void) {
  both(add, add);
  assert(value == 2);
}
