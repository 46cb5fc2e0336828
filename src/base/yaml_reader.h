// YamlReader: takes known keys of YAML maps into fields, and keeps the first
// thing that is wrong as a sentence with file and line.
//
//   YamlReader reader("plan.yaml");
//   reader.ReadMap(root, "a plan", {{"created", reader.Text(plan.created)},
//                                   {"reserve", reader.Number(plan.reserve, 0,
//                                   1)}});
//   if (reader.problem()) …
//
// Fields must outlive the call of ReadMap that they are given to.
#ifndef EDGEWISE_BASE_YAML_READER_H_
#define EDGEWISE_BASE_YAML_READER_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "base/yaml_tree.h"

namespace edgewise {

class YamlReader {
 public:
  // What is done with the value of a key.
  using Take = std::function<void(std::string_view key, const YamlNode& value)>;
  using Keys = std::vector<std::pair<std::string, Take>>;

  // `origin` is the file's name for messages.
  explicit YamlReader(std::string_view origin) : origin_(origin) {}

  // The first; what is read after it is ignored.
  const std::optional<Error>& problem() const { return problem_; }
  void Refuse(const YamlNode& node, std::string_view what);

  // Refuses what is no map, keys that are not known (naming the nearest) and
  // keys that are there twice. `what` is what the map should be: "a plan".
  void ReadMap(const YamlNode& map, std::string_view what, const Keys& keys);

  Take Text(std::string& text);
  Take Texts(std::vector<std::string>& texts);
  Take Flag(bool& flag);
  // Calls `take` for each item of a list of at most so many.
  static constexpr size_t kMostItems = 4096;
  Take Each(const std::function<void(const YamlNode&)>& take,
            size_t most = kMostItems);
  // Calls `take` with a number within the limits, both included.
  Take WithNumber(double least, double most,
                  const std::function<void(double)>& take);
  template <typename T>  // double or optional of it
  Take Number(T& field, double least, double most) {
    return WithNumber(least, most, [&field](double number) { field = number; });
  }
  // Milliseconds, kept as nanoseconds.
  template <typename T>  // int64_t or optional of it
  Take Ms(T& ns, double least_ms = 1e-6) {
    return WithNumber(least_ms, kMostMs,
                      [&ns](double ms) { ns = NsFromMs(ms); });
  }
  // Cores such as 0 or "2-3".
  Take Cores(std::vector<int>& cores);
  // A command line, quoted as for a shell.
  Take Command(std::vector<std::string>& words);
  // One of some words.
  template <typename T>
  Take Word(T& field, std::optional<T> (*parse)(std::string_view),
            std::string_view choices) {
    return [this, &field, parse, choices](std::string_view key,
                                          const YamlNode& value) {
      if (const auto parsed = parse(value.Scalar())) {
        field = *parsed;
      } else {
        RefuseWord(key, value, choices);
      }
    };
  }

  // About a year: sums of many such times stay far from overflow.
  static constexpr double kMostMs = 3.2e10;

 private:
  static int64_t NsFromMs(double ms);
  void RefuseKey(const YamlNode& key, std::string_view what, const Keys& keys);
  void RefuseWord(std::string_view key, const YamlNode& value,
                  std::string_view choices);

  std::string origin_;
  std::optional<Error> problem_;
};

}  // namespace edgewise

#endif  // EDGEWISE_BASE_YAML_READER_H_
