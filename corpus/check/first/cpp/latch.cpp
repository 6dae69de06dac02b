// selvedge: check --cflags -std=c++20
// expect: verified
// Main goes on when both threads have done their part.
#include <cassert>
#include <latch>
#include <thread>

int parts[2];

int main() {
  std::latch done(2);
  std::thread a([&] { parts[0] = 1; done.count_down(); });
  std::thread b([&] { parts[1] = 1; done.count_down(); });
  done.wait();
  assert(parts[0] + parts[1] == 2);
  a.join();
  b.join();
}
