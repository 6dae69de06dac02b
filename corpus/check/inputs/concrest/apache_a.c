// selvedge: check --no-races
// expect: violation assertion
//
// A buffered log: writers reserve room by a count that nobody protects.
#include <pthread.h>
#include <selvedge.h>

#define SIZE 8

static char buffer[SIZE];
static unsigned used;

static void *writer(void *unused) {
    unsigned length = selvedge_any_uint();
    if (length == 0 || length > SIZE)
        return unused;
    if (length + used > SIZE)
        used = 0;
    unsigned expected = used + length;
    for (unsigned i = 0; i < 2; i++)
        buffer[i] = 'x';
    used += length;
    selvedge_assert(used == expected);
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, writer, 0);
    pthread_create(&b, 0, writer, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
