// selvedge: check
// expect: violation deadlock
// selvedge: check --cflags=-DFIXED
// expect: verified
//
// A barrier for several rounds that waits for its count to become zero. Somebody may arrive for the next round before
// all have left the last one.

#include <condition_variable>
#include <mutex>
#include <thread>

class Barrier {
public:
    explicit Barrier(int parties) : parties(parties) {}

    void arrive_and_wait() {
        std::unique_lock<std::mutex> lock(mutex);
        if (++arrived == parties) {
            arrived = 0;
            rounds++;
            complete.notify_all();
            return;
        }
#ifdef FIXED
        complete.wait(lock, [this, round = rounds] { return rounds != round; });
#else
        complete.wait(lock, [this] { return arrived == 0; });
#endif
    }

private:
    std::mutex mutex;
    std::condition_variable complete;
    int parties, arrived = 0, rounds = 0;
};

int main() {
    Barrier barrier(2);
    auto party = [&] {
        barrier.arrive_and_wait();
        barrier.arrive_and_wait();
    };
    std::thread first(party), second(party);
    first.join();
    second.join();
}
