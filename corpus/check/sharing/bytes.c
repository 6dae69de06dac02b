// selvedge: check --cflags -DPACKED
// expect: violation assertion
// selvedge: check --cflags -DPACKED --model sc --strategy states
// expect: violation assertion
// selvedge: check --cflags -DPACKED_HEAP
// expect: violation assertion
// selvedge: check --cflags -DPACKED_HEAP --model tso --strategy auto
// expect: violation assertion
// selvedge: check --cflags -DODD_MEMCPY
// expect: violation assertion
// selvedge: check --cflags -DODD_MEMCPY --model pso --strategy auto
// expect: violation assertion
// selvedge: check --cflags -DODD_MEMCPY_LOCAL
// expect: violation assertion
// selvedge: check --cflags -DODD_MEMCPY_LOCAL --model sc --strategy optimal
// expect: violation assertion
// selvedge: check --cflags -DMEMMOVE_SHIFT
// expect: violation assertion
// selvedge: check --cflags -DMEMMOVE_SHIFT --model tso --strategy states
// expect: violation assertion
// selvedge: check --cflags -DCHARLOOP
// expect: violation assertion
// selvedge: check --cflags -DCHARLOOP --model sc --strategy states
// expect: violation assertion
// selvedge: check --cflags -DCHARLOOP_LOCAL
// expect: violation assertion
// selvedge: check --cflags -DCHARLOOP_LOCAL --model tso --strategy auto
// expect: violation assertion
// selvedge: check --cflags -DHALVES_UNION
// expect: violation assertion
// selvedge: check --cflags -DHALVES_UNION --model pso --strategy auto
// expect: violation assertion
// selvedge: check --cflags -DDOUBLE_BITS
// expect: violation assertion
// selvedge: check --cflags -DDOUBLE_BITS --model sc --strategy optimal
// expect: violation assertion
// selvedge: check --cflags -DDOUBLE_MEMCPY
// expect: violation assertion
// selvedge: check --cflags -DDOUBLE_MEMCPY --model tso --strategy states
// expect: violation assertion
// selvedge: check --cflags -DFLOAT_HALVES
// expect: violation assertion
// selvedge: check --cflags -DFLOAT_HALVES --model sc --strategy states
// expect: violation assertion
// selvedge: check --cflags -DBYVALUE
// expect: violation assertion
// selvedge: check --cflags -DBYVALUE --model tso --strategy auto
// expect: violation assertion
// selvedge: check --cflags -DNESTED
// expect: violation assertion
// selvedge: check --cflags -DNESTED --model pso --strategy auto
// expect: violation assertion
// selvedge: check --cflags -DPAGECROSS
// expect: violation assertion
// selvedge: check --cflags -DPAGECROSS --model sc --strategy optimal
// expect: violation assertion
// selvedge: check --cflags -DREALLOC
// expect: violation assertion
// selvedge: check --cflags -DREALLOC --model tso --strategy states
// expect: violation assertion
// selvedge: check --cflags -DQSORT_PACKED
// expect: violation assertion
// selvedge: check --cflags -DQSORT_PACKED --model sc --strategy states
// expect: violation assertion
// selvedge: check --cflags -DQSORT_PACKED_LOCAL
// expect: violation assertion
// selvedge: check --cflags -DQSORT_PACKED_LOCAL --model tso --strategy auto
// expect: violation assertion
// selvedge: check --cflags -DTLS_COPY
// expect: violation assertion
// selvedge: check --cflags -DTLS_COPY --model pso --strategy auto
// expect: violation assertion
// selvedge: check --cflags -DSETSPECIFIC
// expect: violation assertion
// selvedge: check --cflags -DSETSPECIFIC --model sc --strategy optimal
// expect: violation assertion
// selvedge: check --cflags -DSETJMP
// expect: violation assertion
// selvedge: check --cflags -DSETJMP --model tso --strategy states
// expect: violation assertion
// selvedge: check --cflags -DVA
// expect: violation assertion
// selvedge: check --cflags -DVA --model sc --strategy states
// expect: violation assertion
// selvedge: check --cflags -DCONTAINER
// expect: violation assertion
// selvedge: check --cflags -DCONTAINER --model tso --strategy auto
// expect: violation assertion
// selvedge: check --cflags -DTAG_U16
// expect: violation assertion
// selvedge: check --cflags -DTAG_U16 --model pso --strategy auto
// expect: violation assertion
// selvedge: check --cflags -DTAG_CHAR_PTR
// expect: violation assertion
// selvedge: check --cflags -DTAG_CHAR_PTR --model sc --strategy optimal
// expect: violation assertion
// selvedge: check --cflags -DTAG_MEMSET
// expect: violation assertion
// selvedge: check --cflags -DTAG_MEMSET --model tso --strategy states
// expect: violation assertion
// An address reaches the other thread byte by byte, in a part, or at an odd place in memory. An update is lost if its accesses are no steps.
#include <assert.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#if defined PACKED
struct __attribute__((packed)) M{char k; atomic_int*p;};
static struct M g;
static atomic_int *give(atomic_int *n) {
  g.k = 1;
  g.p = n;
  return n;
}
static atomic_int *get(void) {
  return g.p;
}

#elif defined PACKED_HEAP
struct __attribute__((packed)) M{char k; atomic_int*p;};
static struct M*g;
static atomic_int *give(atomic_int *n) {
  struct M*m = malloc(sizeof*m);
  m->p = n;
  g = m;
  return n;
}
static atomic_int *get(void) {
  return g->p;
}

#elif defined ODD_MEMCPY
static char g[32];
static atomic_int *give(atomic_int *n) {
  memcpy(g+3, &n, 8);
  return n;
}
static atomic_int *get(void) {
  atomic_int*q;
  memcpy(&q, g+3, 8);
  return q;
}

#elif defined ODD_MEMCPY_LOCAL
static char*g;
static atomic_int *give(atomic_int *n) {
  char*b = malloc(32);
  memcpy(b+5, &n, 8);
  g = b;
  return n;
}
static atomic_int *get(void) {
  atomic_int*q;
  memcpy(&q, g+5, 8);
  return q;
}

#elif defined MEMMOVE_SHIFT
static char g[32];
static atomic_int *give(atomic_int *n) {
  char b[32];
  memcpy(b, &n, 8);
  memmove(b+1, b, 8);
  memmove(g+2, b+1, 8);
  return n;
}
static atomic_int *get(void) {
  atomic_int*q;
  memcpy(&q, g+2, 8);
  return q;
}

#elif defined CHARLOOP
static char g[8];
static atomic_int *give(atomic_int *n) {
  char*s = (char*)&n;
  for (int i = 0; i<8; i++)g[i] = s[i];
  return n;
}
static atomic_int *get(void) {
  atomic_int*q;
  char*d = (char*)&q;
  for (int i = 0; i<8; i++)d[i] = g[i];
  return q;
}

#elif defined CHARLOOP_LOCAL
static char*g;
static atomic_int *give(atomic_int *n) {
  char*b = malloc(9);
  char*s = (char*)&n;
  for (int i = 0; i<8; i++)b[i+1] = s[i];
  g = b;
  return n;
}
static atomic_int *get(void) {
  atomic_int*q;
  char*d = (char*)&q;
  for (int i = 0; i<8; i++)d[i] = g[i+1];
  return q;
}

#elif defined HALVES_UNION
static uint32_t g[2];
static atomic_int *give(atomic_int *n) {
  union{atomic_int*p; uint32_t h[2];}u;
  u.p = n;
  g[0] = u.h[0];
  g[1] = u.h[1];
  return n;
}
static atomic_int *get(void) {
  union{atomic_int*p; uint32_t h[2];}u;
  u.h[0] = g[0];
  u.h[1] = g[1];
  return u.p;
}

#elif defined DOUBLE_BITS
static double g;
static atomic_int *give(atomic_int *n) {
  union{atomic_int*p; double d;}u;
  u.p = n;
  g = u.d;
  return n;
}
static atomic_int *get(void) {
  union{atomic_int*p; double d;}u;
  u.d = g;
  return u.p;
}

#elif defined DOUBLE_MEMCPY
static double g;
static atomic_int *give(atomic_int *n) {
  double d;
  memcpy(&d, &n, 8);
  g = d;
  return n;
}
static atomic_int *get(void) {
  double d = g;
  atomic_int*q;
  memcpy(&q, &d, 8);
  return q;
}

#elif defined FLOAT_HALVES
static float g[2];
static atomic_int *give(atomic_int *n) {
  memcpy(g, &n, 8);
  return n;
}
static atomic_int *get(void) {
  atomic_int*q;
  memcpy(&q, g, 8);
  return q;
}

#elif defined BYVALUE
struct __attribute__((packed)) E{char k; atomic_int*p; char t[20];};
static struct E g;
static struct E mk(atomic_int*q) {struct E e; e.k = 1; e.p = q; memset(e.t, 0, 20); return e;}
static atomic_int *give(atomic_int *n) {
  g = mk(n);
  return n;
}
static atomic_int *get(void) {
  struct E e = g;
  return e.p;
}

#elif defined NESTED
struct __attribute__((packed)) A{char c; struct __attribute__((packed)) {char d; atomic_int*p;}i;};
static struct A*g;
static atomic_int *give(atomic_int *n) {
  struct A*a = calloc(1, sizeof*a);
  a->i.p = n;
  g = a;
  return n;
}
static atomic_int *get(void) {
  return g->i.p;
}

#elif defined PAGECROSS
static char*g;
static atomic_int *give(atomic_int *n) {
  char*b = malloc(3000);
  memcpy(b+1021-((uintptr_t)b&1023), &n, 8);
  g = b;
  return n;
}
static atomic_int *get(void) {
  atomic_int*q;
  memcpy(&q, g+1021-((uintptr_t)g&1023), 8);
  return q;
}

#elif defined REALLOC
static char*g;
static atomic_int *give(atomic_int *n) {
  char*b = malloc(20);
  memcpy(b+3, &n, 8);
  b = realloc(b, 2000);
  g = b;
  return n;
}
static atomic_int *get(void) {
  atomic_int*q;
  memcpy(&q, g+3, 8);
  return q;
}

#elif defined QSORT_PACKED
struct __attribute__((packed)) E{char k; atomic_int*p;};
static struct E g[3];
static int cmp(const void*a, const void*b) {return ((struct E*)a)->k-((struct E*)b)->k;}
static atomic_int *give(atomic_int *n) {
  for (int i = 0; i<3; i++) {g[i].k = 3-i; g[i].p = n;}qsort(g, 3, sizeof*g, cmp);
  return n;
}
static atomic_int *get(void) {
  return g[1].p;
}

#elif defined QSORT_PACKED_LOCAL
struct __attribute__((packed)) E{char k; atomic_int*p;};
static struct E*g;
static int cmp(const void*a, const void*b) {return ((struct E*)a)->k-((struct E*)b)->k;}
static atomic_int *give(atomic_int *n) {
  struct E*e = malloc(3*sizeof*e);
  for (int i = 0; i<3; i++) {e[i].k = 3-i; e[i].p = n;}qsort(e, 3, sizeof*e, cmp);
  g = e;
  return n;
}
static atomic_int *get(void) {
  return g[1].p;
}

#elif defined TLS_COPY
static _Thread_local char tl[16];
static char*g;
static atomic_int *give(atomic_int *n) {
  memcpy(tl+1, &n, 8);
  g = tl;
  return n;
}
static atomic_int *get(void) {
  atomic_int*q;
  memcpy(&q, g+1, 8);
  return q;
}

#elif defined SETSPECIFIC
static char*g;
static pthread_key_t k;
static atomic_int *give(atomic_int *n) {
  pthread_key_create(&k, 0);
  char*b = malloc(16);
  memcpy(b+1, &n, 8);
  pthread_setspecific(k, b);
  g = pthread_getspecific(k);
  return n;
}
static atomic_int *get(void) {
  atomic_int*q;
  memcpy(&q, g+1, 8);
  return q;
}

#elif defined SETJMP
static char g[16];
static jmp_buf j;
static atomic_int *give(atomic_int *n) {
  atomic_int*volatile q = n;
  if (!setjmp(j))longjmp(j, 1);
  atomic_int*r = q;
  memcpy(g+1, &r, 8);
  return n;
}
static atomic_int *get(void) {
  atomic_int*q;
  memcpy(&q, g+1, 8);
  return q;
}

#elif defined VA
static char g[64];
static void put(int k, ...) {va_list l; va_start(l, k); for (int i = 0; i<k; i++) {atomic_int*q = va_arg(l, atomic_int*); memcpy(g+1+8*i, &q, 8);}va_end(l);}
static atomic_int *give(atomic_int *n) {
  put(2, n, n);
  return n;
}
static atomic_int *get(void) {
  atomic_int*q;
  memcpy(&q, g+9, 8);
  return q;
}

#elif defined CONTAINER
struct C{long a; atomic_int v;};
static char g[16];
static atomic_int *give(atomic_int *n) {
  struct C*c = malloc(sizeof*c);
  free(n);
  n = &c->v;
  atomic_init(n, 0);
  long*q = &c->a;
  memcpy(g+3, &q, 8);
  return n;
}
static atomic_int *get(void) {
  char*q;
  memcpy(&q, g+3, 8);
  return &((struct C*)q)->v;
}

#elif defined TAG_U16
static uintptr_t g;
static atomic_int *give(atomic_int *n) {
  union{uintptr_t v; uint16_t t[4];}c;
  c.v = (uintptr_t)n;
  c.t[3] = 7;
  g = c.v;
  return n;
}
static atomic_int *get(void) {
  return (atomic_int*)(g&0xffffffffffffUL);
}

#elif defined TAG_CHAR_PTR
static uintptr_t g;
static atomic_int *give(atomic_int *n) {
  uintptr_t v;
  memcpy(&v, &n, 8);
  ((char*)&v)[7] = 3;
  g = v;
  return n;
}
static atomic_int *get(void) {
  return (atomic_int*)(g&0xffffffffffffffUL);
}

#elif defined TAG_MEMSET
static char g[8];
static atomic_int *give(atomic_int *n) {
  char v[8];
  memcpy(v, &n, 8);
  memset(v+6, 0x11, 2);
  memcpy(g, v, 8);
  return n;
}
static atomic_int *get(void) {
  uintptr_t q;
  memcpy(&q, g, 8);
  return (atomic_int*)(q&0xffffffffffffUL);
}
#endif

static void increment(atomic_int *n) {
  int v = atomic_load(n);
  atomic_store(n, v + 1);
}
static void *thread(void *unused) {
  increment(get());
  return unused;
}
int main(void) {
  atomic_int *n = malloc(64);
  atomic_init(n, 0);
  n = give(n);
  pthread_t other;
  pthread_create(&other, 0, thread, 0);
  increment(n);
  pthread_join(other, 0);
  assert(atomic_load(n) == 2);
}
