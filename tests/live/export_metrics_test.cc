#include "live/export_metrics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sample_snapshot.h"

namespace edgewise::live {
namespace {

using testing::HasSubstr;
using testing::Not;

const char kLabels[] =
    "app=\"cam \\\"1\\\"\",instance=\"0\",container=\"\",pod=\"\"";

TEST(MetricsTextTest, HasTheFamiliesOfAnApp) {
  const std::string text =
      MetricsText(SampleSnapshot(), http::ExpositionFormat::kText, {});
  const std::string labels = kLabels;
  EXPECT_THAT(text, HasSubstr("edgewise_app_up{" + labels + "} 1\n"));
  EXPECT_THAT(text, HasSubstr("edgewise_app_info{" + labels +
                              ",pid=\"42\",user=\"0\",site=\"7\"} 1\n"));
  EXPECT_THAT(text, HasSubstr("edgewise_app_span_duration_seconds_count{" +
                              labels + ",span=\"frame\"} 100\n"));
  EXPECT_THAT(text, HasSubstr("edgewise_app_span_duration_seconds_bucket{" +
                              labels + ",span=\"frame\",le=\"0.0025\"} 100\n"));
  EXPECT_THAT(text, HasSubstr("edgewise_app_deadline_misses_total{" + labels +
                              ",span=\"loop\"} 10\n"));
  EXPECT_THAT(text, HasSubstr("edgewise_app_reported_value{" + labels +
                              ",metric=\"queue len\"} 3\n"));
  EXPECT_THAT(
      text, HasSubstr("edgewise_app_cpu_seconds_total{" + labels + "} 0.5\n"));
  EXPECT_THAT(text, HasSubstr("edgewise_app_anomaly{" + labels +
                              ",kind=\"latency\"} 1\n"));
  EXPECT_THAT(text, HasSubstr("edgewise_node_temperature_celsius{zone=\"cpu\"} "
                              "51.5\n"));
  // What is unknown is not there, rather than 0.
  EXPECT_THAT(text, Not(HasSubstr("working_set")));
  EXPECT_THAT(text, Not(HasSubstr("tegra_")));
}

TEST(MetricsTextTest, OldNamesAreThereIfAskedFor) {
  OldNames all;
  all.tegra = all.characterisation = all.waggle = true;
  const std::string text =
      MetricsText(SampleSnapshot(), http::ExpositionFormat::kText, all);
  EXPECT_THAT(text, HasSubstr("tegra_cpu_util_percentage{cpu=\"1\"} 25\n"));
  EXPECT_THAT(text, HasSubstr("tegra_ram_used_bytes 41943040\n"));
  EXPECT_THAT(text,
              HasSubstr("tegra_temperature_celcius{sensor=\"cpu\"} 51.5"));
  EXPECT_THAT(text, HasSubstr("char_node_ram_total_bytes{char_node_name=\"pi\","
                              "char_node_class=\"Computer\","
                              "char_node_uuid=\"0000\"}"));
  EXPECT_THAT(text, HasSubstr("TegraRAMUsage{testbed_device=\"pi\"} 40\n"));
  EXPECT_THAT(text, HasSubstr("TegraCPUUsage{testbed_device=\"pi\"} 75\n"));
  EXPECT_THAT(text,
              HasSubstr("app0_frame_value{testbed_device=\"pi\"} 0.002\n"));
  EXPECT_THAT(text,
              HasSubstr("app0_queue_len_value{testbed_device=\"pi\"} 3\n"));
}

TEST(MetricsTextTest, FiguresOfAGpuThatAreNotToldAreLeftOut) {
  AgentSnapshot snapshot = SampleSnapshot();
  NodeGpu gpu;
  gpu.device.index = 1;
  gpu.device.name = "Orin";
  gpu.reading.busy_percent = 25;
  gpu.reading.throttle_bits = 0;
  snapshot.gpus.devices = {NodeGpu{}, gpu};
  const std::string text =
      MetricsText(snapshot, http::ExpositionFormat::kText, {});
  EXPECT_THAT(text, HasSubstr("edgewise_node_gpu_busy_ratio{gpu=\"1\","
                              "model=\"Orin\"} 0.25\n"));
  EXPECT_THAT(text, HasSubstr("edgewise_node_gpu_throttled{gpu=\"1\","
                              "model=\"Orin\"} 0\n"));
  EXPECT_THAT(text, Not(HasSubstr("gpu=\"0\"")));
  EXPECT_THAT(text, Not(HasSubstr("edgewise_node_gpu_power_watts")));
}

TEST(SnapshotJsonTest, CarriesIntervals) {
  const std::string json = SnapshotJson(SampleSnapshot());
  EXPECT_THAT(json, HasSubstr("\"app\":\"cam \\\"1\\\"\""));
  EXPECT_THAT(json, HasSubstr("\"sufficient\":true"));
  EXPECT_THAT(json, HasSubstr("\"sufficient\":false"));
}

}  // namespace
}  // namespace edgewise::live
