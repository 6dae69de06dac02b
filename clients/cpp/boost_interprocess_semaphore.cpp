// library: boost::interprocess::semaphore (libboost1.81-dev)
#include "both.h"
#include <boost/interprocess/sync/interprocess_semaphore.hpp>

int main() {
  boost::interprocess::interprocess_semaphore semaphore(0);
  int value = 0;
  both([&] { value = 1; semaphore.post(); }, [&] { semaphore.wait(); assert(value == 1); });
}
