// library: boost::atomic (libboost1.81-dev)
#include "both.h"
#include <boost/atomic.hpp>

int main() {
  boost::atomic<int> value(0);
  both([&] { value.fetch_add(1); }, [&] { value.fetch_add(2, boost::memory_order_relaxed); });
  assert(value == 3);
}
