// A bank with two accounts and two tellers, who move money at the same time.
//
// Each account has a lock, and every access to a balance holds it. That is not enough: a teller reads a balance,
// lets go of the lock, and writes the new balance later. If the other teller moves money in between, one of
// the two transfers is lost, and the books do not agree.

#include <assert.h>
#include <pthread.h>
#include <stdio.h>

struct account {
  pthread_mutex_t lock;
  int balance;
};

static struct account checking = {PTHREAD_MUTEX_INITIALIZER, 100};
static struct account savings = {PTHREAD_MUTEX_INITIALIZER, 100};

static int balance_of(struct account *account) {
  pthread_mutex_lock(&account->lock);
  int balance = account->balance;
  pthread_mutex_unlock(&account->lock);
  return balance;
}

static void set_balance(struct account *account, int balance) {
  pthread_mutex_lock(&account->lock);
  account->balance = balance;
  pthread_mutex_unlock(&account->lock);
}

static void transfer(struct account *from, struct account *to, int amount) {
  set_balance(from, balance_of(from) - amount);
  set_balance(to, balance_of(to) + amount);
}

static void *first_teller(void *unused) {
  transfer(&checking, &savings, 30);
  return unused;
}

static void *second_teller(void *unused) {
  transfer(&savings, &checking, 20);
  return unused;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, NULL, first_teller, NULL);
  pthread_create(&second, NULL, second_teller, NULL);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  printf("checking %d, savings %d\n", checking.balance, savings.balance);
  assert(checking.balance + savings.balance == 200);
  return 0;
}
