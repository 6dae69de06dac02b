// library: cds::container::WeakRingBuffer (libcds-dev)
#include "both.h"
#include <cds/container/weak_ringbuffer.h>

int main() {
  cds::container::WeakRingBuffer<int> queue(2);
  int popped = 1;
  both([&] { assert(queue.push(1)); }, [&] { queue.pop(popped); });
  assert(popped == 1);
}
