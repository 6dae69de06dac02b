// selvedge: check --cflags -std=c++20
// expect: verified
// Two phases; the completion of each runs once.
#include <barrier>
#include <cassert>
#include <thread>

int sum, parts[2];

int main() {
  std::barrier phase(2, []() noexcept { sum += parts[0] + parts[1]; });
  std::thread other([&] {
    parts[0] = 1;
    phase.arrive_and_wait();
    parts[0] = 2;
    phase.arrive_and_wait();
  });
  parts[1] = 10;
  phase.arrive_and_wait();
  parts[1] = 20;
  phase.arrive_and_wait();
  assert(sum == 33);
  other.join();
}
