#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "base/nearest.h"
#include "base/text.h"
#include "base/yaml_tree.h"
#include "cards/card.h"
#include "cards/card_keys.h"

namespace edgewise {
namespace {

constexpr size_t kMaxEntries = 4096;

// Reads one card; the first problem is kept, and what follows is ignored.
class CardReader {
 public:
  CardReader(std::string_view origin, std::vector<std::string>* warnings)
      : origin_(origin), warnings_(warnings) {}

  Result<Card> Read(const YamlNode& root) {
    if (!root.IsMap()) {
      Refuse(root,
             "a card is a list of `key: value` lines, such as `name: "
             "camera`");
    } else {
      ForEachKey(root,
                 [this](const std::string& key, const YamlNode& at,
                        const YamlNode& value) { ReadKey(key, at, value); });
    }
    if (!problem_ && card_.name.empty()) {
      Refuse(root, "the key `name` is missing; every card has one");
    }
    if (problem_) {
      return *problem_;
    }
    if (card_.avg_ms && card_.wcet_ms && *card_.avg_ms > *card_.wcet_ms) {
      Warn(root, "avg_ms is larger than wcet_ms");
    }
    return std::move(card_);
  }

 private:
  Error At(const YamlNode& node, std::string_view what) const {
    return {ErrorCode::kInvalid,
            fmt::format("{}:{}: {}", origin_, node.line(), what)};
  }
  void Refuse(const YamlNode& node, std::string_view what) {
    if (!problem_) {
      problem_ = At(node, what);
    }
  }
  void Warn(const YamlNode& node, std::string_view what) {
    if (warnings_ != nullptr) {
      warnings_->push_back(At(node, what).message);
    }
  }

  template <typename Take>
  void ForEachKey(const YamlNode& map, Take take) {
    std::set<std::string> seen;
    for (const auto& entry : map.entries()) {
      if (!entry.first.IsScalar()) {
        Refuse(entry.first, "a key must be a plain word");
        return;
      }
      const std::string& key = entry.first.Scalar();
      if (!seen.insert(key).second) {
        Refuse(entry.first, fmt::format("the key `{}` is there twice", key));
        return;
      }
      if (seen.size() > kMaxEntries) {
        Refuse(entry.first, "too many keys for a card");
        return;
      }
      take(key, entry.first, entry.second);
    }
  }

  std::string ReadText(std::string_view key, const YamlNode& value) {
    if (value.IsNull()) {
      return "";
    }
    if (!value.IsScalar()) {
      Refuse(value, fmt::format("`{}` must be a text", key));
      return "";
    }
    return value.Scalar();
  }

  std::optional<double> ReadNumber(std::string_view key, const YamlNode& value,
                                   double limit = kNoLimit,
                                   bool zero_is_fine = false) {
    if (value.IsNull()) {
      return std::nullopt;
    }
    const auto number =
        value.IsScalar() ? ParseDouble(value.Scalar()) : std::nullopt;
    if (!number || !std::isfinite(*number)) {
      Refuse(value,
             fmt::format("`{}` must be a number without a unit{}", key,
                         value.IsScalar()
                             ? ", not '" + value.Scalar().substr(0, 40) + "'"
                             : ""));
      return std::nullopt;
    }
    if (*number < 0 || (*number == 0 && !zero_is_fine) || *number > limit) {
      Refuse(value,
             fmt::format("`{}` must be {}, not {}", key,
                         limit == 1 ? "above 0 and at most 1" : "above 0",
                         value.Scalar()));
      return std::nullopt;
    }
    return number;
  }

  void ReadKey(const std::string& key, const YamlNode& at,
               const YamlNode& value) {
    for (const TextKey& known : kTextKeys) {
      if (key == known.key) {
        card_.*known.field = ReadText(key, value);
        return;
      }
    }
    const auto number = [&](const auto& keys) {
      for (const NumberKey& known : keys) {
        if (key == known.key) {
          card_.*known.field = ReadNumber(key, value, known.limit);
          return true;
        }
      }
      return false;
    };
    if (number(kNeedKeys) || number(kGpuKeys) || number(kWcetKeys)) {
      return;
    }
    for (const ContentionKey& known : kContentionKeys) {
      if (key == known.key) {
        ReadContention(key, value, &(card_.*known.field));
        return;
      }
    }
    if (key == kWcetKindKey) {
      ReadWcetKind(value);
    } else if (key == kEvidenceKey) {
      ReadEvidence(value);
    } else if (key == kResourcesKey) {
      ReadResources(value);
    } else {
      ReadUnknown(key, at, value);
    }
  }

  void ReadWcetKind(const YamlNode& value) {
    const std::string text = ReadText(kWcetKindKey, value);
    if (text.empty()) {
      return;
    }
    for (const WcetKind kind : kStatedKinds) {
      if (text == WcetKindName(kind)) {
        card_.wcet_kind = kind;
        return;
      }
    }
    Refuse(value, fmt::format("`wcet_kind` must be observed_max, "
                              "quantile_bound or pwcet, not '{}'",
                              text.substr(0, 40)));
  }

  void ReadUnknown(const std::string& key, const YamlNode& at,
                   const YamlNode& value) {
    std::vector<std::string> known{std::string(kWcetKindKey),
                                   std::string(kEvidenceKey),
                                   std::string(kResourcesKey)};
    for (const TextKey& each : kTextKeys) {
      known.emplace_back(each.key);
    }
    for (const NumberKey& each : kNeedKeys) {
      known.emplace_back(each.key);
    }
    for (const NumberKey& each : kGpuKeys) {
      known.emplace_back(each.key);
    }
    for (const NumberKey& each : kWcetKeys) {
      known.emplace_back(each.key);
    }
    for (const ContentionKey& each : kContentionKeys) {
      known.emplace_back(each.key);
    }
    if (const auto meant = Nearest(key, known)) {
      Refuse(at, fmt::format("there is no key `{}`; did you mean `{}`?", key,
                             *meant));
      return;
    }
    Warn(at, fmt::format("the key `{}` is not known; it is kept as it is",
                         key.substr(0, 80)));
    card_.others[key] = value.InFlow();
  }

  void ReadEvidence(const YamlNode& value) {
    if (value.IsNull()) {
      return;
    }
    if (!value.IsMap()) {
      Refuse(value, "`evidence` must be a list of `key: value` lines");
      return;
    }
    CardEvidence evidence;
    ForEachKey(value, [&](const std::string& key, const YamlNode& at,
                          const YamlNode& part) {
      ReadEvidenceKey(key, at, part, evidence);
    });
    card_.evidence = std::move(evidence);
  }

  void ReadResources(const YamlNode& value) {
    if (value.IsNull()) {
      return;
    }
    if (!value.IsMap()) {
      Refuse(value, "`resources` must be a list of `key: value` lines");
      return;
    }
    CardResources resources;
    ForEachKey(value, [&](const std::string& key, const YamlNode& at,
                          const YamlNode& part) {
      if (key == "runs") {
        ForEachElement(key, part, [&](const YamlNode& id) {
          resources.runs.push_back(ReadText(key, id));
        });
        return;
      }
      const std::string problem =
          part.IsMap() ? SetAmounts(resources, key, ReadPairs(key, part))
                       : SetResource(resources, key, ReadText(key, part));
      if (!problem.empty()) {
        Refuse(at, problem);
      }
    });
    card_.resources = std::move(resources);
  }

  void ReadEvidenceKey(const std::string& key, const YamlNode& at,
                       const YamlNode& value, CardEvidence& evidence) {
    if (key == "runs") {
      ForEachElement(key, value, [&](const YamlNode& id) {
        evidence.runs.push_back(ReadText(key, id));
      });
    } else if (key == "span") {
      evidence.span = ReadText(key, value);
    } else if (key == "n") {
      evidence.n = static_cast<int64_t>(ReadNumber(key, value).value_or(0));
    } else if (key == "n_effective") {
      evidence.n_effective = ReadNumber(key, value);
    } else if (key == "quantiles") {
      ForEachElement(key, value, [&](const YamlNode& quantile) {
        ReadQuantile(quantile, evidence);
      });
    } else if (key == "conditions") {
      evidence.conditions = ReadPairs(key, value);
    } else if (key == "machine") {
      evidence.machine = ReadPairs(key, value);
    } else {
      Warn(at, fmt::format("the key `{}` of evidence is not known, and left "
                           "out",
                           key.substr(0, 80)));
    }
  }

  template <typename Take>
  void ForEachElement(std::string_view key, const YamlNode& list, Take take) {
    if (!list.IsSequence()) {
      Refuse(list, fmt::format("`{}` must be a list", key));
      return;
    }
    if (list.items().size() > kMaxEntries) {
      Refuse(list, fmt::format("`{}` is too long for a card", key));
      return;
    }
    for (const YamlNode& element : list.items()) {
      take(element);
    }
  }

  void ReadQuantile(const YamlNode& value, CardEvidence& evidence) {
    if (!value.IsMap()) {
      Refuse(value, "a quantile is written {p: 0.99, value_ms: 12.5}");
      return;
    }
    std::optional<double> p;
    std::optional<double> value_ms;
    CardQuantile quantile;
    ForEachKey(value, [&](const std::string& key, const YamlNode& at,
                          const YamlNode& part) {
      if (key == "p") {
        p = ReadNumber(key, part, 1);
      } else if (key == "value_ms") {
        value_ms = ReadNumber(key, part, kNoLimit, true);
      } else if (key == "low_ms") {
        quantile.low_ms = ReadNumber(key, part, kNoLimit, true);
      } else if (key == "high_ms") {
        quantile.high_ms = ReadNumber(key, part, kNoLimit, true);
      } else {
        Warn(at, "a quantile has the keys p, value_ms, low_ms and high_ms");
      }
    });
    if (!p || !value_ms) {
      Refuse(value, "a quantile needs p and value_ms");
      return;
    }
    quantile.p = *p;
    quantile.value_ms = *value_ms;
    evidence.quantiles.push_back(quantile);
  }

  void ReadContention(const std::string& name, const YamlNode& value,
                      std::optional<CardContention>* contention) {
    if (value.IsNull()) {
      return;
    }
    if (!value.IsMap()) {
      Refuse(value,
             fmt::format("`{}` is written {{p50_ms: 12, p95_ms: 15}}", name));
      return;
    }
    CardContention read;
    ForEachKey(value, [&](const std::string& key, const YamlNode& at,
                          const YamlNode& part) {
      if (key == "p50_ms") {
        read.p50_ms = ReadNumber(key, part);
      } else if (key == "p95_ms") {
        read.p95_ms = ReadNumber(key, part);
      } else if (key == "beside") {
        read.beside = ReadText(key, part);
      } else if (key == "runs") {
        ForEachElement(key, part, [&](const YamlNode& id) {
          read.runs.push_back(ReadText(key, id));
        });
      } else {
        Refuse(at, fmt::format("`{}` has the keys p50_ms, p95_ms, beside and "
                               "runs",
                               name));
      }
    });
    *contention = std::move(read);
  }

  std::vector<std::pair<std::string, std::string>> ReadPairs(
      std::string_view key, const YamlNode& value) {
    std::vector<std::pair<std::string, std::string>> pairs;
    if (!value.IsMap()) {
      Refuse(value,
             fmt::format("`{}` must be a list of `key: value` lines", key));
      return pairs;
    }
    ForEachKey(value, [&](const std::string& name, const YamlNode&,
                          const YamlNode& text) {
      pairs.emplace_back(name, ReadText(name, text));
    });
    return pairs;
  }

  std::string origin_;
  std::vector<std::string>* warnings_;
  Card card_;
  std::optional<Error> problem_;
};

}  // namespace

Result<Card> ReadCard(std::string_view yaml, std::string_view origin,
                      std::vector<std::string>* warnings) {
  const auto root = ReadYaml(yaml, origin, "card");
  if (!root) {
    return root.error();
  }
  return CardReader(origin, warnings).Read(*root);
}

}  // namespace edgewise
