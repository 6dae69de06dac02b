// selvedge: check --cflags=-DN=2
// expect: verified
// selvedge: check --cflags="-DN=1 -DBUG"
// expect: violation assertion
//
// A sequence lock: one writer updates two values once, N readers try once each; attempts that fail are given up.
// BUG: readers do not look whether an update is under way.
#include <atomic>
#include <cassert>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#ifndef N
#define N 8
#endif

class SequenceLock {
    std::atomic<unsigned> sequence{0};
    std::atomic<int> first{0}, second{0};

public:
    void update(int value) {
        sequence = 1;
        first = value;
        second = value;
        sequence = 2;
    }

    std::optional<std::pair<int, int>> look() {
        unsigned before = sequence;
#ifndef BUG
        if (before % 2 != 0)
            return std::nullopt;
#endif
        std::pair<int, int> seen(first, second);
        if (sequence != before)
            return std::nullopt;
        return seen;
    }
};

int main() {
    SequenceLock values;
    std::vector<std::thread> threads;
    threads.emplace_back([&] { values.update(1); });
    for (int i = 0; i < N; i++)
        threads.emplace_back([&] {
            auto seen = values.look();
            assert(!seen || seen->first == seen->second);
        });
    for (std::thread &thread : threads)
        thread.join();
}
