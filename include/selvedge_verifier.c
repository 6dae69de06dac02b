/* The functions of the verification competition for native programs: cc task.c selvedge_verifier.c -pthread.
 * Values come from the file that SELVEDGE_INPUTS names, as selvedge.h says. */
#include "selvedge.h"
#include <pthread.h>

#define INPUT(name, own, type)                                                                                     \
    type __VERIFIER_nondet_##name(void) { return selvedge_any_##own(); }
INPUT(bool, bool, _Bool)
INPUT(char, char, char)
INPUT(uchar, uchar, unsigned char)
INPUT(short, short, short)
INPUT(ushort, ushort, unsigned short)
INPUT(int, int, int)
INPUT(uint, uint, unsigned int)
INPUT(long, long, long)
INPUT(ulong, ulong, unsigned long)
INPUT(longlong, longlong, long long)
INPUT(ulonglong, ulonglong, unsigned long long)
INPUT(size_t, size, size_t)
INPUT(float, float, float)
INPUT(double, double, double)

void __VERIFIER_assume(int condition) { selvedge_assume(condition != 0); }

static pthread_mutex_t section = PTHREAD_MUTEX_INITIALIZER;

/* Natively only other sections are kept out. */
void __VERIFIER_atomic_begin(void) { pthread_mutex_lock(&section); }
void __VERIFIER_atomic_end(void) { pthread_mutex_unlock(&section); }

__attribute__((weak)) void reach_error(void) { abort(); }
__attribute__((weak)) void __VERIFIER_error(void) { abort(); }
