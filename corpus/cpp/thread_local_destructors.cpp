// selvedge: run
// cflags: -std=c++20
// expect: exit 0
// seeds: 4
// native: same
// stdout: built 2 destroyed 2 total 36
// stdout: lengths 8 9 plain 5
// stdout: main builds its own 3

// thread_local objects are built on first use in each thread and destroyed when it ends.

#include <atomic>
#include <cstdio>
#include <string>
#include <thread>
#include <vector>

static std::atomic<int> built{0}, destroyed{0}, total{0};

struct Notebook {
    std::vector<int> pages;
    Notebook() { built.fetch_add(1); }
    ~Notebook() {
        destroyed.fetch_add(1);
        for (int page : pages) total.fetch_add(page);
    }
};

static thread_local Notebook notebook;
static thread_local int plain = 5;

static int local_static() {
    thread_local std::string text = "x";
    text += "y";
    return int(text.size());
}

int main() {
    int lengths[2];
    std::vector<std::thread> threads;
    for (int t = 0; t < 2; ++t)
        threads.emplace_back([&lengths, t] {
            for (int i = 0; i < 3; ++i) notebook.pages.push_back(10 * t + i);
            plain += t;
            local_static();
            lengths[t] = local_static() + plain;
        });
    threads.emplace_back([] { plain = 0; });
    for (auto& thread : threads) thread.join();
    std::printf("built %d destroyed %d total %d\n", built.load(), destroyed.load(), total.load());
    std::printf("lengths %d %d plain %d\n", lengths[0], lengths[1], plain);
    notebook.pages.push_back(1);
    std::printf("main builds its own %d\n", built.load());
}
