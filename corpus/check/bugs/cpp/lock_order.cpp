// selvedge: check
// expect: violation deadlock
// selvedge: check --cflags=-DFIXED
// expect: verified
//
// Two warehouses exchange goods; each transport locks the place where it starts first.

#include <cassert>
#include <functional>
#include <mutex>
#include <thread>
#include <utility>

struct Warehouse {
    std::mutex mutex;
    int crates = 10;
};

static void transport(Warehouse &from, Warehouse &to, int crates) {
    std::mutex *first = &from.mutex, *second = &to.mutex;
#ifdef FIXED
    if (std::less<>()(second, first))
        std::swap(first, second);
#endif
    std::lock_guard<std::mutex> one(*first);
    std::lock_guard<std::mutex> other(*second);
    from.crates -= crates;
    to.crates += crates;
}

int main() {
    Warehouse north, south;
    std::thread truck([&] { transport(north, south, 4); });
    std::thread train([&] { transport(south, north, 1); });
    truck.join();
    train.join();
    assert(north.crates == 7 && south.crates == 13);
}
