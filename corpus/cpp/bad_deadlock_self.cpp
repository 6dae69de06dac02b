// selvedge: run
// cflags: -std=c++20
// expect: violation deadlock

// A plain mutex is locked again by its owner through a second function.

#include <cstdio>
#include <mutex>

class Account {
  public:
    void deposit(int amount) {
        std::lock_guard lock(mutex_);
        balance_ += amount;
        std::printf("balance %d\n", balance());
    }
    int balance() {
        std::lock_guard lock(mutex_);
        return balance_;
    }

  private:
    std::mutex mutex_;
    int balance_ = 0;
};

int main() {
    Account account;
    std::printf("balance %d\n", account.balance());
    account.deposit(5);
}
