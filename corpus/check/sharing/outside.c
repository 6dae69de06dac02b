// selvedge: check --cflags -DSETENV
// expect: violation assertion
// selvedge: check --cflags -DSETENV --model sc --strategy states
// expect: violation assertion
// selvedge: check --cflags -DSPRINTF_STRTOULL
// expect: violation assertion
// selvedge: check --cflags -DSPRINTF_STRTOULL --model tso --strategy auto
// expect: violation assertion
// selvedge: check --cflags -DSPRINTF_P
// expect: violation assertion
// selvedge: check --cflags -DSPRINTF_P --model pso --strategy auto
// expect: violation assertion
// selvedge: check --cflags -DPIPE
// expect: violation assertion
// selvedge: check --cflags -DPIPE --model sc --strategy optimal
// expect: violation assertion
// selvedge: check --cflags -DTMPFILE
// expect: violation assertion
// selvedge: check --cflags -DTMPFILE --model tso --strategy states
// expect: violation assertion
// selvedge: check --cflags -DFPRINTF_FILE
// expect: violation assertion
// selvedge: check --cflags -DFPRINTF_FILE --model sc --strategy states
// expect: violation assertion
// selvedge: check --cflags -DVSNPRINTF
// expect: violation assertion
// selvedge: check --cflags -DVSNPRINTF --model tso --strategy auto
// expect: violation assertion
// selvedge: check --cflags -DWRITEV
// expect: violation assertion
// selvedge: check --cflags -DWRITEV --model pso --strategy auto
// expect: violation assertion
// An address reaches the other thread as text, or through a file or a pipe. An update is lost if its accesses are no steps.
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

#if defined SETENV
static atomic_int *give(atomic_int *n) {
  char b[64];
  snprintf(b,64,"%p",(void*)n);
  setenv("PTR",b,1);
  return n;
}
static atomic_int *get(void) {
  void*q;
  sscanf(getenv("PTR"),"%p",&q);
  return q;
}

#elif defined SPRINTF_STRTOULL
static char g[64];
static atomic_int *give(atomic_int *n) {
  sprintf(g,"%lu",(unsigned long)n);
  return n;
}
static atomic_int *get(void) {
  return (atomic_int*)strtoull(g, 0, 10);
}

#elif defined SPRINTF_P
static char g[64];
static atomic_int *give(atomic_int *n) {
  sprintf(g,"%p",(void*)n);
  return n;
}
static atomic_int *get(void) {
  return (atomic_int*)strtoull(g, 0, 16);
}

#elif defined PIPE
static int fd[2];
static atomic_int *give(atomic_int *n) {
  pipe(fd);
  write(fd[1], &n, sizeof n);
  return n;
}
static atomic_int *get(void) {
  atomic_int*q;
  read(fd[0], &q, sizeof q);
  return q;
}

#elif defined TMPFILE
static FILE*g;
static atomic_int *give(atomic_int *n) {
  g = tmpfile();
  fwrite(&n, 8, 1, g);
  fflush(g);
  rewind(g);
  return n;
}
static atomic_int *get(void) {
  atomic_int*q;
  fread(&q, 8, 1, g);
  return q;
}

#elif defined FPRINTF_FILE
static FILE*g;
static atomic_int *give(atomic_int *n) {
  g = tmpfile();
  fprintf(g,"%p\n",(void*)n);
  fflush(g);
  rewind(g);
  return n;
}
static atomic_int *get(void) {
  void*q = 0;
  fscanf(g,"%p",&q);
  return q;
}

#elif defined VSNPRINTF
static char g[64];
static void f(const char*m, ...) {va_list l; va_start(l, m); vsnprintf(g, 64, m, l); va_end(l);}
static atomic_int *give(atomic_int *n) {
  f("%p",(void*)n);
  return n;
}
static atomic_int *get(void) {
  void*q;
  sscanf(g,"%p",&q);
  return q;
}

#elif defined WRITEV
static int fd[2];
static atomic_int *give(atomic_int *n) {
  pipe(fd);
  char*b = (char*)&n;
  write(fd[1], b, 3);
  write(fd[1], b+3, 5);
  return n;
}
static atomic_int *get(void) {
  char b[8];
  read(fd[0], b, 5);
  read(fd[0], b+5, 3);
  atomic_int*q;
  memcpy(&q, b, 8);
  return q;
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
