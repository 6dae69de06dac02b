// selvedge: run
// cflags: -std=c++20
// expect: exit 0
// seeds: 5
// native: same
// stdout: left 91 right 59 transfers 6
// stdout: owns 0 0
// stdout: owns 1 1
// stdout: after move 0 1
// stdout: try 1
// stdout: try_lock both free -1

// lock_guard, unique_lock (deferred, adopted, released) and scoped_lock over several mutexes.

#include <cstdio>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

struct Account {
    std::mutex lock;
    int balance;
    explicit Account(int start) : balance(start) {}
};

static void transfer(Account& from, Account& to, int amount) {
    std::scoped_lock both(from.lock, to.lock);
    from.balance -= amount;
    to.balance += amount;
}

int main() {
    Account left(100), right(50);
    std::mutex counter_lock;
    int transfers = 0;
    std::vector<std::thread> threads;
    for (int i = 0; i < 2; ++i) {
        threads.emplace_back([&, i] {
            for (int n = 0; n < 3; ++n) {
                if (i == 0) transfer(left, right, 5);
                else transfer(right, left, 2);
                std::lock_guard<std::mutex> guard(counter_lock);
                ++transfers;
            }
        });
    }
    for (auto& t : threads) t.join();
    std::printf("left %d right %d transfers %d\n", left.balance, right.balance, transfers);

    std::unique_lock<std::mutex> a(left.lock, std::defer_lock), b(right.lock, std::defer_lock);
    std::printf("owns %d %d\n", a.owns_lock(), b.owns_lock());
    std::lock(a, b);
    std::printf("owns %d %d\n", a.owns_lock(), b.owns_lock());
    std::unique_lock<std::mutex> taken = std::move(a);
    std::printf("after move %d %d\n", a.owns_lock(), taken.owns_lock());
    std::unique_lock<std::mutex> probe(counter_lock, std::try_to_lock);
    std::printf("try %d\n", probe.owns_lock());
    probe.release()->unlock();
    std::printf("try_lock both free %d\n", (b.unlock(), taken.unlock(), std::try_lock(left.lock, right.lock)));
    std::lock_guard adopted_left(left.lock, std::adopt_lock);
    std::lock_guard adopted_right(right.lock, std::adopt_lock);
}
