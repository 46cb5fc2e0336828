#include "prediction/coarse_model.h"

#include <gtest/gtest.h>

#include <cmath>

#include "prediction/small_fleet.h"

namespace edgewise {
namespace {

CoarseTable Terms(const LatencyData& data) {
  CoarseTable terms;
  for (const auto& fields : data.characteristics) {
    terms.emplace_back(CoarseTermsOf(*fields));
  }
  return terms;
}

TEST(CoarseModelTest, ALargerFieldIsNeverFaster) {
  const LatencyData data = SmallFleet();
  const CoarseModel model = FitCoarse(data.log_ms, Terms(data));
  double sum = 0;
  for (const double exponent : model.exponents) {
    EXPECT_GE(exponent, 0);
    sum += exponent;
  }
  EXPECT_GT(sum, 0);
}

TEST(CoarseModelTest, RecoversAPowerLaw) {
  LatencyData data = SmallFleet();
  const CoarseTable terms = Terms(data);
  for (Eigen::Index r = 0; r < data.log_ms.rows(); ++r) {
    for (Eigen::Index n = 0; n < data.log_ms.cols(); ++n) {
      data.log_ms(r, n) =
          static_cast<double>(r) + 0.7 * (*terms[static_cast<size_t>(n)])[4];
    }
  }
  const CoarseModel model = FitCoarse(data.log_ms, terms);
  EXPECT_NEAR(model.exponents[4], 0.7, 0.1);
}

TEST(CoarseModelTest, AbsurdFieldsGetAFiniteTimeAndAWarning) {
  const LatencyData data = SmallFleet();
  const CoarseModel model = FitCoarse(data.log_ms, Terms(data));
  Characteristics absurd;
  absurd.conv_layers = 66666666;
  absurd.total_parameters = 1e19;
  absurd.model_input_bytes = 345343543;
  const CoarseVector terms = CoarseTermsOf(absurd);
  EXPECT_TRUE(std::isfinite(std::exp(model.LogTime(terms, 3))));
  EXPECT_TRUE(model.OutOfDistribution(terms));
  EXPECT_FALSE(
      model.OutOfDistribution(CoarseTermsOf(*data.characteristics[0])));
}

}  // namespace
}  // namespace edgewise
