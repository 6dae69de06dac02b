// selvedge: check --no-races
// expect: verified
//
// Two threads insert keys into a search tree under one lock; main looks whether it is in order.
#include <pthread.h>
#include <selvedge.h>

struct node {
    int key;
    struct node *left, *right;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct node nodes[2];
static struct node *root;
static int used;

static void insert(int key) {
    pthread_mutex_lock(&lock);
    struct node **at = &root;
    while (*at && (*at)->key != key)
        at = key < (*at)->key ? &(*at)->left : &(*at)->right;
    if (!*at) {
        struct node *fresh = &nodes[used++];
        fresh->key = key;
        *at = fresh;
    }
    pthread_mutex_unlock(&lock);
}

static void *work(void *unused) {
    insert(selvedge_any_int());
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, work, 0);
    pthread_create(&b, 0, work, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    selvedge_assert(root != 0);
    selvedge_assert(!root->left || root->left->key < root->key);
    selvedge_assert(!root->right || root->right->key > root->key);
    return 0;
}
