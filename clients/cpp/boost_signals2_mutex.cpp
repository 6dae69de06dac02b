// library: boost::signals2::mutex (libboost1.81-dev)
#include "both.h"
#include <boost/signals2/mutex.hpp>

int main() {
  boost::signals2::mutex mutex;
  int value = 0;
  auto add = [&] {
    mutex.lock();
    value++;
    mutex.unlock();
  };
  both(add, add);
  assert(value == 2);
}
