#include "cli/option_values.h"

#include <CLI/CLI.hpp>

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
