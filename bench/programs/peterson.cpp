// selvedge: check --cflags=-DN=2
// expect: verified
// selvedge: check --cflags="-DN=1 -DBUG"
// expect: violation assertion
//
// Peterson's algorithm, N rounds; a thread that would have to wait gives up.
// BUG: the turn is given away before the flag is raised.
#include <array>
#include <atomic>
#include <cassert>
#include <thread>

#ifndef N
#define N 100
#endif

class Door {
    std::array<std::atomic<bool>, 2> wants{};
    std::atomic<int> turn{0};

public:
    bool enter(int me) {
        int other = 1 - me;
#ifdef BUG
        turn = other;
        wants[me] = true;
#else
        wants[me] = true;
        turn = other;
#endif
        bool contended = wants[other], waits = turn == other;
        return !(contended && waits);
    }

    void leave(int me) {
        wants[me] = false;
    }
};

int main() {
    Door door;
    std::atomic<int> inside{0};
    auto work = [&](int me) {
        for (int i = 0; i < N && door.enter(me); i++) {
            inside = me + 1;
            assert(inside == me + 1);
            door.leave(me);
        }
    };
    std::thread first(work, 0), second(work, 1);
    first.join();
    second.join();
}
