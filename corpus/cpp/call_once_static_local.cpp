// selvedge: run
// cflags: -std=c++20
// expect: exit 0
// seeds: 5
// native: same
// stdout: calls 1 attempts 2 failures 1
// stdout: constructions 1 same 1 name selvedge

// call_once (also after a failed attempt) and a function-local static reached by several threads at once.

#include <atomic>
#include <cstdio>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

static std::atomic<int> constructions{0};

struct Settings {
    std::string name;
    Settings() : name("selvedge") { constructions.fetch_add(1); }
};

static Settings& settings() {
    static Settings only;
    return only;
}

int main() {
    std::once_flag flag, flaky;
    std::atomic<int> calls{0}, attempts{0}, failures{0};
    std::vector<std::thread> threads;
    std::vector<Settings*> seen(3);
    for (int i = 0; i < 3; ++i)
        threads.emplace_back([&, i] {
            std::call_once(flag, [&](int by) { calls += by; }, 1);
            try {
                std::call_once(flaky, [&] {
                    if (attempts.fetch_add(1) == 0) throw std::runtime_error("first attempt");
                });
            } catch (const std::runtime_error&) {
                failures.fetch_add(1);
            }
            seen[i] = &settings();
        });
    for (auto& t : threads) t.join();
    std::printf("calls %d attempts %d failures %d\n", calls.load(), attempts.load(), failures.load());
    std::printf("constructions %d same %d name %s\n", constructions.load(), seen[0] == seen[1] && seen[1] == seen[2],
                settings().name.c_str());
}
