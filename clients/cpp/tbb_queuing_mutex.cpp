// library: tbb::queuing_mutex (libtbb-dev)
#include "both.h"
#include <tbb/queuing_mutex.h>

int main() {
  tbb::queuing_mutex mutex;
  int value = 0;
  auto add = [&] {
    tbb::queuing_mutex::scoped_lock lock(mutex);
    value++;
  };
  both(add, add);
  assert(value == 2);
}
