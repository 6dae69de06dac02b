/* Search trees of <search.h>. The tree is a plain binary one: its shape is not specified by anybody. */
#define _GNU_SOURCE
#include <search.h>
#include <stdlib.h>

/* The program sees a node as a pointer to its key. */
struct node {
    const void *key;
    struct node *children[2];
};

typedef int compare(const void *, const void *);

/* Where the node with this key is linked, or would be. */
static struct node **find(const void *key, struct node **link, compare *compare) {
    while (*link) {
        int order = compare(key, (*link)->key);
        if (order == 0)
            break;
        link = &(*link)->children[order > 0];
    }
    return link;
}

void *tfind(const void *key, void *const *root, compare *compare) {
    return root ? *find(key, (struct node **)root, compare) : NULL;
}

void *tsearch(const void *key, void **root, compare *compare) {
    if (!root)
        return NULL;
    struct node **link = find(key, (struct node **)root, compare);
    if (!*link && (*link = malloc(sizeof **link))) {
        (*link)->key = key;
        (*link)->children[0] = (*link)->children[1] = NULL;
    }
    return *link;
}

void *tdelete(const void *key, void **root, compare *compare) {
    if (!root || !*root)
        return NULL;
    struct node **link = (struct node **)root, *parent = NULL;
    while (*link) {
        int order = compare(key, (*link)->key);
        if (order == 0)
            break;
        parent = *link;
        link = &(*link)->children[order > 0];
    }
    struct node *node = *link;
    if (!node)
        return NULL;
    if (node->children[0] && node->children[1]) {
        /* The smallest key on the right takes this place. */
        struct node **next = &node->children[1];
        while ((*next)->children[0])
            next = &(*next)->children[0];
        struct node *successor = *next;
        *next = successor->children[1];
        successor->children[0] = node->children[0];
        successor->children[1] = node->children[1];
        *link = successor;
    } else {
        *link = node->children[node->children[0] == NULL];
    }
    free(node);
    return parent ? (void *)parent : (void *)root;
}

static void walk(const struct node *node, void (*action)(const void *, VISIT, int), int depth) {
    if (!node)
        return;
    if (!node->children[0] && !node->children[1]) {
        action(node, leaf, depth);
        return;
    }
    action(node, preorder, depth);
    walk(node->children[0], action, depth + 1);
    action(node, postorder, depth);
    walk(node->children[1], action, depth + 1);
    action(node, endorder, depth);
}

void twalk(const void *root, void (*action)(const void *, VISIT, int)) { walk(root, action, 0); }

void tdestroy(void *root, void (*destroy)(void *)) {
    struct node *node = root;
    if (!node)
        return;
    tdestroy(node->children[0], destroy);
    tdestroy(node->children[1], destroy);
    destroy((void *)node->key);
    free(node);
}
