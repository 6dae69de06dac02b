// library: tbb::spin_rw_mutex (libtbb-dev)
#include "both.h"
#include <tbb/spin_rw_mutex.h>

int main() {
  tbb::spin_rw_mutex mutex;
  int value = 1;
  both([&] { tbb::spin_rw_mutex::scoped_lock lock(mutex, true); value = 2; },
       [&] { tbb::spin_rw_mutex::scoped_lock lock(mutex, false); assert(value == 1 || value == 2); });
}
