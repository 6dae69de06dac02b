// selvedge: check --model pso --cflags -DORDER=memory_order_relaxed --no-races
// expect: violation assertion line 33
// selvedge: check --model pso --cflags -DORDER=memory_order_relaxed
// expect: violation data-race
// selvedge: check --model pso --cflags -DORDER=memory_order_release
// expect: verified
// selvedge: check --model tso --cflags -DORDER=memory_order_relaxed
// expect: verified
//
// A node is filled and then published. Where stores to different places may overtake each other, a reader that finds
// the node may find it as it was before, unless publishing it is a release.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
    int value;
};

static struct node *_Atomic published;

static void *publish(void *unused) {
    struct node *node = calloc(1, sizeof *node);
    node->value = 7;
    atomic_store_explicit(&published, node, ORDER);
    return unused;
}

static void *look(void *unused) {
    struct node *node = atomic_load_explicit(&published, memory_order_acquire);
    if (node)
        assert(node->value == 7);
    return unused;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], 0, publish, 0);
    pthread_create(&threads[1], 0, look, 0);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], 0);
    free(published);
    return 0;
}
