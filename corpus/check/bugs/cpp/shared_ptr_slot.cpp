// selvedge: check
// expect: violation data-race
// selvedge: check --cflags=-DFIXED
// expect: verified
//
// The current configuration is a std::shared_ptr that one thread replaces while another copies it. The counts are
// safe, the pointer itself is not.

#include <cassert>
#include <memory>
#include <mutex>
#include <thread>

struct Configuration {
    int version;
};

class Slot {
public:
    std::shared_ptr<Configuration> get() {
#ifdef FIXED
        std::lock_guard<std::mutex> lock(mutex);
#endif
        return current;
    }

    void set(std::shared_ptr<Configuration> fresh) {
#ifdef FIXED
        std::lock_guard<std::mutex> lock(mutex);
#endif
        current = std::move(fresh);
    }

private:
#ifdef FIXED
    std::mutex mutex;
#endif
    std::shared_ptr<Configuration> current = std::make_shared<Configuration>(Configuration{1});
};

int main() {
    Slot slot;
    std::thread reload([&] { slot.set(std::make_shared<Configuration>(Configuration{2})); });
    int version = slot.get()->version;
    assert(version == 1 || version == 2);
    reload.join();
}
