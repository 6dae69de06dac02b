// selvedge: check
// expect: violation data-race
// selvedge: check --cflags=-DFIXED
// expect: verified
//
// Other streams have no lock: two threads may not write to one of them.
#include <mutex>
#include <sstream>
#include <thread>

int main() {
    std::ostringstream text;
    std::mutex lock;
    auto write = [&](int number) {
#ifdef FIXED
        std::lock_guard<std::mutex> guard(lock);
#endif
        text << number;
    };
    std::thread other(write, 1);
    write(2);
    other.join();
    return text.str().size() == 2 ? 0 : 1;
}
