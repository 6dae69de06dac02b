// selvedge: check
// expect: verified
// Relaxed additions, and a look after the joins.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> count;

int main() {
  auto add = [] {
    for (int i = 0; i < 2; i++)
      count.fetch_add(1, std::memory_order_relaxed);
  };
  std::thread a(add), b(add);
  add();
  a.join();
  b.join();
  assert(count == 6);
}
