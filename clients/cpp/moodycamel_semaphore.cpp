// library: moodycamel::LightweightSemaphore (libconcurrentqueue-dev)
#include "both.h"
#include <concurrentqueue/blockingconcurrentqueue.h>

int main() {
  moodycamel::LightweightSemaphore semaphore;
  both([&] { semaphore.signal(); }, [&] { assert(semaphore.tryWait() || semaphore.availableApprox() <= 1); });
}
