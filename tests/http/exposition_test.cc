#include "http/exposition.h"

#include <gtest/gtest.h>

#include <array>

namespace edgewise::http {
namespace {

TEST(ChooseFormatTest, GoesByTheAcceptHeader) {
  EXPECT_EQ(ChooseFormat(std::nullopt), ExpositionFormat::kText);
  EXPECT_EQ(ChooseFormat("*/*"), ExpositionFormat::kText);
  // As Prometheus 2.42 asks.
  EXPECT_EQ(ChooseFormat("application/openmetrics-text;version=1.0.0,"
                         "application/openmetrics-text;version=0.0.1;q=0.75,"
                         "text/plain;version=0.0.4;q=0.5,*/*;q=0.1"),
            ExpositionFormat::kOpenMetrics);
  EXPECT_EQ(ChooseFormat("text/plain;version=0.0.4, "
                         "application/openmetrics-text;q=0.1"),
            ExpositionFormat::kText);
  EXPECT_EQ(ChooseFormat("application/openmetrics-text;q=rubbish"),
            ExpositionFormat::kText);
}

std::string Render(ExpositionFormat format) {
  Exposition to(format);
  to.Family("nothing", FamilyType::kGauge, "Has no samples.");
  to.Family("work_seconds", FamilyType::kCounter, "Time.", "seconds");
  to.Sample(LabelText().Add("a", "x\"y\\z\nw"), 1.5);
  to.Family("size_bytes", FamilyType::kGauge, "Size.", "bytes");
  to.Sample("", 0.1);
  to.Family("took_seconds", FamilyType::kHistogram, "Durations.", "seconds");
  constexpr std::array<double, 2> kBounds = {0.0001, 2.5};
  constexpr std::array<uint64_t, 3> kCounts = {1, 2, 3};
  to.Histogram("a=\"b\"", kBounds, kCounts, 9.25);
  return std::move(to).Finish();
}

TEST(ExpositionTest, TextFormat) {
  EXPECT_EQ(Render(ExpositionFormat::kText),
            "# HELP work_seconds_total Time.\n"
            "# TYPE work_seconds_total counter\n"
            "work_seconds_total{a=\"x\\\"y\\\\z\\nw\"} 1.5\n"
            "# HELP size_bytes Size.\n"
            "# TYPE size_bytes gauge\n"
            "size_bytes 0.1\n"
            "# HELP took_seconds Durations.\n"
            "# TYPE took_seconds histogram\n"
            "took_seconds_bucket{a=\"b\",le=\"0.0001\"} 1\n"
            "took_seconds_bucket{a=\"b\",le=\"2.5\"} 3\n"
            "took_seconds_bucket{a=\"b\",le=\"+Inf\"} 6\n"
            "took_seconds_sum{a=\"b\"} 9.25\n"
            "took_seconds_count{a=\"b\"} 6\n");
}

TEST(ExpositionTest, OpenMetricsNamesCountersWithoutTotalAndEnds) {
  const std::string text = Render(ExpositionFormat::kOpenMetrics);
  EXPECT_NE(text.find("# TYPE work_seconds counter\n"
                      "# UNIT work_seconds seconds\n"
                      "work_seconds_total{"),
            std::string::npos)
      << text;
  EXPECT_TRUE(text.ends_with("# EOF\n"));
}

}  // namespace
}  // namespace edgewise::http
