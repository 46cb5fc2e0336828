#include "server/exposition.h"

#include <fmt/format.h>

#include <cmath>

namespace edgewise {
namespace {

std::string Escaped(std::string_view text, bool in_quotes) {
  std::string escaped;
  for (const char c : text) {
    if (c == '\\') {
      escaped += "\\\\";
    } else if (c == '\n') {
      escaped += "\\n";
    } else if (c == '"' && in_quotes) {
      escaped += "\\\"";
    } else {
      escaped += c;
    }
  }
  return escaped;
}

std::string NumberText(double value) {
  if (std::isnan(value)) {
    return "NaN";
  }
  if (std::isinf(value)) {
    return value > 0 ? "+Inf" : "-Inf";
  }
  return fmt::format("{}", value);
}

}  // namespace

void Exposition::Begin(std::string_view name, std::string_view type,
                       std::string_view help) {
  name_ = name;
  text_ += fmt::format("# HELP {} {}\n# TYPE {} {}\n", name,
                       Escaped(help, false), name, type);
}

void Exposition::Add(const MetricLabels& labels, double value,
                     std::string_view suffix) {
  text_ += name_;
  text_ += suffix;
  char separator = '{';
  for (const auto& [name, label] : labels) {
    text_ += fmt::format("{}{}=\"{}\"", separator, name, Escaped(label, true));
    separator = ',';
  }
  if (!labels.empty()) {
    text_ += '}';
  }
  text_ += ' ';
  text_ += NumberText(value);
  text_ += '\n';
}

void Exposition::AddOne(std::string_view name, std::string_view type,
                        std::string_view help, double value) {
  Begin(name, type, help);
  Add({}, value);
}

}  // namespace edgewise
