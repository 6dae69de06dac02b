/* pthread_exit: runs clean-up handlers and destructors of the frames that it leaves, then ends the thread. */
#include "runtime.h"
#include <stdint.h>
#include <stdlib.h>
#include <setjmp.h>
#include <threads.h>
#include <unwind.h>

_Noreturn void __selvedge_end_thread(void *result);

/* The frame's buffer that <pthread.h> lets pthread_cleanup_push set up in C. */
struct cleanup {
    struct __jmp_buf_tag environment[1];
    void *padding[4];
};

struct registered {
    struct registered *next;
    struct cleanup *cleanup;
};

static _Thread_local struct registered *cleanups;
static _Thread_local void *thread_result;
static _Thread_local struct _Unwind_Exception leaving;

void __pthread_register_cancel(struct cleanup *cleanup) {
    struct registered *registered = __selvedge_allocate(sizeof *registered);
    registered->next = cleanups;
    registered->cleanup = cleanup;
    cleanups = registered;
}

void __pthread_unregister_cancel(struct cleanup *cleanup) {
    struct registered *registered = cleanups;
    cleanups = registered->next;
    __selvedge_release(registered);
}

static void swallowed(_Unwind_Reason_Code reason, struct _Unwind_Exception *exception) { abort(); }

/* All frames are left: the thread ends. */
static _Unwind_Reason_Code stop(int version, _Unwind_Action actions, _Unwind_Exception_Class class,
                                struct _Unwind_Exception *exception, struct _Unwind_Context *context,
                                void *argument) {
    if (actions & _UA_END_OF_STACK)
        __selvedge_end_thread(thread_result);
    return _URC_NO_REASON;
}

static _Noreturn void leave(void) {
    if (cleanups) {
        struct cleanup *cleanup = cleanups->cleanup;
        __pthread_unregister_cancel(cleanup);
        longjmp(cleanup->environment, 1);
    }
    leaving.exception_class = __selvedge_thread_exit_class;
    leaving.exception_cleanup = swallowed;
    _Unwind_ForcedUnwind(&leaving, stop, NULL);
    abort();
}

/* Called at the end of a clean-up handler. */
_Noreturn void __pthread_unwind_next(struct cleanup *cleanup) { leave(); }

_Noreturn void pthread_exit(void *result) {
    thread_result = result;
    leave();
}

_Noreturn void thrd_exit(int result) { pthread_exit((void *)(intptr_t)result); }
