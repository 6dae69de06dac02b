// selvedge: check
// expect: violation assertion
// selvedge: check --model sc --strategy states
// expect: violation assertion
// The pointer lies at an odd place of plain storage.
#include <any>
#include <atomic>
#include <cassert>
#include <cstddef>
#include <cstring>
#include <functional>
#include <thread>
#include <variant>

static std::byte storage[24];

static void increment(std::atomic<int> *n) {
  int v = n->load();
  n->store(v + 1);
}

int main() {
  auto *n = new std::atomic<int>(0);
  std::memcpy(storage + 5, &n, sizeof n);
  std::thread other([] {
    std::atomic<int> *n;
    std::memcpy(&n, storage + 5, sizeof n);
    increment(n);
  });
  increment(n);
  other.join();
  assert(n->load() == 2);
}
