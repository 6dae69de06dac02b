// library: moodycamel::BlockingReaderWriterCircularBuffer (libreaderwriterqueue-dev)
#include "both.h"
#include <readerwriterqueue/readerwritercircularbuffer.h>

int main() {
  moodycamel::BlockingReaderWriterCircularBuffer<int> queue(2);
  int popped = 1;
  both([&] { assert(queue.try_enqueue(1)); }, [&] { queue.try_dequeue(popped); });
  assert(popped == 1);
}
