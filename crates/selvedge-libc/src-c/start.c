/* The first function of every program. */
#include "runtime.h"
#include <stdlib.h>

void (**__selvedge_destructors)(void);

/* Where libc++ keeps what belongs to threads: std::__thread_local_data(). The first thread that starts makes it, which
   the others compete for. Made before main, it is an ordinary thing that is only read. */
extern void *_ZNSt3__119__thread_local_dataEv(void) __attribute__((weak));

_Noreturn void __selvedge_start(int (*main)(int, char **, char **), void (**constructors)(int, char **, char **),
                                void (**destructors)(void), int argc, char **argv, char **envp) {
    __selvedge_destructors = destructors;
    for (; *constructors; constructors++)
        (*constructors)(argc, argv, envp);
    if (_ZNSt3__119__thread_local_dataEv)
        _ZNSt3__119__thread_local_dataEv();
    exit(main(argc, argv, envp));
}
