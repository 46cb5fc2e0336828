#include "datasets/url.h"

#include <gtest/gtest.h>

namespace edgewise {
namespace {

TEST(HttpUrlTest, SecretsArePartOfTheRequestButNotOfWhatIsShown) {
  const auto url =
      ParseHttpUrl("https://me:p%40ss@host:8443/a/b%20c.zip?token=x#part");
  ASSERT_TRUE(url) << url.error().message;
  EXPECT_EQ(url->url, "https://host:8443/a/b%20c.zip?token=x");
  EXPECT_EQ(url->user, "me");
  EXPECT_EQ(url->password, "p@ss");
  EXPECT_EQ(url->file, "b c.zip");
  EXPECT_EQ(url->shown, "https://host:8443/a/b%20c.zip?…");
}

TEST(HttpUrlTest, WhatIsNoneIsRefused) {
  EXPECT_FALSE(ParseHttpUrl("https://"));
  EXPECT_FALSE(ParseHttpUrl("http:///path"));
  EXPECT_FALSE(ParseHttpUrl("http://host/a b"));
  EXPECT_EQ(ParseHttpUrl("http://host")->file, "");
  EXPECT_TRUE(IsHttpUrl("HTTPS://x"));
  EXPECT_FALSE(IsHttpUrl("https.tar"));
}

TEST(S3UrlTest, NamesABucketAndAKey) {
  EXPECT_EQ(ParseS3Url("s3://lab/a/b/")->bucket, "lab");
  EXPECT_EQ(ParseS3Url("s3://lab/a/b/")->key, "a/b");
  EXPECT_EQ(ParseS3Url("s3://lab")->key, "");
  EXPECT_EQ(ParseS3Url("s3://lab//a")->key, "a");
  EXPECT_FALSE(ParseS3Url("s3://"));
  EXPECT_FALSE(ParseS3Url("s3:///a"));
  EXPECT_FALSE(ParseS3Url("s3://../a"));
  EXPECT_FALSE(ParseS3Url("s3://a?b/c"));
}

TEST(PercentTest, EncodesAllThatSignaturesWantEncoded) {
  EXPECT_EQ(PercentEncode("a-_.~/b c+ü", true), "a-_.~/b%20c%2B%C3%BC");
  EXPECT_EQ(PercentEncode("a/b", false), "a%2Fb");
  EXPECT_EQ(PercentDecode("a%2fb%C3%BC"), "a/bü");
  EXPECT_EQ(PercentDecode("100%"), "100%");
  EXPECT_EQ(PercentDecode("%4"), "%4");
  EXPECT_EQ(PercentDecode("%zz"), "%zz");
  EXPECT_EQ(PercentDecode("%-1%41"), "%-1A");
}

}  // namespace
}  // namespace edgewise
