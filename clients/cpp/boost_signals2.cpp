// library: boost::signals2 (libboost1.81-dev)
#include "both.h"
#include <boost/signals2.hpp>

int main() {
  boost::signals2::signal<void()> signal;
  std::atomic<int> calls{0};
  both([&] { signal.connect([&] { calls++; }); }, [&] { signal(); });
  assert(calls <= 1);
}
