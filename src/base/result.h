// Result<T>: a value, or an Error that a caller may handle and a user can read.
#ifndef EDGEWISE_BASE_RESULT_H_
#define EDGEWISE_BASE_RESULT_H_

#include <cassert>
#include <string>
#include <utility>
#include <variant>

namespace edgewise {

// What kind of thing went wrong; the command line maps it to an exit code.
enum class ErrorCode {
  kInvalid,      // bad input: a flag, a file's content, a name
  kNotFound,     // a run, file or process that does not exist
  kPermission,   // the system refuses; the message says what would help
  kUnsupported,  // this machine or kernel cannot do it
  kBusy,         // held by somebody else; trying again may work
  kCorrupt,      // data that was valid once is not any more
  kIo,           // reading or writing failed (disk full among others)
};

// One sentence for a person: names the file, flag or field, and what to do.
struct Error {
  ErrorCode code = ErrorCode::kIo;
  std::string message;
};

template <typename T>
class [[nodiscard]] Result {
 public:
  // Implicit, so that `return value;` works,
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  // and `return Error{...};` too.
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}

  bool ok() const { return state_.index() == 0; }
  explicit operator bool() const { return ok(); }

  T& value() {
    assert(ok());
    return std::get<0>(state_);
  }
  const T& value() const {
    assert(ok());
    return std::get<0>(state_);
  }
  T& operator*() { return value(); }
  const T& operator*() const { return value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

  const Error& error() const {
    assert(!ok());
    return std::get<1>(state_);
  }

 private:
  std::variant<T, Error> state_;
};

// The outcome of something that has no value to hand back.
template <>
class [[nodiscard]] Result<void> {
 public:
  Result() = default;
  // Implicit, so that a function that fails can say
  // `return Error{...};`.
  Result(Error error) : error_(std::move(error)), ok_(false) {}
  bool ok() const { return ok_; }
  explicit operator bool() const { return ok_; }
  const Error& error() const {
    assert(!ok_);
    return error_;
  }

 private:
  Error error_;
  bool ok_ = true;
};

// The current errno in words, e.g. "No space left on device".
std::string ErrnoText();
// The same for a given errno value.
std::string ErrnoText(int errno_value);
// The code that fits an errno value (EACCES and EPERM are kPermission, ...).
ErrorCode ErrorCodeFromErrno(int errno_value);

}  // namespace edgewise

#endif  // EDGEWISE_BASE_RESULT_H_
