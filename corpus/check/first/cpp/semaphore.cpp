// selvedge: check --cflags -std=c++20
// expect: verified
// slow: 14,532 states of operational RC11
// A binary semaphore as a lock for three threads.
#include <cassert>
#include <semaphore>
#include <thread>

std::binary_semaphore free_place(1);
int visits;

void visit() {
  free_place.acquire();
  visits++;
  free_place.release();
}

int main() {
  std::thread a(visit), b(visit);
  visit();
  a.join();
  b.join();
  assert(visits == 3);
}
