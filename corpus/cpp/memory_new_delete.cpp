// selvedge: run
// cflags: -std=c++20
// expect: exit 0
// native: same
// stdout: 5 2 -1 alive 5
// stdout: alive 0
// stdout: 7 8 alive 2
// stdout: aligned 0 128
// stdout: aligned 0
// stdout: refused 1
// stdout: pool 1 3 1
// stdout: pool 0
// stdout: third constructor threw 3, alive 0
// stdout: 9 alive 0
// stdout: alive -3

// new and delete in every form: arrays, placement, aligned, nothrow, class-specific, and what they construct.

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <memory>
#include <new>
#include <utility>

static int alive = 0;

struct Item {
    int value;
    Item(int v = -1) : value(v) { ++alive; }
    ~Item() { --alive; }
};

struct alignas(64) Wide {
    char bytes[100];
};

struct Pooled {
    int payload = 3;
    alignas(8) static inline char pool[64];
    static inline int used = 0;
    static void* operator new(std::size_t size) {
        ++used;
        return pool + std::exchange(offset, offset + size);
    }
    static void operator delete(void*) { --used; }
    static inline std::size_t offset = 0;
};

struct ThrowsThird {
    static inline int count = 0;
    ThrowsThird() {
        if (++count == 3) throw count;
        ++alive;
    }
    ~ThrowsThird() { --alive; }
};

int main() {
    Item* one = new Item(5);
    Item* many = new Item[4]{1, 2, 3};
    std::printf("%d %d %d alive %d\n", one->value, many[1].value, many[3].value, alive);
    delete one;
    delete[] many;
    std::printf("alive %d\n", alive);

    alignas(Item) unsigned char storage[2 * sizeof(Item)];
    Item* placed = new (storage) Item(7);
    Item* second = std::construct_at(placed + 1, 8);
    std::printf("%d %d alive %d\n", std::launder(placed)->value, second->value, alive);
    placed->~Item();
    std::destroy_at(second);

    Wide* wide = new Wide[2];
    std::printf("aligned %d %zu\n", int(reinterpret_cast<std::uintptr_t>(wide) % 64), sizeof(Wide));
    std::memset(wide, 1, 2 * sizeof(Wide));
    delete[] wide;
    void* raw = ::operator new(48, std::align_val_t(256));
    std::printf("aligned %d\n", int(reinterpret_cast<std::uintptr_t>(raw) % 256));
    ::operator delete(raw, std::align_val_t(256));
    volatile std::size_t huge = ~std::size_t(0) / 8;
    char* refused = new (std::nothrow) char[huge];
    std::printf("refused %d\n", refused == nullptr);

    Pooled* pooled = new Pooled;
    std::printf("pool %d %d %d\n", Pooled::used, pooled->payload, reinterpret_cast<char*>(pooled) == Pooled::pool);
    delete pooled;
    std::printf("pool %d\n", Pooled::used);
    try {
        delete[] new ThrowsThird[5];
    } catch (int count) {
        std::printf("third constructor threw %d, alive %d\n", count, alive);
    }
    auto allocator = std::allocator<Item>();
    Item* block = allocator.allocate(3);
    std::uninitialized_fill_n(block, 3, Item(9));
    std::printf("%d alive %d\n", block[2].value, alive);
    std::destroy_n(block, 3);
    allocator.deallocate(block, 3);
    std::printf("alive %d\n", alive);
}
