// selvedge: check
// expect: violation data-race
// The same counter without the mutex.
#include <thread>

int counter;

int main() {
  std::thread a([] { counter++; }), b([] { counter++; });
  a.join();
  b.join();
}
