// selvedge: check
// expect: verified
// Each thread counts for itself.
#include <cassert>
#include <thread>

thread_local int count;

void add(int times) {
  for (int i = 0; i < times; i++)
    count++;
  assert(count == times);
}

int main() {
  std::thread a(add, 1), b(add, 2);
  add(3);
  a.join();
  b.join();
}
