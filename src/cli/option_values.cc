#include "cli/option_values.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "base/text.h"
#include "base/units.h"

namespace edgewise::cli {

Result<std::optional<int64_t>> DurationOption(const char* flag,
                                              const std::string& text) {
  return OptionValue<int64_t>(flag, text, ParseDurationNs);
}

Result<std::optional<int64_t>> DurationOrZeroOption(const char* flag,
                                                    const std::string& text) {
  if (text == "0" || text == "0s") {
    return std::optional<int64_t>(0);
  }
  return DurationOption(flag, text);
}

Result<int64_t> GivenDuration(const char* flag, const std::string& text) {
  const auto ns = DurationOption(flag, text);
  if (!ns) {
    return ns.error();
  }
  if (!*ns) {
    return Error{ErrorCode::kInvalid,
                 std::string(flag) + ": give a time such as 10s"};
  }
  return **ns;
}

CLI::Validator NumberFrom(double least, double most) {
  return CLI::Validator(
      [least, most](std::string& text) {
        const auto number = ParseDouble(text);
        return number && *number >= least && *number <= most
                   ? std::string()
                   : fmt::format("give a number from {} to {}, not \"{}\"",
                                 least, most, text);
      },
      "");
}

CLI::Validator WholeNumber() {
  return CLI::Validator(
      [](std::string& text) {
        return ParseUint(text)
                   ? std::string()
                   : "give a whole number from 0 on, not \"" + text + "\"";
      },
      "");
}

Result<void> ReadTimes(std::initializer_list<TimeOption> options) {
  for (const TimeOption& option : options) {
    const auto ns = DurationOption(option.flag, option.text);
    if (!ns) {
      return ns.error();
    }
    option.ns = ns->value_or(option.ns);
  }
  return {};
}

CLI::Option* AddRepeated(CLI::App& verb, const char* flag,
                         std::vector<std::string>& values, const char* type,
                         const char* description) {
  return verb.add_option(flag, values, description)
      ->type_name(type)
      ->expected(1)
      ->take_all()
      ->allow_extra_args(false);
}

}  // namespace edgewise::cli
