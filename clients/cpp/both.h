// Runs both at the same time: the first in a new thread.
#pragma once
#include <cassert>
#include <thread>

template <class One, class Other> void both(One one, Other other) {
  std::thread thread(one);
  other();
  thread.join();
}
