/* The first function of every program. */
#include "runtime.h"
#include <stdlib.h>

void (**__selvedge_destructors)(void);

_Noreturn void __selvedge_start(int (*main)(int, char **, char **), void (**constructors)(int, char **, char **),
                                void (**destructors)(void), int argc, char **argv, char **envp) {
    __selvedge_destructors = destructors;
    for (; *constructors; constructors++)
        (*constructors)(argc, argv, envp);
    exit(main(argc, argv, envp));
}
