// selvedge: check
// expect: verified
// Three owners; the last one frees.
#include <cassert>
#include <memory>
#include <thread>

int main() {
  auto shared = std::make_shared<int>(5);
  std::thread a([shared] { assert(*shared == 5); });
  std::thread b([shared] { assert(*shared == 5); });
  shared.reset();
  a.join();
  b.join();
}
