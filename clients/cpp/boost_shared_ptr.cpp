// library: boost::shared_ptr (libboost1.81-dev)
#include "both.h"
#include <boost/make_shared.hpp>
#include <boost/shared_ptr.hpp>
#include <boost/weak_ptr.hpp>

int main() {
  boost::shared_ptr<int> shared = boost::make_shared<int>(7);
  boost::weak_ptr<int> weak = shared;
  both([copy = shared] { assert(*copy == 7); },
       [&] {
         boost::shared_ptr<int> locked = weak.lock();
         assert(locked && *locked == 7);
       });
  assert(shared.use_count() == 1);
}
