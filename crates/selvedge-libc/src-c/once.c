/* One-time initialisation: the machine arbitrates, the initialiser is the program's. */
#include "runtime.h"

int pthread_once(int *once, void (*initialise)(void)) {
    if (__selvedge_once_enter(once)) {
        initialise();
        __selvedge_once_done(once);
    }
    return 0;
}

void call_once(int *once, void (*initialise)(void)) { pthread_once(once, initialise); }
