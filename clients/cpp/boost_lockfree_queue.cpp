// library: boost::lockfree::queue (libboost1.81-dev)
#include "both.h"
#include <boost/lockfree/queue.hpp>

int main() {
  boost::lockfree::queue<int> queue(2);
  int popped = 0;
  both([&] { assert(queue.push(1)); }, [&] { queue.pop(popped); });
  int left = 0;
  assert(queue.pop(left) == (popped == 0));
  assert(popped + left == 1);
}
