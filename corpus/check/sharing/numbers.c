// selvedge: check --cflags -DXOR
// expect: violation assertion
// selvedge: check --cflags -DXOR --model sc --strategy states
// expect: violation assertion
// selvedge: check --cflags -DXORLIST
// expect: violation assertion
// selvedge: check --cflags -DXORLIST --model tso --strategy auto
// expect: violation assertion
// selvedge: check --cflags -DHALVES
// expect: violation assertion
// selvedge: check --cflags -DHALVES --model pso --strategy auto
// expect: violation assertion
// selvedge: check --cflags -DRELATIVE
// expect: violation assertion
// selvedge: check --cflags -DRELATIVE --model sc --strategy optimal
// expect: violation assertion
// selvedge: check --cflags -DTAG_LOW
// expect: violation assertion
// selvedge: check --cflags -DTAG_LOW --model tso --strategy states
// expect: violation assertion
// selvedge: check --cflags -DTAG_HIGH
// expect: violation assertion
// selvedge: check --cflags -DTAG_HIGH --model sc --strategy states
// expect: violation assertion
// selvedge: check --cflags -DNEG
// expect: violation assertion
// selvedge: check --cflags -DNEG --model tso --strategy auto
// expect: violation assertion
// selvedge: check --cflags -DMUL
// expect: violation assertion
// selvedge: check --cflags -DMUL --model pso --strategy auto
// expect: violation assertion
// selvedge: check --cflags -DROT
// expect: violation assertion
// selvedge: check --cflags -DROT --model sc --strategy optimal
// expect: violation assertion
// selvedge: check --cflags -DINDEX
// expect: violation assertion
// selvedge: check --cflags -DINDEX --model tso --strategy states
// expect: violation assertion
// selvedge: check --cflags -DBITFIELD
// expect: violation assertion
// selvedge: check --cflags -DBITFIELD --model sc --strategy states
// expect: violation assertion
// selvedge: check --cflags -DBITFIELD_LOCAL
// expect: violation assertion
// selvedge: check --cflags -DBITFIELD_LOCAL --model tso --strategy auto
// expect: violation assertion
// selvedge: check --cflags -DINT128
// expect: violation assertion
// selvedge: check --cflags -DINT128 --model pso --strategy auto
// expect: violation assertion
// selvedge: check --cflags -DLONGDOUBLE
// expect: violation assertion
// selvedge: check --cflags -DLONGDOUBLE --model sc --strategy optimal
// expect: violation assertion
// selvedge: check --cflags -DDOUBLE_VAL
// expect: violation assertion
// selvedge: check --cflags -DDOUBLE_VAL --model tso --strategy states
// expect: violation assertion
// selvedge: check --cflags -DPTR_ARRAY_BYTES
// expect: violation assertion
// selvedge: check --cflags -DPTR_ARRAY_BYTES --model sc --strategy states
// expect: violation assertion
// selvedge: check --cflags -DCTZ
// expect: violation assertion
// selvedge: check --cflags -DCTZ --model tso --strategy auto
// expect: violation assertion
// selvedge: check --cflags -DBRANCH_BITS
// expect: violation assertion
// selvedge: check --cflags -DBRANCH_BITS --model pso --strategy auto
// expect: violation assertion
// selvedge: check --cflags -DCMP_SEARCH
// expect: violation assertion
// selvedge: check --cflags -DCMP_SEARCH --model sc --strategy optimal
// expect: violation assertion
// selvedge: check --cflags -DVA_INT
// expect: violation assertion
// selvedge: check --cflags -DVA_INT --model tso --strategy states
// expect: violation assertion
// selvedge: check --cflags -DSELECT
// expect: violation assertion
// selvedge: check --cflags -DSELECT --model sc --strategy states
// expect: violation assertion
// selvedge: check --cflags -DSWAP_BYTES
// expect: violation assertion
// selvedge: check --cflags -DSWAP_BYTES --model tso --strategy auto
// expect: violation assertion
// selvedge: check --cflags -DATOMIC_CHAR
// expect: violation assertion
// selvedge: check --cflags -DATOMIC_CHAR --model pso --strategy auto
// expect: violation assertion
// An address reaches the other thread as a number. An update is lost if its accesses are no steps.
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

#if defined XOR
static uintptr_t g;
static atomic_int *give(atomic_int *n) {
  g = (uintptr_t)n^0x5555;
  return n;
}
static atomic_int *get(void) {
  return (atomic_int*)(g^0x5555);
}

#elif defined XORLIST
struct N{uintptr_t link; atomic_int v;};
static struct N a, b;
static uintptr_t g;
static atomic_int *give(atomic_int *n) {
  a.link = (uintptr_t)n^(uintptr_t)&b;
  g = 1;
  return n;
}
static atomic_int *get(void) {
  return (atomic_int*)(a.link^(uintptr_t)&b);
}

#elif defined HALVES
static uint32_t lo, hi;
static atomic_int *give(atomic_int *n) {
  uintptr_t x = (uintptr_t)n;
  lo = (uint32_t)x;
  hi = x>>32;
  return n;
}
static atomic_int *get(void) {
  return (atomic_int*)((uintptr_t)hi<<32|lo);
}

#elif defined RELATIVE
static int64_t g;
static char base;
static atomic_int *give(atomic_int *n) {
  g = (intptr_t)n-(intptr_t)&base;
  return n;
}
static atomic_int *get(void) {
  return (atomic_int*)((intptr_t)&base+g);
}

#elif defined TAG_LOW
static uintptr_t g;
static atomic_int *give(atomic_int *n) {
  g = (uintptr_t)n|1;
  return n;
}
static atomic_int *get(void) {
  return (atomic_int*)(g&~1UL);
}

#elif defined TAG_HIGH
static uintptr_t g;
static atomic_int *give(atomic_int *n) {
  g = (uintptr_t)n|(0x7fUL<<56);
  return n;
}
static atomic_int *get(void) {
  return (atomic_int*)(g&0xffffffffffffffUL);
}

#elif defined NEG
static uintptr_t g;
static atomic_int *give(atomic_int *n) {
  g = ~(uintptr_t)n;
  return n;
}
static atomic_int *get(void) {
  return (atomic_int*)~g;
}

#elif defined MUL
static uintptr_t g;
static atomic_int *give(atomic_int *n) {
  g = (uintptr_t)n*3;
  return n;
}
static atomic_int *get(void) {
  return (atomic_int*)(g/3);
}

#elif defined ROT
static uintptr_t g;
static atomic_int *give(atomic_int *n) {
  uintptr_t x = (uintptr_t)n;
  g = x<<16|x>>48;
  return n;
}
static atomic_int *get(void) {
  return (atomic_int*)(g>>16|g<<48);
}

#elif defined INDEX
static long g;
static atomic_int *give(atomic_int *n) {
  g = ((char*)n-(char*)0x1000)/4;
  return n;
}
static atomic_int *get(void) {
  return (atomic_int*)((char*)0x1000+g*4);
}

#elif defined BITFIELD
struct B{uint64_t p:48; uint64_t t:16;};
static struct B g;
static atomic_int *give(atomic_int *n) {
  g.p = (uintptr_t)n;
  g.t = 9;
  return n;
}
static atomic_int *get(void) {
  return (atomic_int*)(uintptr_t)g.p;
}

#elif defined BITFIELD_LOCAL
struct B{uint64_t p:48; uint64_t t:16;};
static struct B g;
static atomic_int *give(atomic_int *n) {
  struct B b;
  b.p = (uintptr_t)n;
  b.t = 3;
  g = b;
  return n;
}
static atomic_int *get(void) {
  return (atomic_int*)(uintptr_t)g.p;
}

#elif defined INT128
static unsigned __int128 g;
static atomic_int *give(atomic_int *n) {
  g = (unsigned __int128)(uintptr_t)n<<64|5;
  return n;
}
static atomic_int *get(void) {
  return (atomic_int*)(uintptr_t)(g>>64);
}

#elif defined LONGDOUBLE
static long double g;
static atomic_int *give(atomic_int *n) {
  g = (long double)(uintptr_t)n;
  return n;
}
static atomic_int *get(void) {
  return (atomic_int*)(uintptr_t)g;
}

#elif defined DOUBLE_VAL
static double g;
static atomic_int *give(atomic_int *n) {
  g = (double)(uintptr_t)n;
  return n;
}
static atomic_int *get(void) {
  return (atomic_int*)(uintptr_t)g;
}

#elif defined PTR_ARRAY_BYTES
static unsigned char g[8];
static atomic_int *give(atomic_int *n) {
  uintptr_t x = (uintptr_t)n;
  for (int i = 0; i<8; i++)g[i] = x>>(8*i);
  return n;
}
static atomic_int *get(void) {
  uintptr_t x = 0;
  for (int i = 0; i<8; i++)x|=(uintptr_t)g[i]<<(8*i);
  return (atomic_int*)x;
}

#elif defined CTZ
static unsigned char g[64];
static atomic_int *give(atomic_int *n) {
  uintptr_t x = (uintptr_t)n;
  for (int i = 0; i<64; i++)g[i] = x>>i&1;
  return n;
}
static atomic_int *get(void) {
  uintptr_t x = 0;
  for (int i = 0; i<64; i++)x|=(uintptr_t)g[i]<<i;
  return (atomic_int*)x;
}

#elif defined BRANCH_BITS
static unsigned char g[64];
static atomic_int *give(atomic_int *n) {
  uintptr_t x = (uintptr_t)n;
  for (int i = 0; i<64; i++)if (x>>i&1)g[i] = 1;
  return n;
}
static atomic_int *get(void) {
  uintptr_t x = 0;
  for (int i = 0; i<64; i++)if (g[i])x|=1UL<<i;
  return (atomic_int*)x;
}

#elif defined CMP_SEARCH
static uintptr_t g;
static atomic_int *give(atomic_int *n) {
  uintptr_t lo = 0;
  for (int i = 47; i>=0; i--) {if ((char*)(lo|1UL<<i)<=(char*)n)lo|=1UL<<i;}g = lo;
  return n;
}
static atomic_int *get(void) {
  return (atomic_int*)g;
}

#elif defined VA_INT
static uintptr_t g;
static void put(int k, ...) {va_list l; va_start(l, k); g = va_arg(l, uintptr_t)+1; va_end(l);}
static atomic_int *give(atomic_int *n) {
  put(1, (uintptr_t)n);
  return n;
}
static atomic_int *get(void) {
  return (atomic_int*)(g-1);
}

#elif defined SELECT
static uintptr_t g;
static int one = 1;
static atomic_int *give(atomic_int *n) {
  uintptr_t a = (uintptr_t)n, b = 5;
  uintptr_t c = one?a:b;
  g = c-1;
  return n;
}
static atomic_int *get(void) {
  return (atomic_int*)(g+1);
}

#elif defined SWAP_BYTES
static uint64_t g;
static atomic_int *give(atomic_int *n) {
  g = __builtin_bswap64((uintptr_t)n);
  return n;
}
static atomic_int *get(void) {
  return (atomic_int*)__builtin_bswap64(g);
}

#elif defined ATOMIC_CHAR
static _Atomic unsigned char g[8];
static atomic_int *give(atomic_int *n) {
  uintptr_t x = (uintptr_t)n;
  for (int i = 0; i<8; i++)atomic_store(&g[i], x>>(8*i));
  return n;
}
static atomic_int *get(void) {
  uintptr_t x = 0;
  for (int i = 0; i<8; i++)x|=(uintptr_t)atomic_load(&g[i])<<(8*i);
  return (atomic_int*)x;
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
