// selvedge: run
// cflags: -std=c++20
// expect: exit 0
// native: same
// stdout: int8 77 lock free 1
// stdout: uint8 77 lock free 1
// stdout: int16 77 lock free 1
// stdout: uint16 77 lock free 1
// stdout: int32 77 lock free 1
// stdout: uint32 77 lock free 1
// stdout: int64 77 lock free 1
// stdout: uint64 77 lock free 1
// stdout: bool 0 1
// stdout: enum 2
// stdout: pointer 3 2
// stdout: double 1.50 1.75
// stdout: pair 1 2 -> 3 4

// Every integer width, every fetch operation and order, pointers, enums, floats and small structs.

#include <atomic>
#include <cassert>
#include <cstdint>
#include <cstdio>

template <typename T>
static void exercise(const char* name) {
    std::atomic<T> cell{T(10)};
    assert(cell.fetch_add(T(5), std::memory_order_relaxed) == T(10));
    assert(cell.fetch_sub(T(1), std::memory_order_acq_rel) == T(15));
    assert(cell.fetch_and(T(12), std::memory_order_acquire) == T(14));
    assert(cell.fetch_or(T(3), std::memory_order_release) == T(12));
    assert(cell.fetch_xor(T(10), std::memory_order_seq_cst) == T(15));
    assert(cell.exchange(T(-1)) == T(5));
    assert(++cell == T(0) && cell++ == T(0) && --cell == T(0) && cell-- == T(0));
    assert((cell += T(3)) == T(2) && (cell -= T(1)) == T(1) && (cell |= T(6)) == T(7));
    assert((cell &= T(5)) == T(5) && (cell ^= T(1)) == T(4));
    T expected = T(9);
    assert(!cell.compare_exchange_strong(expected, T(1)) && expected == T(4));
    assert(cell.compare_exchange_strong(expected, T(77), std::memory_order_acq_rel, std::memory_order_relaxed));
    std::printf("%s %lld lock free %d\n", name, (long long)cell.load(std::memory_order_acquire), cell.is_lock_free());
}

enum class Colour { red, green, blue };
struct Pair {
    std::uint16_t low, high;
};

int main() {
    exercise<std::int8_t>("int8");
    exercise<std::uint8_t>("uint8");
    exercise<std::int16_t>("int16");
    exercise<std::uint16_t>("uint16");
    exercise<std::int32_t>("int32");
    exercise<std::uint32_t>("uint32");
    exercise<std::int64_t>("int64");
    exercise<std::uint64_t>("uint64");

    std::atomic<bool> flag{false};
    bool was = flag.exchange(true);
    std::printf("bool %d %d\n", was, flag.load());
    std::atomic<Colour> colour{Colour::red};
    colour.store(Colour::blue);
    std::printf("enum %d\n", int(colour.load()));
    int array[4] = {1, 2, 3, 4};
    std::atomic<int*> pointer{array};
    pointer.fetch_add(2);
    int third = *pointer.load();
    std::printf("pointer %d %d\n", third, *--pointer);
    std::atomic<double> real{1.5};
    double old = real.fetch_add(0.25);
    std::printf("double %.2f %.2f\n", old, real.load());
    std::atomic<Pair> pair{Pair{1, 2}};
    Pair before = pair.exchange(Pair{3, 4});
    std::printf("pair %d %d -> %d %d\n", before.low, before.high, pair.load().low, pair.load().high);
}
