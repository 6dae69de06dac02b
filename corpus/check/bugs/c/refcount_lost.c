// selvedge: check --leaks
// expect: violation leak line 34
// selvedge: check --leaks --cflags=-DFIXED
// expect: verified
//
// An object with two owners whose count is read and written in two steps. If both give up at once, one of the
// decrements is lost and nobody frees the object.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct image {
    atomic_int references;
    int pixels[2];
};

static void release(struct image *image) {
#ifdef FIXED
    int left = atomic_fetch_sub(&image->references, 1) - 1;
#else
    int left = atomic_load(&image->references) - 1;
    atomic_store(&image->references, left);
#endif
    if (left == 0)
        free(image);
}

static void *viewer(void *image) {
    release(image);
    return NULL;
}

static void show(void) {
    struct image *image = calloc(1, sizeof *image);
    atomic_init(&image->references, 2);
    pthread_t window, printer;
    pthread_create(&window, NULL, viewer, image);
    pthread_create(&printer, NULL, viewer, image);
    pthread_join(window, NULL);
    pthread_join(printer, NULL);
}

int main(void) {
    show();
    return 0;
}
