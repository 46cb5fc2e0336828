#include <gtest/gtest.h>

#include <filesystem>

#include "jobs/job_rules.h"
#include "store/temp_home.h"

namespace edgewise {
namespace {

class PermitTest : public ::testing::Test {
 protected:
  PermitTest() {
    std::filesystem::create_directories(home_.path() / "data/inner");
    std::filesystem::create_directories(home_.path() / "out");
    std::filesystem::create_directory_symlink("/etc",
                                              home_.path() / "data/escape");
    rules_.images = {"localhost/*"};
    rules_.mounts = {{home_.path() / "data", false},
                     {home_.path() / "out", true}};
  }
  std::optional<std::string> WhyNot(const std::string& rest) {
    const auto app =
        ReadAppFile("name: a\nimage: localhost/a:1\n" + rest, "app.yaml");
    EXPECT_TRUE(app) << (app ? "" : app.error().message);
    return WhyNotPermitted(*app, rules_);
  }
  std::string Data(const char* inner = "") {
    return (home_.path() / "data").string() + inner;
  }
  TempHome home_;
  JobRules rules_;
};

TEST_F(PermitTest, AllowedImagesAndHarmlessOptionsPass) {
  EXPECT_EQ(WhyNot(""), std::nullopt);
  EXPECT_EQ(WhyNot("engine_args: [-e, A=1, --shm-size=64m, --network, none, "
                   "--rm, -it]\n"),
            std::nullopt);
}

TEST_F(PermitTest, OtherImagesAndCommandsAreRefused) {
  const auto other =
      ReadAppFile("name: a\nimage: docker.io/evil\n", "app.yaml");
  EXPECT_TRUE(WhyNotPermitted(*other, rules_));
  const auto command = ReadAppFile("name: a\ncommand: [/bin/sh]\n", "app.yaml");
  EXPECT_TRUE(WhyNotPermitted(*command, rules_));
  rules_.commands = true;
  EXPECT_FALSE(WhyNotPermitted(*command, rules_));
  JobRules none;
  const auto local = ReadAppFile("name: a\nimage: localhost/a\n", "app.yaml");
  EXPECT_NE(WhyNotPermitted(*local, none)->find("--allow-image"),
            std::string::npos);
}

TEST_F(PermitTest, MountsStayWithinWhatIsAllowed) {
  const auto mount = [this](const std::string& text) {
    return WhyNot("engine_args: [\"-v\", \"" + text + "\"]\n");
  };
  EXPECT_EQ(mount(Data("/inner") + ":/in:ro"), std::nullopt);
  EXPECT_EQ(mount((home_.path() / "out").string() + ":/out"), std::nullopt);
  EXPECT_TRUE(mount(Data() + ":/in"));             // not read-only
  EXPECT_TRUE(mount(Data("/../x") + ":/x:ro"));    // above it
  EXPECT_TRUE(mount(Data("/escape") + ":/x:ro"));  // a link out of it
  EXPECT_TRUE(mount(Data("2") + ":/x:ro"));        // only begins alike
  EXPECT_TRUE(mount("/etc:/etc:ro"));
  EXPECT_TRUE(mount("volume:/x:ro"));
  EXPECT_TRUE(mount("./here:/x:ro"));
  EXPECT_EQ(WhyNot("engine_args: [\"--mount\", \"type=bind,source=" + Data() +
                   ",target=/in,ro\"]\n"),
            std::nullopt);
  EXPECT_TRUE(
      WhyNot("engine_args: [\"--mount\", \"type=bind,source=/etc,"
             "target=/in,ro\"]\n"));
}

TEST_F(PermitTest, OptionsThatReachOutAreRefused) {
  for (const char* option :
       {"--privileged", "--privileged=true", "--pid=host", "--network=host",
        "--net=host", "--device=/dev/mem", "--cap-add=ALL",
        "--security-opt=label=disable", "--userns=host", "--env=HOME",
        "--volumes-from=x", "--gpus=all", "stray"}) {
    EXPECT_TRUE(WhyNot(std::string("engine_args: [\"") + option + "\"]\n"))
        << option;
  }
  // A flag must not hide the option behind it.
  EXPECT_TRUE(WhyNot("engine_args: [\"--privileged\", \"-e\", \"A=1\"]\n"));
}

TEST_F(PermitTest, CompanionsDevicesAndDatasetsAreCheckedToo) {
  EXPECT_TRUE(WhyNot("needs: [{name: b, image: docker.io/b}]\n"));
  EXPECT_EQ(WhyNot("needs: [{name: b, image: localhost/b}]\n"), std::nullopt);
  EXPECT_TRUE(WhyNot("limits: {devices: [/dev/video0]}\n"));
  rules_.devices = {"/dev/video0"};
  EXPECT_EQ(WhyNot("limits: {devices: [/dev/video0]}\n"), std::nullopt);
  EXPECT_TRUE(WhyNot("data: {source: \"s3://bucket/x\"}\n"));
  rules_.data = {"s3://bucket/"};
  EXPECT_EQ(WhyNot("data: {source: \"s3://bucket/x\"}\n"), std::nullopt);
  EXPECT_TRUE(WhyNot("data: {source: \"s3://other/x\"}\n"));
  EXPECT_TRUE(WhyNot("data: {source: /etc}\n"));
  EXPECT_EQ(WhyNot("data: {source: " + Data("/inner") + "}\n"), std::nullopt);
  EXPECT_TRUE(WhyNot("targets: [{name: t, data: {source: /etc}}]\n"));
}

TEST_F(PermitTest, OldCallersPathsAreAdaptedAndThenChecked) {
  rules_.folder = home_.path();
  const auto args =
      AdaptEngineArgs({"-v", "./data/inner:/in", "-e", "A=1"}, rules_);
  EXPECT_EQ(args, (std::vector<std::string>{"-v", Data("/inner") + ":/in:ro",
                                            "--env", "A=1"}));
}

}  // namespace
}  // namespace edgewise
