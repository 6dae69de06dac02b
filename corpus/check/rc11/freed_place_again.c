// selvedge: check --model rc11 --strategy optimal --keep-going
// expect: violation memory
// selvedge: check --model rc11 --keep-going
// expect: violation memory
//
// A pointer to what was freed is read from an older store, while another object lies at its place: the replay must see what the
// search has seen.
#include <pthread.h>
#include <stdlib.h>
struct box { int a, d; };
static struct box *k0;
static void *t2(void *x) {
  struct box *p = malloc(sizeof *p);
  __atomic_store_n(&k0, p, __ATOMIC_SEQ_CST);
  free(p);
  p = malloc(sizeof *p);
  __atomic_store_n(&k0, p, __ATOMIC_RELAXED);
  return 0;
}
int main() {
  pthread_t b; pthread_create(&b, 0, t2, 0);
  struct box *p = __atomic_load_n(&k0, __ATOMIC_SEQ_CST); if (p) __atomic_fetch_add(&p->a, 1, __ATOMIC_SEQ_CST);
  pthread_join(b, 0);
}
