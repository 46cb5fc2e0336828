#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/text.h"
#include "mqtt/pipeline_report.h"

namespace edgewise::mqtt {
namespace {

using testing::HasSubstr;
using testing::Not;

StageFigures Figures(Stage stage, double ns,
                     std::optional<double> share = std::nullopt) {
  StageFigures figures;
  figures.stage = stage;
  figures.ns.count = 1000;
  figures.ns.mean = ns;
  figures.ns.p50 = stats::Estimate{ns, ns, ns};
  figures.ns.p99 = stats::Estimate{ns, ns, ns};
  if (share) {
    figures.share = stats::Estimate{*share, *share, *share};
  }
  return figures;
}

PipelineReport ReportOf(PipelineCell cell) {
  cell.name = "QoS 1, 1 KiB";
  cell.qos = "1";
  PipelineReport report;
  report.cells.push_back(std::move(cell));
  return report;
}

std::string AdviceFor(PipelineCell cell) {
  return Join(PipelineAdvice(ReportOf(std::move(cell))), "\n");
}

TEST(PipelineAdviceTest, NamesTheLargestStage) {
  PipelineCell cell;
  cell.stages = {Figures(Stage::kWork, 8e6, 0.8),
                 Figures(Stage::kToConsumer, 2e6, 0.2),
                 Figures(Stage::kTotal, 10e6), Figures(Stage::kNaive, 10e6)};
  EXPECT_THAT(AdviceFor(cell),
              HasSubstr("takes 10 ms from when it was due (p50); the largest "
                        "share, 80%, is \"work\""));
}

TEST(PipelineAdviceTest, SaysWhatWasLostAndWhy) {
  PipelineCell cell;
  cell.account.sent = 900;
  cell.account.lost = 12;
  cell.account.refused = 5;
  cell.account.dropped = 7;
  EXPECT_THAT(AdviceFor(cell),
              HasSubstr("12 of 900 messages never came; 5 were due without a "
                        "connection; 7 were dropped by the processor's full "
                        "queue."));
}

TEST(PipelineAdviceTest, SaysWhatTheNaiveFigureHides) {
  PipelineCell cell;
  cell.stages = {Figures(Stage::kTotal, 100e6), Figures(Stage::kNaive, 10e6)};
  EXPECT_THAT(AdviceFor(cell), HasSubstr("p99 would be 10 ms"));
  cell.stages = {Figures(Stage::kTotal, 10e6), Figures(Stage::kNaive, 9.9e6)};
  EXPECT_THAT(AdviceFor(cell), Not(HasSubstr("would be")));
}

TEST(PipelineAdviceTest, ANegativeTimeIsExplained) {
  PipelineCell cell;
  cell.stages = {Figures(Stage::kNaive, 1e6)};
  cell.account.negative = 3;
  cell.account.most_negative_ns = -500'000;
  EXPECT_THAT(AdviceFor(cell), HasSubstr("clocks of the programs disagree"));
  cell.stages[0].bound_ns = 800'000;
  EXPECT_THAT(AdviceFor(cell), HasSubstr("within what the clocks"));
  cell.stages[0].bound_ns = 100'000;
  EXPECT_THAT(AdviceFor(cell), HasSubstr("more than the exchange allows"));
}

TEST(PipelineAdviceTest, ABrokerThatHoldsMessagesBackIsSuspected) {
  PipelineCell cell;
  cell.stages = {Figures(Stage::kToConsumer, 40e6)};
  cell.impairment = "none";
  cell.run.details = {{"broker", "localhost:1883"},
                      {"broker_version", "mosquitto version 2.0.11"}};
  EXPECT_THAT(AdviceFor(cell), HasSubstr("set_tcp_nodelay true"));
  cell.impairment = "delay=40ms";
  EXPECT_THAT(AdviceFor(cell), Not(HasSubstr("set_tcp_nodelay")));
}

TEST(PipelineAdviceTest, SaysByWhichMeansALinkWasImpaired) {
  PipelineCell cell;
  cell.impairment = "loss=1%";
  cell.run.details = {{"impaired_how", "A proxy models loss as delay."}};
  EXPECT_THAT(AdviceFor(cell), HasSubstr("loss=1%: A proxy models"));
}

}  // namespace
}  // namespace edgewise::mqtt
