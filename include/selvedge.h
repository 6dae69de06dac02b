/* Values that a program asks for, and what it assumes of them.
 *
 *     int n = selvedge_any_int();
 *     selvedge_assume(0 <= n && n < 10);
 *     ...
 *     selvedge_assert(balance >= 0);
 *
 * `selvedge check` looks at all values, `selvedge run` takes those of the schedule (or 0, or random ones with --seed). In
 * a native program they come from the file that the environment variable SELVEDGE_INPUTS names, in the form in which
 * `selvedge check` writes them, one a line: a name (`main#0`: the first value of the first thread, `main.2#1`: the second
 * value of its second child) and a number. A value that is not in the file is 0. Natively nobody knows who created
 * whom: threads other than the first take the remaining names in the order in which they ask for their first value.
 *
 * Only this file is needed. For programs in the form of the verification competition, link selvedge_verifier.c too.
 */
#ifndef SELVEDGE_H
#define SELVEDGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define SELVEDGE_TYPES_(INPUT)                                                                                     \
    INPUT(bool, bool)                                                                                              \
    INPUT(char, char)                                                                                              \
    INPUT(schar, signed char)                                                                                      \
    INPUT(uchar, unsigned char)                                                                                    \
    INPUT(short, short)                                                                                            \
    INPUT(ushort, unsigned short)                                                                                  \
    INPUT(int, int)                                                                                                \
    INPUT(uint, unsigned int)                                                                                      \
    INPUT(long, long)                                                                                              \
    INPUT(ulong, unsigned long)                                                                                    \
    INPUT(longlong, long long)                                                                                     \
    INPUT(ulonglong, unsigned long long)                                                                           \
    INPUT(int8, int8_t)                                                                                            \
    INPUT(uint8, uint8_t)                                                                                          \
    INPUT(int16, int16_t)                                                                                          \
    INPUT(uint16, uint16_t)                                                                                        \
    INPUT(int32, int32_t)                                                                                          \
    INPUT(uint32, uint32_t)                                                                                        \
    INPUT(int64, int64_t)                                                                                          \
    INPUT(uint64, uint64_t)                                                                                        \
    INPUT(size, size_t)                                                                                            \
    INPUT(ssize, ssize_t)                                                                                          \
    INPUT(intptr, intptr_t)                                                                                        \
    INPUT(uintptr, uintptr_t)

#ifdef __cplusplus
extern "C" {
#endif

#ifdef __SELVEDGE__

#define SELVEDGE_INPUT_(name, type) type selvedge_any_##name(void);
SELVEDGE_TYPES_(SELVEDGE_INPUT_)
#undef SELVEDGE_INPUT_
float selvedge_any_float(void);
double selvedge_any_double(void);
/* Every byte is an input. */
void selvedge_any_bytes(void *to, size_t count);
/* Executions in which the condition does not hold are none that the program asks about. */
void selvedge_assume(bool condition);
/* A violation if the condition does not hold. */
void selvedge_assert(bool condition);
/* Fixes the value with this name (main#0, main.1#2; main is the calling thread), for tests. */
void selvedge_pin(const char *name, unsigned long long value);

#else

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Which thread of the file the calling one is, and how many values it has taken. */
static __thread char selvedge_name_[64];
static __thread unsigned selvedge_count_;

/* Values that the program has fixed. */
static struct {
    char name[64];
    unsigned occurrence;
    unsigned long long value;
} selvedge_pins_[256];
static unsigned selvedge_pin_count_;

__attribute__((unused)) static inline void selvedge_pin(const char *name, unsigned long long value) {
    if (selvedge_pin_count_ < 256 &&
        sscanf(name, "%63[^#]#%u", selvedge_pins_[selvedge_pin_count_].name,
               &selvedge_pins_[selvedge_pin_count_].occurrence) == 2)
        selvedge_pins_[selvedge_pin_count_++].value = value;
}

/* The next value of the file, or of those that are fixed; `at` counts. */
static inline bool selvedge_next_(FILE *file, unsigned *at, char *name, unsigned *occurrence,
                                  unsigned long long *value) {
    if (file)
        return fscanf(file, " %63[^# \n]#%u %llu", name, occurrence, value) == 3;
    if (*at >= selvedge_pin_count_)
        return false;
    strcpy(name, selvedge_pins_[*at].name);
    *occurrence = selvedge_pins_[*at].occurrence;
    *value = selvedge_pins_[(*at)++].value;
    return true;
}

static inline uint64_t selvedge_native_(void) {
    static __thread bool named;
    static char taken[64][64];
    static int takers;
    static int busy;
    const char *path = selvedge_pin_count_ ? NULL : getenv("SELVEDGE_INPUTS");
    FILE *file = path ? fopen(path, "r") : NULL;
    char name[64];
    unsigned occurrence, at = 0;
    unsigned long long value, found = 0;
    if (!named) {
        /* Names are given away in the order in which threads ask for the first time. */
        while (__atomic_exchange_n(&busy, 1, __ATOMIC_ACQUIRE)) {
        }
        named = true;
        while (selvedge_next_(file, &at, name, &occurrence, &value)) {
            bool free_name = true;
            for (int i = 0; i < takers; i++)
                free_name = free_name && strcmp(taken[i], name) != 0;
            if (free_name && takers < 64) {
                strcpy(taken[takers++], name);
                strcpy(selvedge_name_, name);
                break;
            }
        }
        __atomic_store_n(&busy, 0, __ATOMIC_RELEASE);
        if (file)
            rewind(file);
        at = 0;
    }
    while (selvedge_next_(file, &at, name, &occurrence, &value))
        if (occurrence == selvedge_count_ && strcmp(name, selvedge_name_) == 0)
            found = value;
    if (file)
        fclose(file);
    selvedge_count_++;
    return found;
}

#define SELVEDGE_INPUT_(name, type)                                                                                \
    __attribute__((unused)) static inline type selvedge_any_##name(void) { return (type)selvedge_native_(); }
SELVEDGE_TYPES_(SELVEDGE_INPUT_)
#undef SELVEDGE_INPUT_

__attribute__((unused)) static inline float selvedge_any_float(void) {
    uint32_t bits = (uint32_t)selvedge_native_();
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

__attribute__((unused)) static inline double selvedge_any_double(void) {
    uint64_t bits = selvedge_native_();
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

__attribute__((unused)) static inline void selvedge_any_bytes(void *to, size_t count) {
    for (size_t i = 0; i < count; i++)
        ((unsigned char *)to)[i] = (unsigned char)selvedge_native_();
}

/* Nobody asked about this execution: it is over, and nothing went wrong. */
__attribute__((unused)) static inline void selvedge_assume(bool condition) {
    if (!condition)
        _Exit(0);
}

__attribute__((unused)) static inline void selvedge_assert(bool condition) {
    if (!condition) {
        fputs("selvedge_assert failed\n", stderr);
        abort();
    }
}

#endif

#ifdef __cplusplus
}
#endif

#endif
