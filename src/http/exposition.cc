#include "http/exposition.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>

#include "base/text.h"

namespace edgewise::http {
namespace {

void AppendNumber(double value, std::string* text) {
  if (std::isnan(value)) {
    text->append("NaN");
    return;
  }
  if (std::isinf(value)) {
    text->append(value > 0 ? "+Inf" : "-Inf");
    return;
  }
  char digits[40];
  const auto end = std::to_chars(digits, digits + sizeof(digits), value).ptr;
  text->append(digits, end);
}

// As a person would write it: "0.0001", "2.5".
std::string BoundText(double bound) {
  char text[40];
  std::snprintf(text, sizeof(text), "le=\"%g\"", bound);
  return text;
}

// How much a client wants a format: its q, 1 if it does not say, 0 if it does
// not name it.
double Wish(std::string_view accept, std::string_view type) {
  double most = 0;
  for (const std::string_view entry : Split(accept, ',')) {
    const auto pieces = Split(entry, ';');
    if (Trim(pieces.front()) != type) {
      continue;
    }
    double q = 1;
    for (size_t i = 1; i < pieces.size(); ++i) {
      const std::string_view piece = Trim(pieces[i]);
      if (piece.starts_with("q=")) {
        q = ParseDouble(piece.substr(2)).value_or(0);
      }
    }
    most = std::max(most, q);
  }
  return most;
}

}  // namespace

ExpositionFormat ChooseFormat(std::optional<std::string_view> accept) {
  if (!accept) {
    return ExpositionFormat::kText;
  }
  const double open = Wish(*accept, "application/openmetrics-text");
  return open > 0 && open >= Wish(*accept, "text/plain")
             ? ExpositionFormat::kOpenMetrics
             : ExpositionFormat::kText;
}

const char* ContentTypeOf(ExpositionFormat format) {
  return format == ExpositionFormat::kOpenMetrics
             ? "application/openmetrics-text; version=1.0.0; charset=utf-8"
             : "text/plain; version=0.0.4; charset=utf-8";
}

LabelText& LabelText::Add(std::string_view key, std::string_view value) {
  if (!text_.empty()) {
    text_.push_back(',');
  }
  text_.append(key);
  text_.append("=\"");
  for (const char c : value) {
    if (c == '\\' || c == '"') {
      text_.push_back('\\');
      text_.push_back(c);
    } else if (c == '\n') {
      text_.append("\\n");
    } else {
      text_.push_back(c);
    }
  }
  text_.push_back('"');
  return *this;
}

void Exposition::Family(std::string_view name, FamilyType type,
                        std::string_view help, std::string_view unit) {
  name_ = name;
  type_ = type;
  help_ = help;
  unit_ = unit;
  head_written_ = false;
}

void Exposition::WriteHead() {
  if (head_written_) {
    return;
  }
  head_written_ = true;
  const bool open = format_ == ExpositionFormat::kOpenMetrics;
  const bool counter = type_ == FamilyType::kCounter;
  const std::string name = !open && counter ? name_ + "_total" : name_;
  const char* type = counter                           ? "counter"
                     : type_ == FamilyType::kHistogram ? "histogram"
                                                       : "gauge";
  text_.append("# HELP ").append(name).append(" ").append(help_);
  text_.append("\n# TYPE ").append(name).append(" ").append(type);
  text_.push_back('\n');
  if (open && !unit_.empty()) {
    text_.append("# UNIT ").append(name).append(" ").append(unit_);
    text_.push_back('\n');
  }
}

void Exposition::Line(std::string_view suffix, std::string_view labels,
                      std::string_view more, double value) {
  text_.append(name_).append(suffix);
  if (!labels.empty() || !more.empty()) {
    text_.push_back('{');
    text_.append(labels);
    if (!labels.empty() && !more.empty()) {
      text_.push_back(',');
    }
    text_.append(more);
    text_.push_back('}');
  }
  text_.push_back(' ');
  AppendNumber(value, &text_);
  text_.push_back('\n');
}

void Exposition::Sample(std::string_view labels, double value) {
  WriteHead();
  Line(type_ == FamilyType::kCounter ? "_total" : "", labels, "", value);
}

void Exposition::Sample(std::string_view labels, std::optional<int64_t> value) {
  if (value) {
    Sample(labels, static_cast<double>(*value));
  }
}

void Exposition::Histogram(std::string_view labels,
                           std::span<const double> bounds,
                           std::span<const uint64_t> by_class, double sum) {
  WriteHead();
  uint64_t below = 0;
  std::string bound;
  for (size_t i = 0; i < by_class.size(); ++i) {
    below += by_class[i];
    bound = i < bounds.size() ? BoundText(bounds[i]) : "le=\"+Inf\"";
    Line("_bucket", labels, bound, static_cast<double>(below));
  }
  Line("_sum", labels, "", sum);
  Line("_count", labels, "", static_cast<double>(below));
}

std::string Exposition::Finish() && {
  if (format_ == ExpositionFormat::kOpenMetrics) {
    text_.append("# EOF\n");
  }
  return std::move(text_);
}

}  // namespace edgewise::http
