// library: tbb::spin_mutex (libtbb-dev)
#include "both.h"
#include <tbb/spin_mutex.h>

int main() {
  tbb::spin_mutex mutex;
  int value = 0;
  auto add = [&] {
    tbb::spin_mutex::scoped_lock lock(mutex);
    value++;
  };
  both(add, add);
  assert(value == 2);
}
