// Exposition: metrics as Prometheus reads them (text format 0.0.4).
#ifndef EDGEWISE_SERVER_EXPOSITION_H_
#define EDGEWISE_SERVER_EXPOSITION_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace edgewise {

inline constexpr char kExpositionType[] = "text/plain; version=0.0.4";

using MetricLabels = std::vector<std::pair<std::string_view, std::string>>;

// Family by family: each begins once, and its samples follow.
class Exposition {
 public:
  // `type`: counter, gauge or histogram. Names of counters end with _total.
  void Begin(std::string_view name, std::string_view type,
             std::string_view help);
  // `suffix` is for histograms: "_bucket", "_sum", "_count".
  void Add(const MetricLabels& labels, double value,
           std::string_view suffix = "");
  // A family with one sample.
  void AddOne(std::string_view name, std::string_view type,
              std::string_view help, double value);

  const std::string& text() const { return text_; }

 private:
  std::string text_;
  std::string name_;
};

}  // namespace edgewise

#endif  // EDGEWISE_SERVER_EXPOSITION_H_
