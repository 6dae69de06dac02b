// library: moodycamel::ConcurrentQueue (libconcurrentqueue-dev)
#include "both.h"
#include <concurrentqueue/concurrentqueue.h>

int main() {
  moodycamel::ConcurrentQueue<int> queue(8);
  int popped = 1;
  both([&] { assert(queue.enqueue(1)); }, [&] { queue.try_dequeue(popped); });
  assert(popped == 1);
}
