#include "cluster/prometheus.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "http/server.h"

namespace edgewise::cluster {
namespace {

using testing::HasSubstr;

TEST(PrometheusUrlTest, TakesAddressesAsPeopleWriteThem) {
  EXPECT_EQ(*PrometheusUrl("10.0.0.5:9091"), "http://10.0.0.5:9091");
  EXPECT_EQ(*PrometheusUrl("monitor"), "http://monitor:9090");
  EXPECT_EQ(*PrometheusUrl("https://monitor/prometheus/"),
            "https://monitor/prometheus");
  EXPECT_EQ(*PrometheusUrl("[::1]:9090"), "http://[::1]:9090");
}

TEST(PrometheusUrlTest, RefusesWhatIsNoAddress) {
  for (const char* text : {"", "ftp://x", "host:port", "a b", "host:99999"}) {
    EXPECT_FALSE(PrometheusUrl(text).ok()) << text;
  }
}

class PrometheusTest : public testing::Test {
 protected:
  Result<std::vector<Sample>> Ask(const http::Response& answer) {
    http::Router router;
    router.Add({"GET", "/api/v1/query", [&](const http::Request& request) {
                  asked_ = std::string(request.Query("query").value_or(""));
                  return answer;
                }});
    auto server = http::StartServer({}, std::move(router));
    EXPECT_TRUE(server.ok());
    PrometheusSettings settings;
    settings.url = http::ServerUrl("127.0.0.1", (*server)->port());
    auto prometheus = Prometheus::Open(settings);
    EXPECT_TRUE(prometheus.ok());
    return prometheus->Query("a{b=\"c d\"} + 1");
  }
  std::string asked_;
};

TEST_F(PrometheusTest, AsksWhatItIsToldTo) {
  const auto samples =
      Ask({.body = R"({"status":"success","data":{"resultType":"vector",)"
                   R"("result":[{"metric":{},"value":[1,"2"]}]}})"});
  ASSERT_TRUE(samples.ok());
  EXPECT_EQ(samples->size(), 1U);
  EXPECT_EQ(asked_, "a{b=\"c d\"} + 1");
}

TEST_F(PrometheusTest, ErrorsNameTheServer) {
  const auto refused = Ask({.status = 401, .body = "no"});
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code, ErrorCode::kPermission);
  EXPECT_THAT(refused.error().message, HasSubstr("http://127.0.0.1:"));
  EXPECT_FALSE(Ask({.status = 200, .body = "<html>"}).ok());
}

}  // namespace
}  // namespace edgewise::cluster
