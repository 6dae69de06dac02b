// selvedge: check
// expect: verified
// A queue with a lock and a condition; two producers.
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <queue>
#include <thread>

class Queue {
public:
  void push(int value) {
    std::lock_guard guard(mutex);
    values.push(value);
    filled.notify_one();
  }
  int pop() {
    std::unique_lock lock(mutex);
    filled.wait(lock, [this] { return !values.empty(); });
    int value = values.front();
    values.pop();
    return value;
  }

private:
  std::mutex mutex;
  std::condition_variable filled;
  std::queue<int> values;
};

int main() {
  Queue queue;
  std::thread a([&] { queue.push(1); }), b([&] { queue.push(2); });
  int sum = queue.pop();
  sum += queue.pop();
  a.join();
  b.join();
  assert(sum == 3);
}
