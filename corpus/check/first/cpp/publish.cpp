// selvedge: check
// expect: verified
// Release and acquire: who sees the flag sees the data.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<bool> ready;
int data;

int main() {
  std::thread writer([] {
    data = 42;
    ready.store(true, std::memory_order_release);
  });
  std::thread reader([] {
    while (!ready.load(std::memory_order_acquire))
      ;
    assert(data == 42);
  });
  writer.join();
  reader.join();
}
