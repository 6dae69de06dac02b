// selvedge: check
// expect: violation memory
// selvedge: check --cflags=-DFIXED
// expect: verified
//
// An object with two owners. Who gives up a reference reads the count once more to see whether it was the last, when
// the object may be gone.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct image {
    atomic_int references;
    int pixels[2];
};

static void release(struct image *image) {
#ifdef FIXED
    if (atomic_fetch_sub(&image->references, 1) == 1)
        free(image);
#else
    atomic_fetch_sub(&image->references, 1);
    if (atomic_load(&image->references) == 0)
        free(image);
#endif
}

static void *viewer(void *image) {
    release(image);
    return NULL;
}

int main(void) {
    struct image *image = calloc(1, sizeof *image);
    atomic_init(&image->references, 2);
    pthread_t window, printer;
    pthread_create(&window, NULL, viewer, image);
    pthread_create(&printer, NULL, viewer, image);
    pthread_join(window, NULL);
    pthread_join(printer, NULL);
    return 0;
}
