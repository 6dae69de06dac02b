// Takes the place of libc++'s atomic.cpp: how its atomics, semaphores, latches and barriers sleep, and how sleepers are woken.
//
// The library counts who sleeps, to save system calls, and looks again after two seconds. The counts make every wait a
// change that others see, and looking again makes waits without an end, of which there is no state that comes twice. Here a
// thread sleeps until it is notified, as the standard has it: who is never notified sleeps for ever. Every notification
// is a system call. What threads can observe is the same.

#include <atomic>
#include <climits>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

_LIBCPP_BEGIN_NAMESPACE_STD

namespace {

static_assert(sizeof(__cxx_contention_t) == 4, "a futex has four bytes");

// Sleeps as long as a word has this value: until it is notified, or up to some time, whatever that is.
void sleep_at(void const* word, void const* old, bool timed) {
  uint32_t expected;
  std::memcpy(&expected, old, sizeof expected);
  static constexpr timespec a_while = {2, 0};
  syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, expected, timed ? &a_while : nullptr, nullptr, 0);
}

void wake_at(void const* word, int most) { syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, most, nullptr, nullptr, 0); }

// Atomics that are no futexes share these words: each counts the notifications of the atomics that it stands for.
constexpr size_t words = 256;
__cxx_contention_t notifications[words];

__cxx_contention_t* word_of(void const* location) {
  return &notifications[reinterpret_cast<uintptr_t>(location) / 8 % words];
}

__cxx_contention_t monitor(void const* location) { return __atomic_load_n(word_of(location), __ATOMIC_ACQUIRE); }

void notify(void const* location) {
  __cxx_contention_t* word = word_of(location);
  __atomic_fetch_add(word, 1, __ATOMIC_SEQ_CST);
  // Others than those that are meant may sleep there.
  wake_at(word, INT_MAX);
}

} // namespace

_LIBCPP_EXPORTED_FROM_ABI __cxx_contention_t __atomic_monitor_global(void const* location) noexcept {
  return monitor(location);
}

_LIBCPP_EXPORTED_FROM_ABI void __atomic_wait_global_table(void const* location, __cxx_contention_t old) noexcept {
  sleep_at(word_of(location), &old, false);
}

_LIBCPP_EXPORTED_FROM_ABI void
__atomic_wait_global_table_with_timeout(void const* location, __cxx_contention_t old, uint64_t) _NOEXCEPT {
  sleep_at(word_of(location), &old, true);
}

_LIBCPP_EXPORTED_FROM_ABI void __atomic_notify_one_global_table(void const* location) noexcept { notify(location); }

_LIBCPP_EXPORTED_FROM_ABI void __atomic_notify_all_global_table(void const* location) noexcept { notify(location); }

template <std::size_t Size>
_LIBCPP_EXPORTED_FROM_ABI void __atomic_wait_native(void const* location, void const* old) noexcept {
  static_assert(Size == 4, "a futex has four bytes");
  sleep_at(location, old, false);
}

template <std::size_t Size>
_LIBCPP_EXPORTED_FROM_ABI void
__atomic_wait_native_with_timeout(void const* location, void const* old, uint64_t) noexcept {
  static_assert(Size == 4, "a futex has four bytes");
  sleep_at(location, old, true);
}

template <std::size_t Size>
_LIBCPP_EXPORTED_FROM_ABI void __atomic_notify_one_native(void const* location) noexcept {
  wake_at(location, 1);
}

template <std::size_t Size>
_LIBCPP_EXPORTED_FROM_ABI void __atomic_notify_all_native(void const* location) noexcept {
  wake_at(location, INT_MAX);
}

template _LIBCPP_EXPORTED_FROM_ABI void __atomic_wait_native<4>(void const*, void const*) noexcept;
template _LIBCPP_EXPORTED_FROM_ABI void
__atomic_wait_native_with_timeout<4>(void const*, void const*, uint64_t) noexcept;
template _LIBCPP_EXPORTED_FROM_ABI void __atomic_notify_one_native<4>(void const*) noexcept;
template _LIBCPP_EXPORTED_FROM_ABI void __atomic_notify_all_native<4>(void const*) noexcept;

_LIBCPP_END_NAMESPACE_STD
