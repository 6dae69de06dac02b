// library: boost::lockfree::stack (libboost1.81-dev)
// expect: violation data-race, because the free list reads the link of a node that another thread may have taken and be writing to
#include "both.h"
#include <boost/lockfree/stack.hpp>

int main() {
  boost::lockfree::stack<int> stack(2);
  both([&] { assert(stack.push(1)); }, [&] { assert(stack.push(2)); });
  int first = 0, second = 0;
  assert(stack.pop(first) && stack.pop(second));
  assert(first + second == 3);
}
