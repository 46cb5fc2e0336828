#include "server/profiling_request.h"

#include <gtest/gtest.h>

namespace edgewise {
namespace {

std::string Body(const std::string& more = "") {
  return R"({"model":"m","conv_layers":1,"pool_layers":2,"fc_layers":3,)"
         R"("filter_details":4,"total_parameters":10000000000000000000,)"
         R"("model_input_size":6,"model_output_size":7)" +
         more + "}";
}

Problem ProblemOf(const std::string& body) {
  const auto read = ReadProfilingRequest(body);
  EXPECT_TRUE(std::holds_alternative<Problem>(read)) << body;
  return std::holds_alternative<Problem>(read) ? std::get<Problem>(read)
                                               : Problem();
}

TEST(ProfilingRequestTest, HasTheEightFields) {
  const auto read = ReadProfilingRequest(Body());
  ASSERT_TRUE(std::holds_alternative<ProfilingRequest>(read));
  const auto& request = std::get<ProfilingRequest>(read);
  EXPECT_EQ(request.model.model, "m");
  EXPECT_DOUBLE_EQ(request.model.total_parameters, 1e19);
  EXPECT_DOUBLE_EQ(request.model.model_output_bytes, 7);
  EXPECT_FALSE(request.device);
}

TEST(ProfilingRequestTest, DeviceMakesItStandAlone) {
  const auto read = ReadProfilingRequest(
      Body(R"x(,"device_type":"d","cpu_usage(percentage)":95,)x"
           R"x("disk_usage(percentage)":0,"extra":true)x"));
  ASSERT_TRUE(std::holds_alternative<ProfilingRequest>(read));
  const auto& device = std::get<ProfilingRequest>(read).device;
  ASSERT_TRUE(device);
  EXPECT_EQ(device->type, "d");
  EXPECT_DOUBLE_EQ(device->cpu_percent, 95);
}

TEST(ProfilingRequestTest, ProblemNamesTheField) {
  EXPECT_EQ(ProblemOf(Body(R"(,"device_type":"d")")).field,
            "cpu_usage(percentage)");
  EXPECT_EQ(ProblemOf(Body(R"(,"device_type":7)")).field, "device_type");
  EXPECT_EQ(ProblemOf(Body(R"(,"fc_layers":-1)")).field, "fc_layers");
  EXPECT_EQ(ProblemOf(Body(R"(,"fc_layers":"x")")).code, "invalid_field");
  EXPECT_EQ(ProblemOf("{}").code, "missing_field");
}

}  // namespace
}  // namespace edgewise
