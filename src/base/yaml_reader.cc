#include "base/yaml_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "base/nearest.h"
#include "base/text.h"
#include "base/units.h"

namespace edgewise {
namespace {

// Of a key or value that a message repeats.
constexpr size_t kMostShown = 80;

}  // namespace

void YamlReader::Refuse(const YamlNode& node, std::string_view what) {
  if (!problem_) {
    problem_ = Error{ErrorCode::kInvalid,
                     fmt::format("{}:{}: {}", origin_, node.line(), what)};
  }
}

void YamlReader::RefuseKey(const YamlNode& key, std::string_view what,
                           const Keys& keys) {
  std::vector<std::string> names;
  names.reserve(keys.size());
  for (const auto& each : keys) {
    names.push_back(each.first);
  }
  const auto meant = Nearest(key.Scalar(), names);
  Refuse(key, fmt::format("there is no key `{}` in {}{}",
                          key.Scalar().substr(0, kMostShown), what,
                          meant ? "; did you mean `" + *meant + "`?" : ""));
}

void YamlReader::RefuseWord(std::string_view key, const YamlNode& value,
                            std::string_view choices) {
  Refuse(value, fmt::format("`{}` must be {}, not `{}`", key, choices,
                            value.Scalar().substr(0, kMostShown)));
}

void YamlReader::ReadMap(const YamlNode& map, std::string_view what,
                         const Keys& keys) {
  if (!map.IsMap()) {
    Refuse(map, fmt::format("{} is a list of `key: value` lines", what));
    return;
  }
  std::set<std::string> seen;
  for (const auto& [key, value] : map.entries()) {
    if (!key.IsScalar()) {
      Refuse(key, "a key must be a plain word");
      return;
    }
    if (!seen.insert(key.Scalar()).second) {
      Refuse(key, fmt::format("the key `{}` is there twice",
                              key.Scalar().substr(0, kMostShown)));
      return;
    }
    const std::string& name = key.Scalar();
    const auto known =
        std::find_if(keys.begin(), keys.end(),
                     [&name](const auto& each) { return each.first == name; });
    if (known == keys.end()) {
      RefuseKey(key, what, keys);
      return;
    }
    known->second(known->first, value);
  }
}

YamlReader::Take YamlReader::Text(std::string& text) {
  return [this, &text](std::string_view key, const YamlNode& value) {
    if (!value.IsNull() && !value.IsScalar()) {
      Refuse(value, fmt::format("`{}` must be a text", key));
    }
    text = value.Scalar();
  };
}

YamlReader::Take YamlReader::Each(
    const std::function<void(const YamlNode&)>& take, size_t most) {
  return [this, take, most](std::string_view key, const YamlNode& value) {
    if (!value.IsSequence()) {
      Refuse(value, fmt::format("`{}` must be a list", key));
      return;
    }
    if (value.items().size() > most) {
      Refuse(
          value,
          fmt::format("`{}` must list at most {}, not {}", key,
                      FormatCount(static_cast<int64_t>(most)),
                      FormatCount(static_cast<int64_t>(value.items().size()))));
      return;
    }
    std::for_each(value.items().begin(), value.items().end(), take);
  };
}

YamlReader::Take YamlReader::Texts(std::vector<std::string>& texts) {
  return Each([this, &texts](const YamlNode& value) {
    if (!value.IsScalar()) {
      Refuse(value, "this must be a text");
    }
    texts.push_back(value.Scalar());
  });
}

YamlReader::Take YamlReader::Flag(bool& flag) {
  return [this, &flag](std::string_view key, const YamlNode& value) {
    flag = value.Scalar() == "true";
    if (!flag && value.Scalar() != "false") {
      Refuse(value, fmt::format("`{}` must be true or false", key));
    }
  };
}

YamlReader::Take YamlReader::WithNumber(
    double least, double most, const std::function<void(double)>& take) {
  return [this, least, most, take](std::string_view key,
                                   const YamlNode& value) {
    const auto number =
        value.IsScalar() ? ParseDouble(value.Scalar()) : std::nullopt;
    if (!number || !std::isfinite(*number)) {
      Refuse(value, fmt::format("`{}` must be a number without a unit", key));
    } else if (*number < least || *number > most) {
      Refuse(value, fmt::format("`{}` must be from {} to {}, not {}", key,
                                least, most, value.Scalar().substr(0, 40)));
    } else {
      take(*number);
    }
  };
}

int64_t YamlReader::NsFromMs(double ms) {
  return static_cast<int64_t>(std::llround(ms * 1e6));
}

YamlReader::Take YamlReader::Cores(std::vector<int>& cores) {
  return [this, &cores](std::string_view key, const YamlNode& value) {
    auto list = ParseCpuList(value.Scalar());
    if (!list) {
      Refuse(value, fmt::format("`{}` must be cores such as 0 or \"2-3\": {}",
                                key, list.error().message));
      return;
    }
    cores = std::move(*list);
  };
}

YamlReader::Take YamlReader::Command(std::vector<std::string>& words) {
  return [this, &words](std::string_view key, const YamlNode& value) {
    auto split = ShellSplit(value.Scalar());
    if (!value.IsScalar() || !split || split->empty()) {
      Refuse(value, fmt::format("`{}` must be a command line", key));
      return;
    }
    words = std::move(*split);
  };
}

}  // namespace edgewise
