// selvedge: run
// expect: exit 0
// native: same
//
// Integer, character, string and pointer conversions of printf, with flags, widths, precisions and lengths.
#include <inttypes.h>
#include <limits.h>
#include <stddef.h>
#include <stdio.h>

int main(void) {
    printf("[%d] [%i] [%u] [%o] [%x] [%X]\n", -42, 42, 42u, 42u, 0xbeefu, 0xbeefu);
    printf("[%5d] [%-5d] [%05d] [%+d] [% d] [%+5d]\n", 42, 42, 42, 42, 42, -42);
    printf("[%#x] [%#o] [%#X] [%#x] [%#010x]\n", 255u, 8u, 255u, 0u, 255u);
    printf("[%.3d] [%8.3d] [%-8.3d] [%08.3d] [%.0d] [%.d]\n", 7, 7, 7, 7, 0, 1);
    printf("[%*d] [%-*d] [%.*d] [%*d]\n", 6, 1, 6, 2, 4, 3, -6, 4);
    printf("[%hhd] [%hhu] [%hd] [%hu]\n", (signed char)-1, (unsigned char)255, (short)-2, (unsigned short)65534);
    printf("[%ld] [%lu] [%lld] [%llx]\n", LONG_MIN, ULONG_MAX, LLONG_MAX, ULLONG_MAX);
    printf("[%zu] [%zd] [%td] [%jd] [%ju]\n", sizeof(long), (ssize_t)-1, (ptrdiff_t)-3, (intmax_t)-4, UINTMAX_MAX);
    printf("[%" PRId8 "] [%" PRIu64 "] [%" PRIx32 "]\n", (int8_t)-8, UINT64_C(1) << 63, UINT32_C(0xabc));
    printf("[%c] [%3c] [%-3c] [%%]\n", 'a', 'b', 'c');
    printf("[%s] [%8s] [%-8s] [%.2s] [%8.3s] [%.*s]\n", "abc", "abc", "abc", "abc", "abcdef", 1, "xyz");
    printf("[%s] [%p] [%10p] [%-8p]\n", "", (void *)0x1234, (void *)0xff, (void *)0xa);
    int count = 0, total = printf("12345%n67\n", &count);
    printf("%d %d\n", count, total);
    return 0;
}
