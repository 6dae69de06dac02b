// selvedge: check
// expect: verified
// A table that two threads read and one changes.
#include <cassert>
#include <mutex>
#include <shared_mutex>
#include <thread>

std::shared_mutex mutex;
int x, y;

void read() {
  std::shared_lock lock(mutex);
  assert(x == y);
}

int main() {
  std::thread a(read), b(read);
  {
    std::unique_lock lock(mutex);
    x = y = 1;
  }
  a.join();
  b.join();
}
