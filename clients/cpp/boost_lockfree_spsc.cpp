// library: boost::lockfree::spsc_queue (libboost1.81-dev)
#include "both.h"
#include <boost/lockfree/spsc_queue.hpp>

int main() {
  boost::lockfree::spsc_queue<int, boost::lockfree::capacity<2>> queue;
  int popped = 1;
  both([&] { assert(queue.push(1)); }, [&] { queue.pop(popped); });
  assert(popped == 1);
}
