// selvedge: check
// expect: verified
// Whoever comes first sets things up.
#include <cassert>
#include <mutex>
#include <thread>

std::once_flag once;
int made;

void use() {
  std::call_once(once, [] { made++; });
  assert(made == 1);
}

int main() {
  std::thread a(use), b(use);
  use();
  a.join();
  b.join();
}
