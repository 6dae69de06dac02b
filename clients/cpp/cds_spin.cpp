// library: cds::sync::spin (libcds-dev)
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
