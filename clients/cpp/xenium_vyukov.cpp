// library: xenium::vyukov_bounded_queue (libxenium-dev)
#include "both.h"
#include <xenium/vyukov_bounded_queue.hpp>

int main() {
  xenium::vyukov_bounded_queue<int> queue(2);
  both([&] { assert(queue.try_push(1)); }, [&] { assert(queue.try_push(2)); });
  int first = 0, second = 0;
  assert(queue.try_pop(first) && queue.try_pop(second));
  assert(first + second == 3);
}
