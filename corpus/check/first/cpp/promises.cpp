// selvedge: check
// expect: verified
// A promise that is kept, and one that is broken.
#include <cassert>
#include <future>
#include <thread>

int main() {
  std::promise<int> kept;
  std::future<int> value = kept.get_future();
  std::thread a([&] { kept.set_value(7); });
  std::promise<int> broken;
  std::future<int> nothing = broken.get_future();
  std::thread b([promise = std::move(broken)]() mutable { std::promise<int> gone = std::move(promise); });
  assert(value.get() == 7);
  bool failed = false;
  try {
    nothing.get();
  } catch (const std::future_error &) {
    failed = true;
  }
  assert(failed);
  a.join();
  b.join();
}
