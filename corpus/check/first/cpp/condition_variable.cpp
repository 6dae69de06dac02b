// selvedge: check
// expect: verified
// Two threads bring something, main waits until both have.
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

std::mutex mutex;
std::condition_variable arrived;
int count;

void bring() {
  {
    std::lock_guard guard(mutex);
    count++;
  }
  arrived.notify_one();
}

int main() {
  std::thread a(bring), b(bring);
  {
    std::unique_lock lock(mutex);
    arrived.wait(lock, [] { return count == 2; });
  }
  assert(count == 2);
  a.join();
  b.join();
}
