// selvedge: check
// expect: verified
// A counter that a mutex guards.
#include <cassert>
#include <mutex>
#include <thread>

std::mutex mutex;
int counter;

void count() {
  std::lock_guard guard(mutex);
  counter++;
}

int main() {
  std::thread a(count), b(count);
  count();
  a.join();
  b.join();
  assert(counter == 3);
}
