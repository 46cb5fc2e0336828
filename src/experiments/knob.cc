#include "experiments/knob.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "base/text.h"

namespace edgewise {
namespace {

constexpr std::array kOwnKnobs = {kCpusKnob,   kThreadsKnob,   kQuotaKnob,
                                  kMemoryKnob, kFrequencyKnob, kLoadKnob};

bool IsName(std::string_view text) {
  return !text.empty() &&
         std::isalpha(static_cast<unsigned char>(text.front())) != 0 &&
         std::all_of(text.begin(), text.end(), [](unsigned char c) {
           return std::isalnum(c) != 0 || c == '_' || c == '-';
         });
}

Error Invalid(std::string message) {
  return {ErrorCode::kInvalid, std::move(message)};
}

}  // namespace

Result<Knob> ParseKnobValues(std::string_view name, std::string_view values) {
  Knob knob;
  knob.name = name;
  for (const std::string_view piece : Split(values, ',')) {
    const std::string value(Trim(piece));
    if (value.empty()) {
      return Invalid(knob.name + ": \"" + std::string(values) +
                     "\" has an empty value: write values with commas "
                     "between them, e.g. 1,2,4");
    }
    if (std::find(knob.values.begin(), knob.values.end(), value) !=
        knob.values.end()) {
      return Invalid(knob.name + ": " + value + " is there twice");
    }
    knob.values.push_back(value);
  }
  return knob;
}

Result<Knob> ParseKnob(std::string_view text) {
  const size_t equals = text.find('=');
  if (equals == std::string_view::npos || !IsName(text.substr(0, equals))) {
    return Invalid("--vary: \"" + std::string(text) +
                   "\" is not NAME=value,value,… with a name of letters, "
                   "digits, _ and -");
  }
  const std::string_view name = text.substr(0, equals);
  if (std::find(kOwnKnobs.begin(), kOwnKnobs.end(), name) != kOwnKnobs.end()) {
    return Invalid("--vary " + std::string(name) + ": use --" +
                   std::string(name) + " instead, which also sets it");
  }
  auto knob = ParseKnobValues(name, text.substr(equals + 1));
  if (!knob) {
    return Invalid("--vary " + knob.error().message);
  }
  return knob;
}

std::vector<KnobSetting> AllSettings(const std::vector<Knob>& knobs) {
  std::vector<KnobSetting> settings(1);
  for (const Knob& knob : knobs) {
    std::vector<KnobSetting> longer;
    for (const KnobSetting& setting : settings) {
      for (const std::string& value : knob.values) {
        longer.push_back(setting);
        longer.back().push_back({knob.name, value});
      }
    }
    settings = std::move(longer);
  }
  return settings;
}

std::string_view ValueOf(const KnobSetting& setting, std::string_view name) {
  for (const KnobValue& knob : setting) {
    if (knob.name == name) {
      return knob.value;
    }
  }
  return {};
}

KnobSetting Without(const KnobSetting& setting, std::string_view name) {
  KnobSetting rest;
  for (const KnobValue& knob : setting) {
    if (knob.name != name) {
      rest.push_back(knob);
    }
  }
  return rest;
}

std::string FormatSetting(const KnobSetting& setting) {
  std::vector<std::string> words;
  words.reserve(setting.size());
  for (const KnobValue& knob : setting) {
    words.push_back(knob.name + "=" + knob.value);
  }
  return ShellQuote(words);
}

Result<KnobSetting> ParseSetting(std::string_view text) {
  const auto words = ShellSplit(text);
  if (!words) {
    return words.error();
  }
  KnobSetting setting;
  for (const std::string& word : *words) {
    const size_t equals = word.find('=');
    if (equals == 0 || equals == std::string::npos) {
      return Invalid("\"" + word + "\" is not NAME=value");
    }
    setting.push_back({word.substr(0, equals), word.substr(equals + 1)});
  }
  return setting;
}

std::string Substitute(std::string_view text, const KnobSetting& setting) {
  std::string out;
  while (!text.empty()) {
    const size_t open = text.find('{');
    out += text.substr(0, open);
    if (open == std::string_view::npos) {
      break;
    }
    text.remove_prefix(open);
    const size_t close = text.find('}');
    const std::string_view name =
        close == std::string_view::npos ? "" : text.substr(1, close - 1);
    const auto knob =
        std::find_if(setting.begin(), setting.end(),
                     [&](const KnobValue& k) { return k.name == name; });
    if (knob == setting.end()) {
      out += '{';
      text.remove_prefix(1);
    } else {
      out += knob->value;
      text.remove_prefix(close + 1);
    }
  }
  return out;
}

}  // namespace edgewise
