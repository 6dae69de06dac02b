/* What the machine offers to this library besides the functions of C itself. */
#ifndef SELVEDGE_RUNTIME_H
#define SELVEDGE_RUNTIME_H

#include <stddef.h>
#include <stdint.h>

/* Memory for the library's own records: never counted as the program's leaks. */
void *__selvedge_allocate(size_t size);
void __selvedge_release(void *memory);

/* Flushes standard output and ends the process. */
_Noreturn void __selvedge_exit(int status);

/* Ends the calling thread; when it was the last one, the process. */
_Noreturn void __selvedge_thread_exit(void *result);

/* While a key of this thread has a value and a destructor: clears the value, hands out both, returns 1. */
int __selvedge_key_destructor(void (**destructor)(void *), void **value);

/* Whether this thread has ever looked at its copy of a thread_local variable or set a value for a key. */
int __selvedge_keeps_values(void);

/* Returns 1 if the caller must run the initialiser; waits while another thread does. */
int __selvedge_once_enter(int *once);
void __selvedge_once_done(int *once);

/* The class of the exception by which pthread_exit leaves the frames of its thread: "SLVDEXIT". */
static const uint64_t __selvedge_thread_exit_class = 0x534C564445584954;

/* Runs what this thread has registered for its end (thread_local destructors). */
void __selvedge_run_thread_handlers(void);

#endif
