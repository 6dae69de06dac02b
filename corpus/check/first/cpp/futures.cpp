// selvedge: check
// expect: verified
// Two results that are computed elsewhere.
#include <cassert>
#include <future>

int main() {
  std::future<int> a = std::async(std::launch::async, [] { return 20; });
  std::future<int> b = std::async(std::launch::async, [] { return 22; });
  assert(a.get() + b.get() == 42);
}
