// selvedge: check --cflags -std=c++20
// expect: verified
// A jthread that works until it is asked to stop, and one that is joined by itself.
#include <atomic>
#include <cassert>
#include <stop_token>
#include <thread>

std::atomic<int> ended;

int main() {
  {
    std::jthread worker([](std::stop_token stop) {
      while (!stop.stop_requested())
        std::this_thread::yield();
      ended++;
    });
    std::jthread other([] { ended++; });
  }
  assert(ended == 2);
}
