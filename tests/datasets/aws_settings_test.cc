#include "datasets/aws_settings.h"

#include <gmock/gmock.h>

#include "datasets/scratch.h"

namespace edgewise {
namespace {

using testing::HasSubstr;

class AwsSettingsTest : public ScratchTest {
 protected:
  Result<AwsSettings> Read() {
    variables_.emplace("HOME", scratch_.string());
    return ReadAwsSettings(
        [this](const std::string& name) -> std::optional<std::string> {
          const auto found = variables_.find(name);
          return found == variables_.end() ? std::nullopt
                                           : std::optional(found->second);
        });
  }
  std::map<std::string, std::string> variables_;
};

TEST_F(AwsSettingsTest, WithoutAnythingPublicBucketsCanBeRead) {
  const auto settings = Read();
  ASSERT_TRUE(settings);
  EXPECT_FALSE(settings->key);
  EXPECT_EQ(settings->endpoint, "https://s3.us-east-1.amazonaws.com");
}

TEST_F(AwsSettingsTest, VariablesComeBeforeProfiles) {
  Put(".aws/credentials",
      "[default]\naws_access_key_id=file\naws_secret_access_key=s\n");
  Put(".aws/config", "[default]\nregion=eu-west-1\n");
  variables_ = {{"AWS_ACCESS_KEY_ID", "id"},
                {"AWS_SECRET_ACCESS_KEY", "secret"},
                {"AWS_SESSION_TOKEN", "token"},
                {"AWS_ENDPOINT_URL", "http://general:1"},
                {"AWS_ENDPOINT_URL_S3", "http://special:1/"}};
  const auto settings = Read();
  ASSERT_TRUE(settings);
  EXPECT_EQ(settings->key->id, "id");
  EXPECT_EQ(settings->key->secret, "secret");
  EXPECT_EQ(settings->key->session_token, "token");
  EXPECT_EQ(settings->key->region, "eu-west-1");
  EXPECT_EQ(settings->endpoint, "http://special:1");
}

TEST_F(AwsSettingsTest, ProfilesAreReadFromBothFiles) {
  Put(".aws/credentials",
      "# keys\n[lab]\naws_access_key_id = a\naws_secret_access_key = b=c\n");
  Put(".aws/config",
      "[profile lab]\nregion = eu-north-1\nendpoint_url = http://lab:9000\n");
  variables_ = {{"AWS_PROFILE", "lab"}};
  const auto settings = Read();
  ASSERT_TRUE(settings) << settings.error().message;
  EXPECT_EQ(settings->key->secret, "b=c");
  EXPECT_EQ(settings->key->region, "eu-north-1");
  EXPECT_EQ(settings->endpoint, "http://lab:9000");
  EXPECT_THAT(settings->key_from, HasSubstr("the profile lab in "));
}

TEST_F(AwsSettingsTest, HalfOfWhatIsNeededIsRefused) {
  variables_ = {{"AWS_ACCESS_KEY_ID", "id"}};
  EXPECT_THAT(Read().error().message, HasSubstr("AWS_SECRET_ACCESS_KEY"));
  variables_ = {{"AWS_PROFILE", "none"}};
  EXPECT_THAT(Read().error().message, HasSubstr("no profile none"));
  Put(".aws/config", "[profile p]\ncredential_process = x\n");
  variables_ = {{"AWS_PROFILE", "p"}};
  EXPECT_THAT(Read().error().message, HasSubstr("export-credentials"));
}

TEST(AwsFileTest, BlocksAndQuotedNamesAreRead) {
  const AwsFile file = ParseAwsFile(
      "stray = 1\n[profile \"a b\"]\r\nregion = x \n[services s]\ns3 =\n"
      "  endpoint_url = http://h\n\tother = 2\nplain = 3\n[broken\nq = 1\n");
  EXPECT_EQ(file.at("a b").at("region"), "x");
  EXPECT_EQ(file.at("services s").at("s3.endpoint_url"), "http://h");
  EXPECT_EQ(file.at("services s").at("s3.other"), "2");
  EXPECT_EQ(file.at("services s").at("plain"), "3");
  EXPECT_EQ(file.size(), 2U);
}

}  // namespace
}  // namespace edgewise
