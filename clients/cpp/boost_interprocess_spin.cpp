// library: boost::interprocess::spin_mutex (libboost1.81-dev)
// also: --volatile-atomic relaxed
// expect: violation data-race, because a failed attempt looks at the word through a volatile pointer, which C++ does not count as atomic
#include "both.h"
#include <boost/interprocess/sync/spin/mutex.hpp>

int main() {
  boost::interprocess::ipcdetail::spin_mutex mutex;
  int value = 0;
  auto add = [&] {
    if (mutex.try_lock()) {
      value++;
      mutex.unlock();
    }
  };
  both(add, add);
  assert(value == 1 || value == 2);
}
