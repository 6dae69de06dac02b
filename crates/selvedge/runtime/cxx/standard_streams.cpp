// The locks of the standard streams: see stream_guard.h.
//
// They are recursive: a sentry flushes the stream that its stream is tied to, and functions that read call each other.
// Locks of two streams are only ever taken in the order of ties, which has no cycles.

#include <pthread.h>

// A program that does not use the standard streams must not get them because of their locks.
#define STREAM(name, symbol) extern char name __asm__("_ZNSt3__1" symbol "E") __attribute__((weak));

extern "C" {
STREAM(cin, "3cin")
STREAM(cout, "4cout")
STREAM(cerr, "4cerr")
STREAM(clog, "4clog")
STREAM(wcin, "4wcin")
STREAM(wcout, "5wcout")
STREAM(wcerr, "5wcerr")
STREAM(wclog, "5wclog")
// Their buffers for C's streams.
STREAM(cin_data, "8cin_data")
STREAM(cout_data, "9cout_data")
STREAM(cerr_data, "9cerr_data")
STREAM(clog_data, "9clog_data")
STREAM(wcin_data, "9wcin_data")
STREAM(wcout_data, "10wcout_data")
STREAM(wcerr_data, "10wcerr_data")
STREAM(wclog_data, "10wclog_data")

// What `std::ios_base::sync_with_stdio` was told.
bool __selvedge_synchronised = true;

static pthread_mutex_t locks_of_streams[8] = {
    PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP, PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP,
    PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP, PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP,
    PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP, PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP,
    PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP, PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP};

// Written by every use of a stream that is not synchronised: two threads that use one race here.
bool __selvedge_used_without_synchronisation[8];

static int enter(int number, bool locks) {
  if (!__selvedge_synchronised) {
    __selvedge_used_without_synchronisation[number] = true;
    return 0;
  }
  if (!locks)
    return 0;
  pthread_mutex_lock(&locks_of_streams[number]);
  return number + 1;
}

int __selvedge_enter_stream(const void* stream, const void* buffer) noexcept {
#define TRY(number, name, locks)                                                                                       \
  if (stream == &name && stream != nullptr)                                                                            \
    return buffer == &name##_data ? enter(number, locks) : 0;
  TRY(0, cin, true)
  TRY(1, cout, false)
  TRY(2, cerr, false)
  TRY(3, clog, false)
  TRY(4, wcin, true)
  TRY(5, wcout, true)
  TRY(6, wcerr, true)
  TRY(7, wclog, true)
  return 0;
}

void __selvedge_leave_stream(int number) noexcept { pthread_mutex_unlock(&locks_of_streams[number - 1]); }
}
