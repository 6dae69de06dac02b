// What the library's streams hold while they are read or written.
//
// The standard allows that threads use the standard streams at the same time, as long as these are synchronised with C's
// streams: reading and writing them is no data race. The library does not care for that. Narrow characters are written
// without a change to the stream once the fill character is there and the width is only put back if it was changed: the
// library is edited so. Then nothing needs to be locked, and nothing is ordered that the standard does not order. What
// writes wide characters or reads keeps more, and holds the stream's lock. Streams that are not synchronised with C's are
// written by whoever uses them: two threads race.
#ifndef _LIBCPP___SELVEDGE_STREAM_GUARD_H
#define _LIBCPP___SELVEDGE_STREAM_GUARD_H

#include <__config>

#pragma GCC system_header

extern "C" {
// Locks the stream at this address, with this buffer, if it needs that, and gives its number; 0 otherwise.
int __selvedge_enter_stream(const void* stream, const void* buffer) _NOEXCEPT;
void __selvedge_leave_stream(int number) _NOEXCEPT;
}

_LIBCPP_BEGIN_NAMESPACE_STD

class __stream_guard {
  int __number_;

public:
  template <class _Stream>
  _LIBCPP_HIDE_FROM_ABI explicit __stream_guard(const _Stream& __stream)
      : __number_(__selvedge_enter_stream(&__stream, __stream.rdbuf())) {}
  __stream_guard(const __stream_guard&)            = delete;
  __stream_guard& operator=(const __stream_guard&) = delete;
  _LIBCPP_HIDE_FROM_ABI ~__stream_guard() {
    if (__number_)
      __selvedge_leave_stream(__number_);
  }
};

_LIBCPP_END_NAMESPACE_STD

#endif
