// selvedge: run
// expect: exit 0
// native: same
//
// malloc, calloc, realloc, free, aligned_alloc, posix_memalign, and the corners the standard fixes.
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int aligned(void *pointer, size_t to) { return (uintptr_t)pointer % to == 0; }

int main(void) {
    int *numbers = malloc(4 * sizeof *numbers);
    for (int i = 0; i < 4; i++)
        numbers[i] = i * i;
    numbers = realloc(numbers, 1000 * sizeof *numbers);
    int kept = 1;
    for (int i = 0; i < 4; i++)
        kept &= numbers[i] == i * i;
    numbers[999] = 5;
    numbers = realloc(numbers, 2 * sizeof *numbers);
    printf("kept %d, shrunk %d %d\n", kept, numbers[0], numbers[1]);
    free(numbers);

    long *zeros = calloc(100, sizeof *zeros);
    long any = 0;
    for (int i = 0; i < 100; i++)
        any |= zeros[i];
    printf("calloc %ld, overflow %d\n", any, calloc(SIZE_MAX / 2, 4) == NULL && errno == ENOMEM);
    free(zeros);

    for (size_t alignment = 16; alignment <= 4096; alignment *= 4) {
        char *block = aligned_alloc(alignment, 2 * alignment);
        void *other = NULL;
        int error = posix_memalign(&other, alignment, 10);
        memset(block, 1, 2 * alignment);
        printf("%zu: %d %d %d\n", alignment, aligned(block, alignment), error, aligned(other, alignment));
        free(other);
        free(block);
    }
    void *unused = NULL;
    printf("bad alignment %d\n", posix_memalign(&unused, 3, 10) == EINVAL);
    char *fresh = realloc(NULL, 8);
    strcpy(fresh, "seven..");
    printf("%s\n", fresh);
    free(fresh);
    free(NULL);
    return 0;
}
