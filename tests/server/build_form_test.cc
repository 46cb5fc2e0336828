#include "server/build_form.h"

#include <gtest/gtest.h>

#include "server/own_origin.h"

namespace edgewise {
namespace {

http::Request AForm(const std::string& body) {
  http::Request request;
  request.headers = {{"Content-Type", "application/x-www-form-urlencoded"}};
  request.body = body;
  return request;
}

TEST(BuildFormTest, BecomesAnAppFile) {
  const auto text = AppFileOfBuild(
      AForm("app_name=waggle/plugin-objectcounter:0.0.0&app_args=-stream+'top "
            "live'+%24HOME&app_docker_args=-e+A%3D1"),
      {});
  ASSERT_TRUE(std::holds_alternative<std::string>(text));
  const auto app = ReadAppFile(std::get<std::string>(text), "form");
  ASSERT_TRUE(app) << app.error().message;
  EXPECT_EQ(app->name, "plugin-objectcounter");
  EXPECT_EQ(app->image, "waggle/plugin-objectcounter:0.0.0");
  // Split as a shell would, and nothing else that a shell does.
  EXPECT_EQ(app->targets.front().args,
            (std::vector<std::string>{"-stream", "top live", "$HOME"}));
  EXPECT_EQ(app->engine_args, (std::vector<std::string>{"--env", "A=1"}));
}

TEST(BuildFormTest, QueryWillDoAsWell) {
  http::Request request;
  request.query = {{"app_name", "localhost/a"}};
  EXPECT_TRUE(std::holds_alternative<std::string>(AppFileOfBuild(request, {})));
}

TEST(BuildFormTest, MistakesNameTheField) {
  const auto missing = AppFileOfBuild(AForm(""), {});
  EXPECT_EQ(std::get<Problem>(missing).field, "app_name");
  const auto quote = AppFileOfBuild(AForm("app_name=a&app_args='x"), {});
  EXPECT_EQ(std::get<Problem>(quote).field, "app_args");
}

TEST(OwnOriginTest, PagesOfOtherSitesAreRefused) {
  http::Request request;
  EXPECT_FALSE(RefuseOtherOrigin(request));  // a program
  request.headers = {{"Host", "127.0.0.1:7001"},
                     {"Origin", "http://127.0.0.1:7001"}};
  EXPECT_FALSE(RefuseOtherOrigin(request));
  request.headers[1].second = "http://evil.example";
  EXPECT_TRUE(RefuseOtherOrigin(request));
  // A name that was made to lead here.
  request.headers = {{"Host", "evil.example:7001"},
                     {"Origin", "http://evil.example:7001"}};
  EXPECT_TRUE(RefuseOtherOrigin(request));
}

}  // namespace
}  // namespace edgewise
