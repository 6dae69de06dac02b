// library: moodycamel::ReaderWriterQueue (libreaderwriterqueue-dev)
#include "both.h"
#include <readerwriterqueue/readerwriterqueue.h>

int main() {
  moodycamel::ReaderWriterQueue<int> queue(2);
  int popped = 1;
  both([&] { assert(queue.enqueue(1)); }, [&] { queue.try_dequeue(popped); });
  assert(popped == 1);
}
