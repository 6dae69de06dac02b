// library: boost::weak_ptr (libboost1.81-dev)
#include "both.h"
#include <boost/make_shared.hpp>
#include <boost/shared_ptr.hpp>
#include <boost/weak_ptr.hpp>

int main() {
  boost::shared_ptr<int> shared = boost::make_shared<int>(7);
  boost::weak_ptr<int> weak = shared;
  both([&] { shared.reset(); },
       [&] {
         if (boost::shared_ptr<int> locked = weak.lock()) assert(*locked == 7);
       });
  assert(weak.expired());
}
