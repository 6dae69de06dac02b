// selvedge: check --model sc
// expect: verified
// selvedge: check --cflags=-DINSERTED
// expect: violation termination
//
// Two transfers in opposite directions take both locks with std::scoped_lock, which tries until it gets both. It gets them
// some day, so that is no endless loop; waiting with both locks held for something that needs one of them is.
#include <atomic>
#include <mutex>
#include <thread>

struct Account {
    std::mutex lock;
    int balance = 10;
};

static std::atomic<bool> moved{false};

static void transfer(Account &from, Account &to, int amount) {
    std::scoped_lock both(from.lock, to.lock);
    from.balance -= amount;
    to.balance += amount;
#ifdef INSERTED
    if (amount == 3)
        while (!moved)
            std::this_thread::yield();
    moved = true;
#endif
}

int main() {
    Account savings, current;
    std::thread first([&] { transfer(savings, current, 3); });
    std::thread second([&] { transfer(current, savings, 4); });
    first.join();
    second.join();
    if (savings.balance + current.balance != 20)
        __builtin_trap();
}
