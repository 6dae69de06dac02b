// selvedge: check
// expect: violation data-race
// selvedge: check --cflags=-DFIXED
// expect: verified
//
// A registry that is created on first use, guarded by double-checked locking on an ordinary pointer.

#include <cassert>
#include <mutex>
#include <thread>

struct Registry {
    int entries = 3;
};

static Registry storage;
#ifdef FIXED
static std::once_flag created;
static Registry *instance;

static Registry &registry() {
    std::call_once(created, [] { instance = &storage; });
    return *instance;
}
#else
static std::mutex creation;
static Registry *instance;

static Registry &registry() {
    if (!instance) {
        std::lock_guard<std::mutex> lock(creation);
        if (!instance)
            instance = &storage;
    }
    return *instance;
}
#endif

int main() {
    auto client = [] { assert(registry().entries == 3); };
    std::thread first(client), second(client);
    first.join();
    second.join();
}
