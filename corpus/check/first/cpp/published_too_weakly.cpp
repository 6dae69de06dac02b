// selvedge: check
// expect: violation data-race
// The same with relaxed accesses.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<bool> ready;
int data;

int main() {
  std::thread writer([] {
    data = 42;
    ready.store(true, std::memory_order_relaxed);
  });
  std::thread reader([] {
    while (!ready.load(std::memory_order_relaxed))
      ;
    assert(data == 42);
  });
  writer.join();
  reader.join();
}
