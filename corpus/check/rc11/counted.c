// selvedge: check --model rc11 --strategy optimal --cflags '-DDOES=add(x) -DN=4'
// expect: verified executions 24
// selvedge: check --model rc11 --strategy optimal --cflags '-DDOES=add(x) -DN=6'
// expect: verified executions 720
// selvedge: check --model rc11 --strategy optimal --cflags '-DDOES=add(x);add(y) -DN=3'
// expect: verified executions 36
// selvedge: check --model rc11 --strategy optimal --cflags '-DDOES=add(x);add(y);add(z) -DN=3'
// expect: verified executions 216
// selvedge: check --model rc11 --strategy optimal --cflags '-DDOES=add(x) -DMAIN=set(x,42) -DN=4'
// expect: verified executions 120
// selvedge: check --model rc11 --strategy optimal --cflags '-DDOES=exchange(me-1,me) -DN=6'
// expect: verified executions 144
// selvedge: check --model rc11 --strategy optimal --cflags '-DDOES=exchange(0,me) -DN=5'
// expect: verified executions 5
// selvedge: check --model rc11 --strategy optimal --cflags '-DDOES=exchange(2,3) -DMAIN=set(x,2) -DN=6'
// expect: verified executions 193
// selvedge: check --model rc11 --strategy optimal --cflags '-DDOES=exchange(0,1);set(x,me+3) -DN=3'
// expect: verified executions 66
// selvedge: check --model rc11 --strategy optimal --cflags '-DDOES=get(x);set(x,me) -DN=3'
// expect: verified executions 36
// selvedge: check --model rc11 --strategy optimal --cflags '-DDOES=set(x,(get(x)+(1<<me))) -DN=3'
// expect: verified executions 36
// selvedge: check --model rc11 --strategy optimal --cflags '-DDOES=get(x) -DMAIN=set(x,42) -DN=8'
// expect: verified executions 256
// selvedge: check --model rc11 --strategy optimal --cflags '-DDOES=set(x,me) -DMAIN=get(x) -DN=5'
// expect: verified executions 720
// selvedge: check --model rc11 --strategy optimal --cflags '-DDOES=get(x);set(x,me) -DMAIN=set(x,9) -DN=2'
// expect: verified executions 22
// selvedge: check --model rc11 --strategy optimal --cflags '-DDOES=lock();set(x,get(x)+1);unlock() -DN=4'
// expect: verified executions 24
// selvedge: check --model rc11 --strategy optimal --cflags '-DDOES=last(me) -DN=6'
// expect: verified executions 64
// selvedge: check --model rc11 --strategy optimal --cflags '-DDOES=index(me) -DN=12'
// expect: verified executions 8
// selvedge: check --model rc11 --strategy states --cflags '-DDOES=add(x) -DN=5'
// expect: verified executions 1
// selvedge: check --model rc11 --strategy states --cflags '-DDOES=set(x,me) -DMAIN=get(x) -DN=4'
// expect: verified executions 20
//
// Programs of which the number of execution graphs is public: GenMC's tests give these for its exploration with
// modification orders under RC11. N threads do something each, and main does something beside them. Of states in which
// nobody can go on there are fewer.
#include <pthread.h>
#include <stdatomic.h>
#ifndef MAIN
#define MAIN
#endif

atomic_int x, y, z, array[128];
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

#define add(to) atomic_fetch_add_explicit(&to, 1, memory_order_relaxed)
#define set(to, value) atomic_store_explicit(&to, value, memory_order_release)
#define get(from) atomic_load_explicit(&from, memory_order_relaxed)
#define lock() pthread_mutex_lock(&mutex)
#define unlock() pthread_mutex_unlock(&mutex)

int exchange(int from, int to) {
  return atomic_compare_exchange_strong_explicit(&x, &from, to, memory_order_relaxed, memory_order_relaxed);
}

// The first looks for the last zero, and each of the others makes its own number one more than its neighbour's.
void last(int me) {
  if (me == 1) {
    for (int i = N - 1; atomic_load_explicit(&array[i], memory_order_acquire) != 0; i--)
      ;
    return;
  }
  atomic_store_explicit(&array[me - 1], atomic_load_explicit(&array[me - 2], memory_order_acquire) + 1,
                        memory_order_release);
}

// Each puts four numbers into a table.
void index(int me) {
  for (int i = 0; i < 4; i++) {
    int number = i * 11 + me - 1, empty = 0;
    for (int at = number * 7 % 128; !atomic_compare_exchange_strong_explicit(
             &array[at], &empty, number, memory_order_relaxed, memory_order_relaxed);
         at = (at + 1) % 128)
      empty = 0;
  }
}

void *thread(void *number) {
  int me = (int)(long)number;
  (void)me;
  DOES;
  return 0;
}

int main(void) {
  pthread_t threads[N];
  for (long i = 0; i < N; i++)
    pthread_create(&threads[i], 0, thread, (void *)(i + 1));
  MAIN;
  for (int i = 0; i < N; i++)
    pthread_join(threads[i], 0);
}
