// selvedge: check
// expect: verified
// Two workers take jobs from one list until it is closed and empty.
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

std::mutex mutex;
std::condition_variable changed;
std::vector<int> jobs;
bool closed;
int sum;

void work() {
  std::unique_lock lock(mutex);
  for (;;) {
    changed.wait(lock, [] { return closed || !jobs.empty(); });
    if (jobs.empty())
      return;
    sum += jobs.back();
    jobs.pop_back();
  }
}

int main() {
  std::thread a(work), b(work);
  for (int job = 1; job <= 2; job++) {
    std::lock_guard guard(mutex);
    jobs.push_back(job);
    changed.notify_one();
  }
  {
    std::lock_guard guard(mutex);
    closed = true;
  }
  changed.notify_all();
  a.join();
  b.join();
  assert(sum == 3);
}
