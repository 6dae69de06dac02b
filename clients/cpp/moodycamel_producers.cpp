// library: moodycamel::ConcurrentQueue (libconcurrentqueue-dev)
#include "both.h"
#include <concurrentqueue/concurrentqueue.h>

int main() {
  moodycamel::ConcurrentQueue<int> queue(8);
  both([&] { assert(queue.enqueue(1)); }, [&] { assert(queue.enqueue(2)); });
  int first = 0, second = 0;
  assert(queue.try_dequeue(first) && queue.try_dequeue(second));
  assert(first + second == 3);
}
