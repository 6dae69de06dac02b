// library: ck_spinlock_ticket (libck-dev)
// flags: -DCK_USE_CC_BUILTINS=1
// expect: violation data-race, because ck loads and stores through volatile pointers, which C does not count as atomic
#include "both.h"
#include <ck_spinlock.h>

static ck_spinlock_ticket_t lock = CK_SPINLOCK_TICKET_INITIALIZER;
static int value;

static void *add(void *argument) {
  ck_spinlock_ticket_lock(&lock);
  value++;
  ck_spinlock_ticket_unlock(&lock);
  return argument;
}

int main(void) {
  both(add, add);
  assert(value == 2);
}
