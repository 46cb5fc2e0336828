#include "prediction/train.h"

#include <gmock/gmock.h>

#include <cmath>

#include "prediction/small_fleet.h"

namespace edgewise {
namespace {

TEST(TrainTest, AHeldOutNetworkIsPredicted) {
  LatencyData data = SmallFleet();
  const Eigen::VectorXd actual = data.log_ms.col(5);
  data.log_ms.col(5).setConstant(std::nan(""));
  const auto model = FitModel(data);
  ASSERT_TRUE(model);
  const CostVector costs = CostsOf(data.networks[5]);
  double error = 0;
  for (size_t r = 0; r < model->runs.size(); ++r) {
    error += std::abs(LogTime(costs, model->runs[r].log_rates) -
                      actual[static_cast<Eigen::Index>(r)]);
  }
  EXPECT_LT(error / static_cast<double>(model->runs.size()), 0.08);
}

TEST(TrainTest, OneWrongFigureHardlyMatters) {
  LatencyData data = SmallFleet();
  const auto before = FitModel(data);
  data.log_ms(3, 2) += std::log(50);
  const auto after = FitModel(data);
  ASSERT_TRUE(before);
  ASSERT_TRUE(after);
  const CostVector costs = CostsOf(data.networks[7]);
  EXPECT_NEAR(LogTime(costs, before->runs[3].log_rates),
              LogTime(costs, after->runs[3].log_rates), 0.1);
}

TEST(TrainTest, TheSameDataGiveTheSameModel) {
  const LatencyData data = SmallFleet();
  const auto a = FitModel(data);
  const auto b = FitModel(data);
  ASSERT_TRUE(a);
  ASSERT_TRUE(b);
  EXPECT_EQ(a->mean, b->mean);
  EXPECT_EQ(a->runs[4].log_rates, b->runs[4].log_rates);
}

TEST(TrainTest, TooFewNetworksAreRefused) {
  const auto model = FitModel(SmallFleet(7));
  ASSERT_FALSE(model);
  EXPECT_THAT(model.error().message, testing::HasSubstr("at least 8"));
}

TEST(TrainTest, MetricsAndIntervalsComeFromHeldOutGroups) {
  const auto model = TrainModel(SmallFleet(11, 20), "a test");
  ASSERT_TRUE(model);
  ASSERT_FALSE(model->metrics.empty());
  EXPECT_LT(*model->metrics[0].metrics.median_ape, 0.1);
  // MACs alone are worse than layers.
  EXPECT_GT(*model->metrics[1].metrics.median_ape,
            *model->metrics[0].metrics.median_ape);
  ASSERT_TRUE(model->widths[static_cast<size_t>(Basis::kKnownDevice)]);
  const auto& spec = model->widths[static_cast<size_t>(Basis::kSpecOnly)];
  ASSERT_TRUE(spec);
  EXPECT_GT(spec->below + spec->above,
            model->widths[static_cast<size_t>(Basis::kCalibrated)]->below);
}

}  // namespace
}  // namespace edgewise
