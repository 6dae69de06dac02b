// library: ck_rwlock (libck-dev)
#include "both.h"
#include <ck_rwlock.h>

static ck_rwlock_t lock = CK_RWLOCK_INITIALIZER;
static int value = 1;

static void *change(void *argument) {
  ck_rwlock_write_lock(&lock);
  value = 2;
  ck_rwlock_write_unlock(&lock);
  return argument;
}

static void *look(void *argument) {
  ck_rwlock_read_lock(&lock);
  assert(value == 1 || value == 2);
  ck_rwlock_read_unlock(&lock);
  return argument;
}

int main(void) {
  both(change, look);
}
