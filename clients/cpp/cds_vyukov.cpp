// library: cds::container::VyukovMPMCCycleQueue (libcds-dev)
#include "both.h"
#include <cds/container/vyukov_mpmc_cycle_queue.h>

int main() {
  cds::container::VyukovMPMCCycleQueue<int> queue(2);
  both([&] { assert(queue.enqueue(1)); }, [&] { assert(queue.enqueue(2)); });
  int first = 0, second = 0;
  assert(queue.dequeue(first) && queue.dequeue(second));
  assert(first + second == 3);
}
