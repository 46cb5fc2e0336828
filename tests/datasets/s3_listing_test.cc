#include "datasets/s3_listing.h"

#include <gtest/gtest.h>

#include <string>

namespace edgewise {
namespace {

constexpr char kPage[] = R"(<?xml version="1.0" encoding="UTF-8"?>
<!-- made by hand -->
<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">
  <Name>lab</Name><Prefix>a/</Prefix><KeyCount>2</KeyCount>
  <IsTruncated>true</IsTruncated>
  <NextContinuationToken>1/a&amp;b==</NextContinuationToken>
  <Contents><Key>a/x&#38;y &lt;&#xFC;&gt;</Key><Size>12</Size>
    <ETag>&quot;e1&quot;</ETag><Owner><ID>me</ID><Key>no</Key></Owner></Contents>
  <Contents><Size>0</Size><ETag/><Key>a/z</Key></Contents>
  <CommonPrefixes><Prefix>b/</Prefix></CommonPrefixes>
</ListBucketResult>)";

TEST(S3ListingTest, PagesAreRead) {
  const auto page = ParseS3Page(kPage);
  ASSERT_TRUE(page) << page.error().message;
  ASSERT_EQ(page->objects.size(), 2U);
  EXPECT_EQ(page->objects[0].key, "a/x&y <ü>");
  EXPECT_EQ(page->objects[0].etag, "\"e1\"");
  EXPECT_EQ(page->objects[0].bytes, 12);
  EXPECT_EQ(page->objects[1].key, "a/z");
  EXPECT_EQ(page->objects[1].etag, "");
  EXPECT_EQ(page->next_token, "1/a&b==");
}

TEST(S3ListingTest, AnEmptyBucketHasNoObjects) {
  const auto page = ParseS3Page(
      "<ListBucketResult><IsTruncated>false</IsTruncated></ListBucketResult>");
  ASSERT_TRUE(page);
  EXPECT_TRUE(page->objects.empty());
  EXPECT_TRUE(page->next_token.empty());
}

TEST(S3ListingTest, HalfAPageIsNone) {
  const std::string page = kPage;
  for (size_t length = 0; length < page.size(); ++length) {
    ASSERT_FALSE(ParseS3Page(page.substr(0, length))) << length;
  }
}

TEST(S3ListingTest, WhatIsNoListingIsRefused) {
  EXPECT_FALSE(ParseS3Page(""));
  EXPECT_FALSE(ParseS3Page("<html><body>hello</body></html>"));
  EXPECT_FALSE(ParseS3Page("<!DOCTYPE x [<!ENTITY y \"z\">]><a/>"));
  EXPECT_FALSE(
      ParseS3Page("<ListBucketResult><Contents><Key>a</Key></Contents></"
                  "ListBucketResult>"));
  EXPECT_FALSE(
      ParseS3Page("<ListBucketResult><Contents><Key>a</Key><Size>-1</Size>"
                  "</Contents></ListBucketResult>"));
  EXPECT_FALSE(ParseS3Page(
      "<ListBucketResult><IsTruncated>true</IsTruncated></ListBucketResult>"));
}

TEST(S3ListingTest, FailuresAreRead) {
  const S3Failure failure = ParseS3Failure(
      "<Error><Code>NoSuchKey</Code><Message>The &quot;key&quot;</Message>"
      "<Region>eu-west-1</Region></Error>");
  EXPECT_EQ(failure.code, "NoSuchKey");
  EXPECT_EQ(failure.message, "The \"key\"");
  EXPECT_EQ(failure.region, "eu-west-1");
  EXPECT_EQ(ParseS3Failure("Bad Gateway").code, "");
}

}  // namespace
}  // namespace edgewise
