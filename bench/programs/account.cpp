// selvedge: check --cflags=-DN=1
// expect: verified
// selvedge: check --cflags="-DN=1 -DBUG"
// expect: violation assertion
//
// N threads pay in, N pay out, and one audits, all under one lock.
// BUG: the balance is changed and counted under the lock, but not at once.
#include <cassert>
#include <mutex>
#include <thread>
#include <vector>

#ifndef N
#define N 4
#endif

class Account {
    std::mutex mutex;
    int balance = 100, deposits = 0, withdrawals = 0;

public:
    void pay_in() {
        std::unique_lock guard(mutex);
        balance += 10;
#ifdef BUG
        guard.unlock();
        guard.lock();
#endif
        deposits++;
    }

    void pay_out() {
        std::lock_guard guard(mutex);
        balance -= 5;
        withdrawals++;
    }

    bool adds_up() {
        std::lock_guard guard(mutex);
        return balance == 100 + 10 * deposits - 5 * withdrawals;
    }
};

int main() {
    Account account;
    std::vector<std::thread> threads;
    for (int i = 0; i < N; i++)
        threads.emplace_back(&Account::pay_in, &account);
    for (int i = 0; i < N; i++)
        threads.emplace_back(&Account::pay_out, &account);
    threads.emplace_back([&] { assert(account.adds_up()); });
    for (std::thread &thread : threads)
        thread.join();
}
