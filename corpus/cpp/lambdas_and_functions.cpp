// selvedge: run
// cflags: -std=c++20
// expect: exit 0
// native: same
// stdout: 11 101 2 5
// stdout: 610 -3
// stdout: 3.5 3.0
// stdout: 10 11 8
// stdout: 7
// stdout: empty function
// stdout: 6 3.5 479001600
// stdout: integer real text
// stdout: 1 2

// Lambdas with every capture, std::function, bind, member pointers, templates, concepts, fold expressions.

#include <concepts>
#include <cstdio>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <type_traits>

template <typename... Ts>
static auto sum(Ts... values) {
    return (values + ... + 0);
}

template <unsigned N>
struct Factorial {
    static constexpr unsigned long value = N * Factorial<N - 1>::value;
};
template <>
struct Factorial<0> {
    static constexpr unsigned long value = 1;
};

template <typename T>
concept Number = std::integral<T> || std::floating_point<T>;

template <Number T>
static const char* kind(T) {
    if constexpr (std::is_integral_v<T>) return "integer";
    else return "real";
}
static const char* kind(const char*) { return "text"; }

struct Gauge {
    int level;
    int raised(int by) const { return level + by; }
};

template <typename Derived>
struct Comparable {
    bool operator>(const Derived& other) const { return other < static_cast<const Derived&>(*this); }
};
struct Version : Comparable<Version> {
    int number;
    explicit Version(int n) : number(n) {}
    bool operator<(const Version& other) const { return number < other.number; }
};

static int apply_c(int (*function)(int), int x) { return function(x); }

int main() {
    int base = 10;
    auto by_value = [base](int x) { return base + x; };
    auto by_reference = [&base](int x) { return base += x; };
    auto counter = [n = 0]() mutable { return ++n; };
    auto owner = [p = std::make_unique<int>(5)] { return *p; };
    base = 100;
    counter();
    std::printf("%d %d %d %d\n", by_value(1), by_reference(1), counter(), owner());
    std::function<int(int)> fibonacci = [&](int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); };
    std::printf("%d %d\n", fibonacci(15), apply_c([](int x) { return -x; }, 3));
    std::map<std::string, std::function<double(double, double)>> table{
        {"plus", std::plus<>()}, {"times", [](double a, double b) { return a * b; }}};
    std::printf("%.1f %.1f\n", table["plus"](1.5, 2), table["times"](1.5, 2));
    Gauge gauge{7};
    int (Gauge::*method)(int) const = &Gauge::raised;
    int Gauge::*field = &Gauge::level;
    gauge.*field = 8;
    std::printf("%d %d %d\n", (gauge.*method)(2), std::invoke(&Gauge::raised, gauge, 3),
                std::mem_fn(&Gauge::level)(gauge));
    using namespace std::placeholders;
    auto subtract = std::bind(std::minus<int>(), _2, _1);
    std::printf("%d\n", subtract(3, 10));
    try {
        std::function<void()> empty;
        empty();
    } catch (const std::bad_function_call&) {
        std::printf("empty function\n");
    }
    std::printf("%d %.1f %lu\n", sum(1, 2, 3), sum(1.5, 2), Factorial<12>::value);
    std::printf("%s %s %s\n", kind(3), kind(2.5f), kind("x"));
    std::printf("%d %d\n", Version(3) > Version(2), []<typename T>(T x) { return int(sizeof(x)); }(short(1)));
}
