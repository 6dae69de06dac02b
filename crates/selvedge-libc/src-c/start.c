/* The first function of every program. */
#include "runtime.h"
#include <stdlib.h>

void (**__selvedge_destructors)(void);

/* Where libc++ keeps what belongs to threads: std::__thread_local_data(). The first thread that starts makes it, which
   the others compete for. Made before main, it is an ordinary thing that is only read. */
extern void *_ZNSt3__119__thread_local_dataEv(void) __attribute__((weak));

/* The same for Rust's: std::sys::thread_local::guard::key::enable(), without the number of the crate. */
extern void _RNvNtNtNtNtC3std3sys12thread_local5guard3key6enable(void) __attribute__((weak));

_Noreturn void __selvedge_start(int (*main)(int, char **, char **), void (**constructors)(int, char **, char **),
                                void (**destructors)(void), int argc, char **argv, char **envp) {
    __selvedge_destructors = destructors;
    for (; *constructors; constructors++)
        (*constructors)(argc, argv, envp);
    if (_ZNSt3__119__thread_local_dataEv)
        _ZNSt3__119__thread_local_dataEv();
    if (_RNvNtNtNtNtC3std3sys12thread_local5guard3key6enable)
        _RNvNtNtNtNtC3std3sys12thread_local5guard3key6enable();
    exit(main(argc, argv, envp));
}
