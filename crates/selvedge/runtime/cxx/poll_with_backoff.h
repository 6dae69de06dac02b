// Takes the place of libc++'s header of this name: how its atomics, semaphores, latches and barriers wait.
//
// The library looks again and again for a while, measured by the clock, before it sleeps. How often it has looked and what
// the clock said then tell nobody anything, but make every look a state of its own. Here it looks once, then sleeps.
#ifndef _LIBCPP___THREAD_POLL_WITH_BACKOFF_H
#define _LIBCPP___THREAD_POLL_WITH_BACKOFF_H

#include <__chrono/duration.h>
#include <__config>

#pragma GCC system_header

_LIBCPP_BEGIN_NAMESPACE_STD

enum class __backoff_results : unsigned char { __continue_poll = 1, __poll_success, __timeout, __backoff_failure };

enum class __poll_with_backoff_results : unsigned char { __poll_success = 2, __timeout, __backoff_failure };

// Polls until it succeeds or the policy gives up. The policies poll themselves, and sleep when they are told that more than
// 4 microseconds have passed.
template <class _Poll, class _Backoff>
_LIBCPP_HIDE_FROM_ABI __poll_with_backoff_results
__libcpp_thread_poll_with_backoff(_Poll&&, _Backoff&& __backoff) {
  while (true) {
    const __backoff_results __result = __backoff(chrono::microseconds(5));
    if (__result != __backoff_results::__continue_poll)
      return static_cast<__poll_with_backoff_results>(__result);
  }
}

// The same with a limit of time, which may be over whenever the policy has slept. A thread that is woken in vain and sleeps
// again before it succeeds does what one does that is woken and goes on later. So it sleeps once, and nobody looks at the
// clock: a program that cannot look at it has fewer states.
template <class _Poll, class _Backoff>
_LIBCPP_HIDE_FROM_ABI __poll_with_backoff_results
__libcpp_thread_poll_with_backoff(_Poll&& __poll, _Backoff&& __backoff, chrono::nanoseconds __limit) {
  if (__limit == chrono::nanoseconds::zero())
    return std::__libcpp_thread_poll_with_backoff(__poll, __backoff);
  const __backoff_results __result = __backoff(chrono::microseconds(5));
  if (__result != __backoff_results::__continue_poll)
    return static_cast<__poll_with_backoff_results>(__result);
  return __poll() ? __poll_with_backoff_results::__poll_success : __poll_with_backoff_results::__timeout;
}

struct __spinning_backoff_policy {
  _LIBCPP_HIDE_FROM_ABI _LIBCPP_CONSTEXPR __backoff_results operator()(const chrono::nanoseconds&) const {
    return __backoff_results::__continue_poll;
  }
};

_LIBCPP_END_NAMESPACE_STD

#endif
