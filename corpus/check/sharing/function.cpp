// selvedge: check
// expect: violation assertion
// selvedge: check --model sc --strategy states
// expect: violation assertion
// The pointer lies in the small buffer of a std::function that is moved.
#include <any>
#include <atomic>
#include <cassert>
#include <cstddef>
#include <cstring>
#include <functional>
#include <thread>
#include <variant>

static std::function<std::atomic<int> *()> published;

static void increment(std::atomic<int> *n) {
  int v = n->load();
  n->store(v + 1);
}

int main() {
  auto *n = new std::atomic<int>(0);
  std::function<std::atomic<int> *()> local = [n] { return n; };
  published = std::move(local);
  std::thread other([] {
    increment(published());
  });
  increment(n);
  other.join();
  assert(n->load() == 2);
}
