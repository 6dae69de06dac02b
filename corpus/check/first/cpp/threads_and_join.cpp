// selvedge: check
// expect: verified
// Three threads that write to places of their own.
#include <cassert>
#include <thread>
#include <vector>

int main() {
  int results[3] = {};
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; i++)
    threads.emplace_back([&results, i] { results[i] = i * i; });
  for (std::thread &thread : threads)
    thread.join();
  assert(results[0] + results[1] + results[2] == 5);
}
