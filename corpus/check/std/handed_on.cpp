// selvedge: check --max-executions 1000
// expect: verified
// selvedge: check --cflags=-DBUG
// expect: violation memory
//
// Blocks that main allocates and threads free, while main allocates more.
// BUG: main looks at a block after it has handed it on.
#include <cassert>
#include <memory>
#include <thread>
#include <vector>

int main() {
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; i++) {
        auto block = std::make_unique<int>(i);
        int *raw = block.get();
        threads.emplace_back([i, block = std::move(block)] { assert(*block == i); });
#ifdef BUG
        assert(*raw == i);
#else
        (void)raw;
#endif
    }
    for (std::thread &thread : threads)
        thread.join();
}
