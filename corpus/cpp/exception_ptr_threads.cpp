// selvedge: run
// cflags: -std=c++20
// expect: exit 0
// seeds: 4
// native: same
// stdout: number 0
// stdout: number 11
// stdout: number 22
// stdout: sum 66 none left 1
// stdout: made in a thread

// An exception caught in one thread is thrown again in another; several threads throw at the same time.

#include <cstdio>
#include <exception>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

struct Numbered : std::runtime_error {
    int number;
    explicit Numbered(int n) : std::runtime_error("number " + std::to_string(n)), number(n) {}
};

static int risky(int depth, int number) {
    std::string keeps_busy(20 + depth, 'x');
    if (depth == 0) throw Numbered(number);
    return risky(depth - 1, number) + int(keeps_busy.size());
}

int main() {
    std::vector<std::exception_ptr> errors(3);
    std::vector<std::thread> threads;
    for (int i = 0; i < 3; ++i)
        threads.emplace_back([&errors, i] {
            try {
                risky(i + 1, i * 11);
            } catch (...) {
                errors[i] = std::current_exception();
            }
        });
    for (auto& thread : threads) thread.join();
    int sum = 0;
    for (auto& error : errors) {
        for (int again = 0; again < 2; ++again) {
            try {
                std::rethrow_exception(error);
            } catch (const Numbered& numbered) {
                sum += numbered.number;
                if (again == 0) std::printf("%s\n", numbered.what());
            }
        }
    }
    std::printf("sum %d none left %d\n", sum, std::current_exception() == nullptr);
    std::exception_ptr made = std::make_exception_ptr(std::string("made"));
    std::thread([made] {
        try {
            std::rethrow_exception(made);
        } catch (const std::string& text) {
            std::printf("%s in a thread\n", text.c_str());
        }
    }).join();
}
