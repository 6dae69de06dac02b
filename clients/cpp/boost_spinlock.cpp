// library: boost::detail::spinlock (libboost1.81-dev)
#include "both.h"
#include <boost/smart_ptr/detail/spinlock.hpp>

int main() {
  boost::detail::spinlock lock = BOOST_DETAIL_SPINLOCK_INIT;
  int value = 0;
  auto add = [&] {
    lock.lock();
    value++;
    lock.unlock();
  };
  both(add, add);
  assert(value == 2);
}
