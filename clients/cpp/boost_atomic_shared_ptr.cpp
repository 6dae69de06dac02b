// library: boost::atomic_shared_ptr (libboost1.81-dev)
#include "both.h"
#include <boost/make_shared.hpp>
#include <boost/smart_ptr/atomic_shared_ptr.hpp>

int main() {
  boost::atomic_shared_ptr<int> shared(boost::make_shared<int>(1));
  both([&] { shared.store(boost::make_shared<int>(2)); },
       [&] { int value = *shared.load(); assert(value == 1 || value == 2); });
  assert(*shared.load() == 2);
}
