// library: cds::sync::spin (libcds-dev)
// expect: violation data-race, because lock() asserts something about the owner, which another thread may be changing (the authors tell TSan to ignore it)
#include "both.h"
#include <cds/sync/spinlock.h>

int main() {
  cds::sync::spin lock;
  int value = 0;
  auto add = [&] {
    lock.lock();
    value++;
    lock.unlock();
  };
  both(add, add);
  assert(value == 2);
}
