// The bank of bank.c, repaired: a teller holds the locks of both accounts while the money moves, and takes them in
// the same order as everybody else.

#include <assert.h>
#include <pthread.h>
#include <stdio.h>

struct account {
  pthread_mutex_t lock;
  int balance;
};

static struct account checking = {PTHREAD_MUTEX_INITIALIZER, 100};
static struct account savings = {PTHREAD_MUTEX_INITIALIZER, 100};

static void transfer(struct account *from, struct account *to, int amount) {
  pthread_mutex_lock(&checking.lock);
  pthread_mutex_lock(&savings.lock);
  from->balance -= amount;
  to->balance += amount;
  pthread_mutex_unlock(&savings.lock);
  pthread_mutex_unlock(&checking.lock);
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
