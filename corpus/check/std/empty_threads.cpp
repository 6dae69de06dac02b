// selvedge: check --max-executions 1000
// expect: verified
//
// Threads that do nothing: all that happens is what the library does to start and to end them.
#include <thread>
#include <vector>

int main() {
    std::vector<std::thread> threads;
    for (int i = 0; i < 5; i++)
        threads.emplace_back([] {});
    for (std::thread &thread : threads)
        thread.join();
}
