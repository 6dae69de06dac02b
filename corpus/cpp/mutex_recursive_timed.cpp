// selvedge: run
// cflags: -std=c++20
// expect: exit 0
// seeds: 4
// native: same
// stdout: leaves 4 8 visited 22
// stdout: timed out 1 1
// stdout: free now 1
// stdout: re-entered 1
// stdout: other thread refused 1

// recursive_mutex re-enters; timed_mutex gives up when the holder does not let go.

#include <chrono>
#include <cstdio>
#include <mutex>
#include <thread>

using namespace std::chrono_literals;

static std::recursive_mutex tree_lock;
static std::timed_mutex slow_lock;
static std::recursive_timed_mutex both;
static int visited = 0;

static int walk(int depth) {
    std::lock_guard<std::recursive_mutex> guard(tree_lock);
    ++visited;
    return depth == 0 ? 1 : walk(depth - 1) + walk(depth - 1);
}

int main() {
    int leaves[2];
    std::thread a([&] { leaves[0] = walk(2); });
    std::thread b([&] { leaves[1] = walk(3); });
    a.join();
    b.join();
    std::printf("leaves %d %d visited %d\n", leaves[0], leaves[1], visited);

    slow_lock.lock();
    bool got = true, got_until = true;
    std::thread c([&] {
        got = slow_lock.try_lock_for(1ms);
        got_until = slow_lock.try_lock_until(std::chrono::steady_clock::now() + 1ms);
    });
    c.join();
    slow_lock.unlock();
    std::printf("timed out %d %d\n", !got, !got_until);
    std::printf("free now %d\n", slow_lock.try_lock_for(1s));
    slow_lock.unlock();

    both.lock();
    std::printf("re-entered %d\n", both.try_lock_for(1ms));
    bool other = true;
    std::thread([&] { other = both.try_lock(); }).join();
    std::printf("other thread refused %d\n", !other);
    both.unlock();
    both.unlock();
}
