/* Linked lists of <search.h>. */
#include <search.h>
#include <stddef.h>

struct element {
    struct element *next, *previous;
};

void insque(void *new, void *after) {
    struct element *element = new, *previous = after;
    element->previous = previous;
    element->next = previous ? previous->next : NULL;
    if (previous)
        previous->next = element;
    if (element->next)
        element->next->previous = element;
}

void remque(void *old) {
    struct element *element = old;
    if (element->next)
        element->next->previous = element->previous;
    if (element->previous)
        element->previous->next = element->next;
}
