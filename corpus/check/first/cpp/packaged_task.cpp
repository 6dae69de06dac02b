// selvedge: check
// expect: verified
// Tasks that threads run, and whose results main takes.
#include <cassert>
#include <future>
#include <thread>

int main() {
  std::packaged_task<int(int)> twice([](int x) { return 2 * x; });
  std::packaged_task<int(int)> square([](int x) { return x * x; });
  std::future<int> first = twice.get_future(), second = square.get_future();
  std::thread a(std::move(twice), 4), b(std::move(square), 3);
  assert(first.get() + second.get() == 17);
  a.join();
  b.join();
}
