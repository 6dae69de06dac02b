// selvedge: check --model rc11 --cflags -mcx16
// expect: verified
// selvedge: check --model rc11 --cflags '-mcx16 -DRELAXED'
// expect: violation data-race
// selvedge: check --model rc11 --cflags '-mcx16 -DWITHOUT_TAG'
// expect: violation assertion
// selvedge: check --model mca --cflags -mcx16
// expect: verified
//
// A stack of a few nodes whose top is a pointer with a counter, changed together.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

struct node {
    int value;
    struct node *_Atomic next;
};

struct top {
    struct node *node;
    long count;
};

#ifdef RELAXED
#define PUBLISH memory_order_relaxed
#else
#define PUBLISH memory_order_acq_rel
#endif
#ifdef WITHOUT_TAG
enum { STEP = 0 };
#else
enum { STEP = 1 };
#endif

static struct node nodes[2];
static _Atomic(struct top) top;
static struct node *kept;

static void push(struct node *node) {
    struct top old = atomic_load_explicit(&top, memory_order_acquire), new;
    do {
        atomic_store_explicit(&node->next, old.node, memory_order_relaxed);
        new = (struct top){node, old.count + STEP};
    } while (!atomic_compare_exchange_strong_explicit(&top, &old, new, PUBLISH, memory_order_acquire));
}

static struct node *pop(void) {
    struct top old = atomic_load_explicit(&top, memory_order_acquire), new;
    do {
        if (!old.node)
            return NULL;
        struct node *next = atomic_load_explicit(&old.node->next, memory_order_relaxed);
        new = (struct top){next, old.count + STEP};
    } while (!atomic_compare_exchange_strong_explicit(&top, &old, new, PUBLISH, memory_order_acquire));
    return old.node;
}

static void *take_and_put_back(void *unused) {
    struct node *first = pop(), *second = pop();
    if (first && second) {
        first->value = 3;
        kept = second;
        push(first);
    }
    return unused;
}

static void *take(void *unused) {
    struct node *node = pop();
    if (node)
        node->value = 5;
    return unused;
}

int main(void) {
    nodes[0].value = 1;
    nodes[1].value = 2;
    push(&nodes[1]);
    push(&nodes[0]);
    pthread_t one, other;
    pthread_create(&one, NULL, take_and_put_back, NULL);
    pthread_create(&other, NULL, take, NULL);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
    // What was taken and kept is not there any more.
    struct node *left = pop();
    assert(!left || left != kept);
    return 0;
}
