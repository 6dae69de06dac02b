// selvedge: check
// expect: verified
// A lock of one's own, made of one flag.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic_flag locked = ATOMIC_FLAG_INIT;
int value;

void add() {
  while (locked.test_and_set(std::memory_order_acquire))
    ;
  value++;
  locked.clear(std::memory_order_release);
}

int main() {
  std::thread a(add), b(add);
  add();
  a.join();
  b.join();
  assert(value == 3);
}
