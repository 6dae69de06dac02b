// Memory that threads share. CASE: 0 freed by the last user, 1 a list that is built by two, 2 the size from an input, 3 the end of
// a scope, 4 lost when it is replaced, 5 freed on one path. BAD: freed too early or twice, too small, or never.
#include "task.h"
struct node { struct node *next; int value; };
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
struct node *list;
int *block, users = 2, size;
static void *work(void *argument) {
#if CASE == 0
    pthread_mutex_lock(&mutex);
    (*block)++;
    int last = --users == 0 || BAD;
    pthread_mutex_unlock(&mutex);
    if (last) free(block);
#elif CASE == 1
    struct node *node = malloc(sizeof *node);
    assume(node != 0);
    node->value = between(0, 9);
    if (!BAD) pthread_mutex_lock(&mutex);
    node->next = list;
    list = node;
    if (!BAD) pthread_mutex_unlock(&mutex);
#elif CASE == 2
    int at = argument ? size - 1 : 0;
    block[at + (BAD && argument && size == 3)] = 1;
#elif CASE == 3
    *(int *)argument = 1;
#elif CASE == 4
    int *mine = malloc(4);
    assume(mine != 0);
    *mine = 1;
    pthread_mutex_lock(&mutex);
    if (!BAD) free(block);
    block = mine;
    pthread_mutex_unlock(&mutex);
#else
    if (argument) { pthread_mutex_lock(&mutex); if (!block) block = calloc(1, 4); pthread_mutex_unlock(&mutex); }
#endif
    (void)argument;
    return 0;
}
int main(void) {
    pthread_t a, b;
    size = CASE == 2 ? between(2, 4) : 1;
    if (CASE != 5) block = malloc(size * sizeof(int));
    assume(CASE == 5 || block != 0);
    if (CASE == 0) *block = 0;
#if CASE == 3
    {
        int inner = 0;
        int *mine = BAD ? block : &inner;
        pthread_create(&a, 0, work, mine);
        if (BAD) { free(block); pthread_join(a, 0); return 0; }
        pthread_join(a, 0);
    }
    free(block);
    return 0;
#endif
    pthread_create(&a, 0, work, 0);
    pthread_create(&b, 0, work, &list);
    pthread_join(a, 0);
    pthread_join(b, 0);
#if CASE == 1
    free(block);
    while (list) { struct node *next = list->next; free(list); list = next; }
#elif CASE == 2 || CASE == 4
    free(block);
#elif CASE == 5
    if (!BAD || __VERIFIER_nondet_bool()) free(block);
    block = 0;
#endif
    return 0;
}
