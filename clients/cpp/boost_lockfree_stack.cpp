// library: boost::lockfree::stack (libboost1.81-dev)
#include "both.h"
#include <boost/lockfree/stack.hpp>

int main() {
  boost::lockfree::stack<int> stack(2);
  both([&] { assert(stack.push(1)); }, [&] { assert(stack.push(2)); });
  int first = 0, second = 0;
  assert(stack.pop(first) && stack.pop(second));
  assert(first + second == 3);
}
