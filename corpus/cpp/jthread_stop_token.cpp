// selvedge: run
// cflags: -std=c++20
// expect: exit 0
// seeds: 4
// native: same
// stdout: first request 1
// stdout: second request 0
// stdout: finished 11 callbacks 1
// stdout: possible 1 requested 0
// stdout: requested 1

// std::jthread joins by itself; stop requests reach the body and run callbacks.

#include <atomic>
#include <cstdio>
#include <stop_token>
#include <thread>

int main() {
    std::atomic<int> finished{0};
    int callbacks = 0;
    {
        std::jthread worker([&](std::stop_token token) {
            while (!token.stop_requested()) std::this_thread::yield();
            finished.fetch_add(1);
        });
        std::stop_callback on_stop(worker.get_stop_token(), [&] { ++callbacks; });
        std::jthread plain([&] { finished.fetch_add(10); });
        std::printf("first request %d\n", worker.request_stop());
        std::printf("second request %d\n", worker.request_stop());
    }
    std::printf("finished %d callbacks %d\n", finished.load(), callbacks);

    std::stop_source source;
    std::stop_token token = source.get_token();
    std::printf("possible %d requested %d\n", token.stop_possible(), token.stop_requested());
    source.request_stop();
    std::printf("requested %d\n", token.stop_requested());
}
