// selvedge: check
// expect: verified
// Two accounts, both of which are locked for a transfer, whatever the order.
#include <cassert>
#include <mutex>
#include <thread>

struct Account {
  std::mutex mutex;
  int balance = 10;
} one, other;

void transfer(Account &from, Account &to) {
  std::scoped_lock both(from.mutex, to.mutex);
  from.balance--;
  to.balance++;
}

int main() {
  std::thread a([] { transfer(one, other); }), b([] { transfer(other, one); });
  a.join();
  b.join();
  assert(one.balance == 10 && other.balance == 10);
}
