// Values of options as they are typed: parsed, with the flag in front of what
// is wrong with them.
#ifndef EDGEWISE_CLI_OPTION_VALUES_H_
#define EDGEWISE_CLI_OPTION_VALUES_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"

namespace CLI {
class App;
class Option;
class Validator;
}  // namespace CLI

namespace edgewise::cli {

// Parses `text` unless it is empty.
template <typename T, typename Parser>
Result<std::optional<T>> OptionValue(const char* flag, const std::string& text,
                                     Parser parse) {
  if (text.empty()) {
    return std::optional<T>();
  }
  auto value = parse(text);
  if (!value) {
    return Error{value.error().code,
                 std::string(flag) + ": " + value.error().message};
  }
  return std::optional<T>(*value);
}

// Nanoseconds.
Result<std::optional<int64_t>> DurationOption(const char* flag,
                                              const std::string& text);
// For times of which none at all makes sense.
Result<std::optional<int64_t>> DurationOrZeroOption(const char* flag,
                                                    const std::string& text);

// For options with a default, of which an empty one is a mistake.
Result<int64_t> GivenDuration(const char* flag, const std::string& text);

// A number within limits, both included; CLI::Range would take nan.
CLI::Validator NumberFrom(double least, double most);

// One of 64 bits without a sign; CLI11 would take -1 for the largest.
CLI::Validator WholeNumber();

// A time that an option sets.
struct TimeOption {
  const char* flag;
  const std::string& text;  // empty: `ns` stays as it is
  int64_t& ns;
};
Result<void> ReadTimes(std::initializer_list<TimeOption> options);

// An option that takes one value and may be repeated.
CLI::Option* AddRepeated(CLI::App& verb, const char* flag,
                         std::vector<std::string>& values, const char* type,
                         const char* description);

}  // namespace edgewise::cli

#endif  // EDGEWISE_CLI_OPTION_VALUES_H_
