/* The unwinder. Frames and their landing pads are known to the machine; which of them an exception stops at is
 * decided here.
 *
 * A frame is named by its distance from the function that asks, so everything that asks is inlined into the entry
 * points. The search starts at distance 0: the entry points themselves have no landing pads. */
#include "runtime.h"
#include <stdint.h>
#include <stdlib.h>
#include <unwind.h>

/* -2: no such frame; -1: its current call has no landing pad; else the number of clauses, and CLEANUP. */
int __selvedge_landing_pad(unsigned depth);
/* 0: a catch of the type (null: of everything); 1: a filter. */
int __selvedge_clause(unsigned depth, unsigned clause, const void **type);
/* The number of types of a filter. */
unsigned __selvedge_filter(unsigned depth, unsigned clause, const void **types, unsigned capacity);
/* The number by which landing pads recognise a type. */
int __selvedge_type_id(const void *type);
/* Leaves all frames below that one and continues in its landing pad. */
_Noreturn void __selvedge_unwind(unsigned depth, void *exception, int selector);

/* The language's part; C++'s is in its run-time library, C and Rust have none. */
__attribute__((weak)) int __selvedge_can_catch(const void *type, struct _Unwind_Exception *exception);
__attribute__((weak)) int __selvedge_filter_allows(const void *const *types, unsigned count,
                                                   struct _Unwind_Exception *exception);

#define ALWAYS_INLINE static inline __attribute__((always_inline))

enum { CLEANUP = 0x10000, LARGEST_FILTER = 64 };
/* "CLNGC++\0"; the last byte tells a dependent exception. */
static const uint64_t CXX = 0x434C4E47432B2B00, LANGUAGE = 0xFFFFFFFFFFFFFF00;

enum stop { END_OF_STACK, NOTHING, CLEANS_UP, CATCHES };

ALWAYS_INLINE int is_cxx(struct _Unwind_Exception *exception) {
    return (exception->exception_class & LANGUAGE) == CXX;
}

/* Exceptions of another language pass every type and are stopped by every filter. */
ALWAYS_INLINE int can_catch(const void *type, struct _Unwind_Exception *exception) {
    return !type || (is_cxx(exception) && __selvedge_can_catch && __selvedge_can_catch(type, exception));
}

ALWAYS_INLINE int filter_allows(unsigned depth, unsigned clause, struct _Unwind_Exception *exception) {
    const void *types[LARGEST_FILTER];
    unsigned count = __selvedge_filter(depth, clause, types, LARGEST_FILTER);
    if (count > LARGEST_FILTER)
        abort();
    return is_cxx(exception) && __selvedge_filter_allows && __selvedge_filter_allows(types, count, exception);
}

/* What the frame's landing pad does with the exception, and the selector to enter it with. */
ALWAYS_INLINE enum stop examine(unsigned depth, struct _Unwind_Exception *exception, int forced, int *selector) {
    int pad = __selvedge_landing_pad(depth);
    *selector = 0;
    if (pad < 0)
        return pad == -1 ? NOTHING : END_OF_STACK;
    unsigned clauses = pad & (CLEANUP - 1);
    for (unsigned clause = 0; clause < clauses; clause++) {
        const void *type = NULL;
        if (__selvedge_clause(depth, clause, &type) == 0) {
            if (can_catch(type, exception)) {
                *selector = __selvedge_type_id(type);
                return CATCHES;
            }
        } else if (!forced && !filter_allows(depth, clause, exception)) {
            *selector = -1 - (int)clause;
            return CATCHES;
        }
    }
    return pad & CLEANUP ? CLEANS_UP : NOTHING;
}

/* A forced unwinding remembers its stop function and argument in the exception. */
ALWAYS_INLINE _Unwind_Reason_Code force(struct _Unwind_Exception *exception) {
    _Unwind_Stop_Fn stop = (_Unwind_Stop_Fn)exception->private_1;
    void *argument = (void *)exception->private_2;
    for (unsigned depth = 0;; depth++) {
        int selector;
        enum stop found = examine(depth, exception, 1, &selector);
        int actions = _UA_FORCE_UNWIND | _UA_CLEANUP_PHASE | (found == END_OF_STACK ? _UA_END_OF_STACK : 0);
        if (stop(1, actions, exception->exception_class, exception, NULL, argument) != _URC_NO_REASON)
            return _URC_FATAL_PHASE2_ERROR;
        if (found == END_OF_STACK)
            return _URC_END_OF_STACK;
        if (found != NOTHING)
            __selvedge_unwind(depth, exception, selector);
    }
}

_Unwind_Reason_Code _Unwind_RaiseException(struct _Unwind_Exception *exception) {
    /* C++'s run-time library raises an exception of others again where it should resume it. */
    if (exception->exception_class == __selvedge_thread_exit_class)
        return force(exception);
    exception->private_1 = 0;
    exception->private_2 = 0;
    unsigned first = 0;
    int first_selector = 0, cleans_up = 0;
    for (unsigned depth = 0;; depth++) {
        int selector;
        switch (examine(depth, exception, 0, &selector)) {
        case END_OF_STACK:
            return _URC_END_OF_STACK;
        case NOTHING:
            break;
        case CLEANS_UP:
            if (!cleans_up) {
                cleans_up = 1;
                first = depth;
                first_selector = selector;
            }
            break;
        case CATCHES:
            if (cleans_up)
                __selvedge_unwind(first, exception, first_selector);
            __selvedge_unwind(depth, exception, selector);
        }
    }
}

/* After a clean-up: on to the next landing pad. */
_Noreturn void _Unwind_Resume(struct _Unwind_Exception *exception) {
    if (exception->private_1) {
        force(exception);
        abort();
    }
    for (unsigned depth = 0;; depth++) {
        int selector;
        switch (examine(depth, exception, 0, &selector)) {
        case END_OF_STACK:
            abort();
        case NOTHING:
            break;
        case CLEANS_UP:
        case CATCHES:
            __selvedge_unwind(depth, exception, selector);
        }
    }
}

_Unwind_Reason_Code _Unwind_Resume_or_Rethrow(struct _Unwind_Exception *exception) {
    if (exception->private_1)
        return force(exception);
    return _Unwind_RaiseException(exception);
}

_Unwind_Reason_Code _Unwind_ForcedUnwind(struct _Unwind_Exception *exception, _Unwind_Stop_Fn stop, void *argument) {
    exception->private_1 = (uintptr_t)stop;
    exception->private_2 = (uintptr_t)argument;
    return force(exception);
}

void _Unwind_DeleteException(struct _Unwind_Exception *exception) {
    if (exception->exception_cleanup)
        exception->exception_cleanup(_URC_FOREIGN_EXCEPTION_CAUGHT, exception);
}

/* Frames of the machine have no instruction pointers: a backtrace is empty. */
_Unwind_Reason_Code _Unwind_Backtrace(_Unwind_Trace_Fn trace, void *argument) { return _URC_END_OF_STACK; }

/* Only personality functions and backtraces ask these, and neither is ever called. */
_Unwind_Word _Unwind_GetIP(struct _Unwind_Context *context) { abort(); }
_Unwind_Word _Unwind_GetIPInfo(struct _Unwind_Context *context, int *before) { abort(); }
_Unwind_Word _Unwind_GetCFA(struct _Unwind_Context *context) { abort(); }
_Unwind_Word _Unwind_GetGR(struct _Unwind_Context *context, int index) { abort(); }
void _Unwind_SetGR(struct _Unwind_Context *context, int index, _Unwind_Word value) { abort(); }
void _Unwind_SetIP(struct _Unwind_Context *context, _Unwind_Word value) { abort(); }
void *_Unwind_GetLanguageSpecificData(struct _Unwind_Context *context) { abort(); }
_Unwind_Ptr _Unwind_GetRegionStart(struct _Unwind_Context *context) { abort(); }
_Unwind_Ptr _Unwind_GetDataRelBase(struct _Unwind_Context *context) { abort(); }
_Unwind_Ptr _Unwind_GetTextRelBase(struct _Unwind_Context *context) { abort(); }
void *_Unwind_FindEnclosingFunction(void *pc) { abort(); }
