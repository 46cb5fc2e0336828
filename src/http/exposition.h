// Exposition: figures as Prometheus reads them, in its text format 0.0.4 or in
// OpenMetrics 1.0.
//
// A family is opened with its name, type and help, and then filled; families
// without samples are left out. Names are given without "_total"; counters get
// it, as either format wants it.
#ifndef EDGEWISE_HTTP_EXPOSITION_H_
#define EDGEWISE_HTTP_EXPOSITION_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace edgewise::http {

enum class ExpositionFormat { kText, kOpenMetrics };

// By the Accept header of the one who asks.
ExpositionFormat ChooseFormat(std::optional<std::string_view> accept);
const char* ContentTypeOf(ExpositionFormat format);

enum class FamilyType { kGauge, kCounter, kHistogram };

// "{a="b",…}" without the braces, escaped; empty for none.
class LabelText {
 public:
  LabelText& Add(std::string_view key, std::string_view value);
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

class Exposition {
 public:
  explicit Exposition(ExpositionFormat format) : format_(format) {}

  // Ends the family before. `unit` is the end of the name where it is one that
  // OpenMetrics knows ("seconds", "bytes", "ratio"), else empty.
  void Family(std::string_view name, FamilyType type, std::string_view help,
              std::string_view unit = "");
  // A sample of the open family, which is no histogram.
  void Sample(std::string_view labels, double value);
  void Sample(const LabelText& labels, double value) {
    Sample(labels.text(), value);
  }
  // Nothing where it is unknown.
  void Sample(std::string_view labels, std::optional<int64_t> value);
  // A family of one sample without labels.
  void One(std::string_view name, FamilyType type, std::string_view help,
           double value) {
    Family(name, type, help);
    Sample("", value);
  }
  // Of a histogram: counts by class, one more than there are bounds.
  void Histogram(std::string_view labels, std::span<const double> bounds,
                 std::span<const uint64_t> by_class, double sum);

  // All of it, ended as the format wants.
  std::string Finish() &&;

 private:
  void WriteHead();
  void Line(std::string_view suffix, std::string_view labels,
            std::string_view more, double value);

  ExpositionFormat format_;
  std::string text_;
  std::string name_;
  std::string help_;
  std::string unit_;
  FamilyType type_ = FamilyType::kGauge;
  bool head_written_ = false;
};

}  // namespace edgewise::http

#endif  // EDGEWISE_HTTP_EXPOSITION_H_
