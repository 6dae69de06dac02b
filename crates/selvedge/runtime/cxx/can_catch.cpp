// The part of the C++ personality routine that unwinding by the machine still needs.
//
// The machine walks the frames and knows each landing pad's clauses from the bitcode, so no exception table is
// read. Whether a clause matches, and where in the thrown object the caught part lies, is decided here, by
// libc++abi's own type information.

#include "cxa_exception.h"
#include "private_typeinfo.h"

using namespace __cxxabiv1;

namespace {

__cxa_exception* header_of(_Unwind_Exception* exception) {
  return reinterpret_cast<__cxa_exception*>(exception + 1) - 1;
}

// The object that was thrown; a rethrown std::exception_ptr refers to it from elsewhere.
void* thrown_object(_Unwind_Exception* exception) {
  if (__getExceptionClass(exception) == kOurDependentExceptionClass)
    return (reinterpret_cast<__cxa_dependent_exception*>(exception + 1) - 1)->primaryException;
  return exception + 1;
}

bool matches(const std::type_info* wanted, _Unwind_Exception* exception, void*& object) {
  const auto* thrown = static_cast<const __shim_type_info*>(header_of(exception)->exceptionType);
  return static_cast<const __shim_type_info*>(wanted)->can_catch(thrown, object);
}

} // namespace

extern "C" {

// 1 if `catch (catch_type)` catches the exception (null means `catch (...)`), and then __cxa_begin_catch
// returns the right part of the thrown object. 0 otherwise, and nothing changes.
int __selvedge_can_catch(const std::type_info* catch_type, _Unwind_Exception* exception) {
  if (!__isOurExceptionClass(exception))
    return catch_type == nullptr;
  void* object = thrown_object(exception);
  if (catch_type != nullptr && !matches(catch_type, exception, object))
    return 0;
  __cxa_exception* header = header_of(exception);
  header->handlerSwitchValue = 1;
  header->actionRecord = nullptr;
  header->languageSpecificData = nullptr;
  header->catchTemp = nullptr;
  header->adjustedPtr = object;
  return 1;
}

// 1 if an exception specification that lists `types` lets the exception through. If it does not, the landing
// pad is entered, and the exception is prepared for __cxa_call_unexpected.
int __selvedge_filter_allows(const std::type_info* const* types, unsigned count, _Unwind_Exception* exception) {
  if (!__isOurExceptionClass(exception))
    return 0;
  for (unsigned index = 0; index != count; ++index) {
    void* object = thrown_object(exception);
    if (matches(types[index], exception, object))
      return 1;
  }
  __cxa_exception* header = header_of(exception);
  header->handlerSwitchValue = -1;
  header->actionRecord = nullptr;
  header->languageSpecificData = nullptr;
  header->catchTemp = nullptr;
  header->adjustedPtr = thrown_object(exception);
  return 0;
}
}
