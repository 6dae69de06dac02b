// selvedge: check
// expect: verified
// A condition with a lock for readers and writers.
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <shared_mutex>
#include <thread>

std::shared_mutex mutex;
std::condition_variable_any changed;
bool ready;

int main() {
  std::thread a([] {
    {
      std::unique_lock lock(mutex);
      ready = true;
    }
    changed.notify_all();
  });
  std::thread b([] {
    std::shared_lock lock(mutex);
    changed.wait(lock, [] { return ready; });
  });
  a.join();
  b.join();
  assert(ready);
}
