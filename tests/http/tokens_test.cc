#include "http/tokens.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "base/text.h"

namespace edgewise::http {
namespace {

const std::vector<std::string> kTokens = {"first-token-of-two",
                                          "second-token-of-two"};

TEST(TokensTest, SecretsAreSameOnlyIfAllOfThemIs) {
  EXPECT_TRUE(SameSecret("abc", "abc"));
  EXPECT_FALSE(SameSecret("abc", "abd"));
  EXPECT_FALSE(SameSecret("abc", "abcabc"));
  EXPECT_FALSE(SameSecret("abcabc", "abc"));
  EXPECT_FALSE(SameSecret("", "abc"));
  EXPECT_FALSE(SameSecret("abc", ""));
}

TEST(TokensTest, BearerTokenPermits) {
  EXPECT_TRUE(IsPermitted("Bearer second-token-of-two", kTokens));
  EXPECT_TRUE(IsPermitted("bearer first-token-of-two", kTokens));
  EXPECT_FALSE(IsPermitted("Bearer first-token-of-tw", kTokens));
  EXPECT_FALSE(IsPermitted("first-token-of-two", kTokens));
  EXPECT_FALSE(IsPermitted("Digest first-token-of-two", kTokens));
  EXPECT_FALSE(IsPermitted("Bearer", kTokens));
  EXPECT_FALSE(IsPermitted("Bearer ", kTokens));
  EXPECT_FALSE(IsPermitted(std::nullopt, kTokens));
  EXPECT_FALSE(IsPermitted("Bearer x", {}));
}

TEST(TokensTest, PasswordOfBasicPermitsWhoeverTheUserIs) {
  // user:first-token-of-two
  EXPECT_TRUE(IsPermitted("Basic dXNlcjpmaXJzdC10b2tlbi1vZi10d28=", kTokens));
  // first-token-of-two, without a user
  EXPECT_FALSE(IsPermitted("Basic Zmlyc3QtdG9rZW4tb2YtdHdv", kTokens));
  EXPECT_FALSE(IsPermitted("Basic !!!", kTokens));
}

TEST(TokensTest, DecodesBase64) {
  EXPECT_EQ(DecodeBase64("aGVsbG8="), "hello");
  EXPECT_EQ(DecodeBase64("aGVsbG8"), "hello");
  EXPECT_EQ(DecodeBase64(""), "");
  EXPECT_EQ(DecodeBase64("aG V"), std::nullopt);
}

class TokenFileTest : public testing::Test {
 protected:
  ~TokenFileTest() override { std::filesystem::remove(path_); }
  Result<std::vector<std::string>> Read(std::string_view text) {
    EXPECT_TRUE(WriteFile(path_, text).ok());
    return ReadTokens(path_);
  }
  const std::filesystem::path path_ =
      std::filesystem::temp_directory_path() /
      ("edgewise_tokens_" + std::to_string(::getpid()));
};

TEST_F(TokenFileTest, HasOneTokenALine) {
  const auto tokens = Read("# for jobs\n\n 0123456789abcdef \r\n");
  ASSERT_TRUE(tokens.ok());
  EXPECT_THAT(*tokens, testing::ElementsAre("0123456789abcdef"));
}

TEST_F(TokenFileTest, RefusesShortTokensAndNone) {
  EXPECT_THAT(Read("secret\n").error().message,
              testing::HasSubstr("16 characters"));
  EXPECT_THAT(Read("# none\n").error().message,
              testing::HasSubstr("has no token"));
  EXPECT_FALSE(ReadTokens("/no/such/file").ok());
}

}  // namespace
}  // namespace edgewise::http
