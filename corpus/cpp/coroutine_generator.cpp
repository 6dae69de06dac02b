// selvedge: run
// cflags: -std=c++20
// expect: exit 0
// native: same

// A generator and a lazily started task made of coroutines; exceptions cross the suspension point.

#include <coroutine>
#include <cstdio>
#include <exception>
#include <stdexcept>
#include <utility>

template <typename T>
class Generator {
  public:
    struct promise_type {
        T current{};
        std::exception_ptr error;
        Generator get_return_object() { return Generator(std::coroutine_handle<promise_type>::from_promise(*this)); }
        std::suspend_always initial_suspend() { return {}; }
        std::suspend_always final_suspend() noexcept { return {}; }
        std::suspend_always yield_value(T value) {
            current = value;
            return {};
        }
        void return_void() {}
        void unhandled_exception() { error = std::current_exception(); }
    };

    explicit Generator(std::coroutine_handle<promise_type> handle) : handle_(handle) {}
    Generator(Generator&& other) noexcept : handle_(std::exchange(other.handle_, {})) {}
    ~Generator() {
        if (handle_) handle_.destroy();
    }

    bool next() {
        handle_.resume();
        if (handle_.promise().error) std::rethrow_exception(handle_.promise().error);
        return !handle_.done();
    }
    T value() const { return handle_.promise().current; }

  private:
    std::coroutine_handle<promise_type> handle_;
};

struct Noise {
    ~Noise() { std::printf("frame gone\n"); }
};

static Generator<int> fibonacci(int limit) {
    Noise noise;
    int a = 0, b = 1;
    while (a < limit) {
        co_yield a;
        b = std::exchange(a, b) + b;
    }
}

static Generator<int> failing() {
    co_yield 1;
    throw std::runtime_error("in the coroutine");
}

int main() {
    auto numbers = fibonacci(50);
    while (numbers.next()) std::printf("%d ", numbers.value());
    std::printf("\n");
    {
        auto abandoned = fibonacci(1000);
        abandoned.next();
    }
    auto bad = failing();
    try {
        while (bad.next()) std::printf("got %d\n", bad.value());
    } catch (const std::exception& error) {
        std::printf("caught %s\n", error.what());
    }
}
