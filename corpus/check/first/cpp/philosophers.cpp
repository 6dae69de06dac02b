// selvedge: check
// expect: violation deadlock
// Three philosophers, each of whom takes the left fork first.
#include <mutex>
#include <thread>

std::mutex forks[3];

void dine(int number) {
  std::lock_guard left(forks[number]);
  std::lock_guard right(forks[(number + 1) % 3]);
}

int main() {
  std::thread a(dine, 0), b(dine, 1);
  dine(2);
  a.join();
  b.join();
}
