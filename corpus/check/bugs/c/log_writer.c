// selvedge: check
// expect: violation data-race
// selvedge: check --cflags=-DFIXED
// expect: verified
//
// A buffered log. A writer looks up where the text ends, copies its line there and moves the end; two writers copy
// to the same place.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

static char text[64];
static atomic_size_t length;

static void write_line(const char *line) {
    size_t size = strlen(line);
#ifdef FIXED
    size_t at = atomic_fetch_add(&length, size);
    memcpy(text + at, line, size);
#else
    size_t at = atomic_load(&length);
    memcpy(text + at, line, size);
    atomic_store(&length, at + size);
#endif
}

static void *request(void *unused) {
    write_line("GET /\n");
    return unused;
}

static void *failure(void *unused) {
    write_line("404 /robots.txt\n");
    return unused;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, NULL, request, NULL);
    pthread_create(&second, NULL, failure, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    assert(strlen(text) == atomic_load(&length));
    return 0;
}
