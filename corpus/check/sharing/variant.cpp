// selvedge: check
// expect: violation assertion
// selvedge: check --model sc --strategy states
// expect: violation assertion
// The pointer lies in a std::variant within a std::any.
#include <any>
#include <atomic>
#include <cassert>
#include <cstddef>
#include <cstring>
#include <functional>
#include <thread>
#include <variant>

static std::any published;

static void increment(std::atomic<int> *n) {
  int v = n->load();
  n->store(v + 1);
}

int main() {
  auto *n = new std::atomic<int>(0);
  published = std::variant<int, std::atomic<int> *>(n);
  std::thread other([] {
    increment(std::get<1>(std::any_cast<std::variant<int, std::atomic<int> *>>(published)));
  });
  increment(n);
  other.join();
  assert(n->load() == 2);
}
