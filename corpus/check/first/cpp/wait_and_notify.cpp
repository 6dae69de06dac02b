// selvedge: check --cflags -std=c++20
// expect: verified
// Waiting for an atomic to change.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> stage;
int data;

int main() {
  std::thread a([] {
    data = 1;
    stage = 1;
    stage.notify_all();
  });
  std::thread b([] {
    stage.wait(0);
    assert(data == 1);
  });
  stage.wait(0);
  assert(data == 1);
  a.join();
  b.join();
}
