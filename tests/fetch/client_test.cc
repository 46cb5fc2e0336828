#include "fetch/client.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "base/text.h"
#include "http/server.h"
#include "http/tokens.h"

namespace edgewise::fetch {
namespace {

using testing::HasSubstr;

constexpr char kLong[] = "0123456789abcdefghij";

http::Response Describe(const http::Request& request) {
  std::string text = request.method + " " + request.body;
  for (const char* name : {"Authorization", "X-Extra", "x-amz-date",
                           "x-amz-security-token", "x-amz-content-sha256"}) {
    if (const auto value = request.Header(name)) {
      text += "\n" + std::string(name) + ": " + std::string(*value);
    }
  }
  return {.content_type = http::kTextType, .body = text};
}

// A file that can be had in part, as most servers offer.
http::Response PartOf(const http::Request& request) {
  const auto range = request.Header("Range");
  if (!range) {
    return {.content_type = http::kTextType, .body = kLong};
  }
  const size_t from = ParseUint(range->substr(6, range->size() - 7)).value();
  return {.status = 206,
          .content_type = http::kTextType,
          .body = std::string(kLong).substr(from)};
}

class ClientTest : public testing::Test {
 protected:
  ClientTest() {
    http::Router router;
    for (const char* method : {"GET", "POST", "PUT"}) {
      router.Add({method, "/describe", Describe});
    }
    router.Add({"GET", "/part", PartOf});
    router.Add({"GET", "/whole", [](const http::Request&) -> http::Response {
                  return {.body = kLong};
                }});
    router.Add(
        {"GET", "/other-part", [](const http::Request&) -> http::Response {
           return {.status = 206,
                   .body = kLong,
                   .headers = {{"Content-Range", "bytes 4-19/20"}}};
         }});
    router.Add({"GET", "/away", [](const http::Request&) -> http::Response {
                  return {.status = 302, .headers = {{"Location", "/whole"}}};
                }});
    router.Add({"GET", "/never", [this](const http::Request&) {
                  return http::EventStreamResponse(never_);
                }});
    auto server = http::StartServer({}, std::move(router));
    EXPECT_TRUE(server.ok()) << (server ? "" : server.error().message);
    server_ = std::move(*server);
    auto client = MakeClient();
    EXPECT_TRUE(client.ok()) << (client ? "" : client.error().message);
    client_ = std::move(*client);
    folder_ = std::filesystem::temp_directory_path() /
              ("edgewise_fetch_" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder_);
  }
  ~ClientTest() override { std::filesystem::remove_all(folder_); }

  Request To(const std::string& path) const {
    Request request;
    request.url = http::ServerUrl("127.0.0.1", server_->port()) + path;
    return request;
  }
  std::string BodyFrom(const Request& request) {
    const auto response = client_->Send(request);
    EXPECT_TRUE(response.ok()) << (response ? "" : response.error().message);
    return response ? response->body : "";
  }

  std::shared_ptr<http::Stream> never_ = std::make_shared<http::Stream>();
  std::unique_ptr<http::Server> server_;
  std::unique_ptr<Client> client_;
  std::filesystem::path folder_;
};

TEST_F(ClientTest, GetsPostsAndPuts) {
  Request request = To("/describe");
  request.headers = {{"X-Extra", "yes"}};
  const auto response = client_->Send(request);
  ASSERT_TRUE(response.ok());
  EXPECT_EQ(response->status, 200);
  EXPECT_EQ(response->body, "GET \nX-Extra: yes");
  EXPECT_EQ(response->Header("content-type"), "text/plain; charset=utf-8");
  request = To("/describe");
  request.method = "POST";
  request.body = std::string("a\0b", 3);
  EXPECT_EQ(BodyFrom(request), std::string("POST a\0b", 8));
  request.method = "PUT";
  EXPECT_EQ(BodyFrom(request), std::string("PUT a\0b", 7));
}

TEST_F(ClientTest, AnyStatusIsAnAnswer) {
  const auto response = client_->Send(To("/none"));
  ASSERT_TRUE(response.ok());
  EXPECT_EQ(response->status, 404);
  EXPECT_THAT(response->body, HasSubstr("not_found"));
}

TEST_F(ClientTest, SendsCredentials) {
  Request request = To("/describe");
  request.credentials.bearer_token = "0123456789";
  EXPECT_THAT(BodyFrom(request), HasSubstr("Authorization: Bearer 0123456789"));
  request = To("/describe");
  request.credentials.user = "me";
  request.credentials.password = "pass";
  EXPECT_THAT(BodyFrom(request),
              HasSubstr("Authorization: Basic bWU6cGFzcw=="));
  // None of it stays with the client.
  EXPECT_EQ(BodyFrom(To("/describe")), "GET ");
}

TEST_F(ClientTest, SignsForObjectStores) {
  Request request = To("/describe");
  request.credentials.key = SigningKey{"AKID", "secret", "session", "eu-1"};
  const std::string body = BodyFrom(request);
  EXPECT_THAT(body, HasSubstr("Authorization: AWS4-HMAC-SHA256 "
                              "Credential=AKID/"));
  EXPECT_THAT(body, HasSubstr("/eu-1/s3/aws4_request"));
  EXPECT_THAT(body, HasSubstr("x-amz-security-token: session"));
}

TEST_F(ClientTest, FollowsRedirectionsOnlyIfAsked) {
  Request request = To("/away");
  const auto stays = client_->Send(request);
  ASSERT_TRUE(stays.ok());
  EXPECT_EQ(stays->status, 302);
  request.follow_redirects = true;
  EXPECT_EQ(BodyFrom(request), kLong);
}

TEST_F(ClientTest, WritesIntoAFileAndGoesOnWhereItWas) {
  Request request = To("/part");
  request.into_file = folder_ / "part";
  EXPECT_EQ(BodyFrom(request), "");
  EXPECT_EQ(*TryReadFile(request.into_file), kLong);
  ASSERT_TRUE(
      WriteFile(request.into_file, "ABCDE rubbish that is cut off").ok());
  request.resume_from = 5;
  const auto resumed = client_->Send(request);
  ASSERT_TRUE(resumed.ok());
  EXPECT_EQ(resumed->status, 206);
  EXPECT_EQ(resumed->body_bytes, 15);
  EXPECT_EQ(*TryReadFile(request.into_file), "ABCDE56789abcdefghij");
}

TEST_F(ClientTest, BeginsAnewWhereTheServerCannotGoOn) {
  Request request = To("/whole");
  request.into_file = folder_ / "whole";
  ASSERT_TRUE(WriteFile(request.into_file, "ABCDE").ok());
  request.resume_from = 5;
  EXPECT_EQ(BodyFrom(request), "");
  EXPECT_EQ(*TryReadFile(request.into_file), kLong);
}

TEST_F(ClientTest, ErrorsDoNotReachTheFile) {
  Request request = To("/none");
  request.into_file = folder_ / "none";
  EXPECT_THAT(BodyFrom(request), HasSubstr("not_found"));
  EXPECT_FALSE(std::filesystem::exists(request.into_file));
}

TEST_F(ClientTest, TooMuchIsRefused) {
  Request request = To("/whole");
  request.max_body_bytes = 19;
  const auto refused = client_->Send(request);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code, ErrorCode::kCorrupt);
  EXPECT_THAT(refused.error().message, HasSubstr("more than 19 bytes"));
}

TEST_F(ClientTest, ServerThatDoesNotAnswerInTimeIsBusy) {
  Request request = To("/never");
  request.limit = std::chrono::milliseconds(50);
  const auto late = client_->Send(request);
  ASSERT_FALSE(late.ok());
  EXPECT_EQ(late.error().code, ErrorCode::kBusy);
}

TEST_F(ClientTest, NobodyThereIsSaid) {
  Request request = To("/");
  server_->Stop();
  const auto nobody = client_->Send(request);
  ASSERT_FALSE(nobody.ok());
  EXPECT_EQ(nobody.error().code, ErrorCode::kIo);
  EXPECT_THAT(nobody.error().message, HasSubstr(request.url));
}

TEST_F(ClientTest, OtherThanWebAddressesAreRefused) {
  for (const char* url : {"", "file:///etc/passwd", "localhost", "http://"}) {
    Request request;
    request.url = url;
    const auto refused = client_->Send(request);
    ASSERT_FALSE(refused.ok()) << url;
    EXPECT_EQ(refused.error().code, ErrorCode::kInvalid) << url;
  }
}

TEST_F(ClientTest, FileThatCannotBeWrittenIsNamed) {
  Request request = To("/whole");
  request.into_file = folder_ / "no" / "such" / "folder";
  const auto refused = client_->Send(request);
  ASSERT_FALSE(refused.ok());
  EXPECT_THAT(refused.error().message, HasSubstr(request.into_file.string()));
}

TEST_F(ClientTest, WhoeverAsksIsToldOfTheAnswerAndCanEndIt) {
  Request request = To("/whole");
  request.into_file = folder_ / "ended";
  request.go_on = [](const Response& so_far) {
    // Before the answer there is nothing to judge.
    return so_far.status == 0 || so_far.Header("content-length") != "20";
  };
  const auto ended = client_->Send(request);
  ASSERT_FALSE(ended.ok());
  EXPECT_EQ(ended.error().code, ErrorCode::kBusy);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "ended"));
  request.go_on = [](const Response&) { return true; };
  EXPECT_TRUE(client_->Send(request).ok());
  EXPECT_EQ(std::filesystem::file_size(folder_ / "ended"), 20);
}

TEST_F(ClientTest, AnotherPartThanAskedForIsRefused) {
  Request request = To("/other-part");
  request.into_file = folder_ / "part";
  ASSERT_TRUE(WriteFile(request.into_file, "01234"));
  request.resume_from = 5;
  const auto refused = client_->Send(request);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code, ErrorCode::kCorrupt);
  EXPECT_EQ(std::filesystem::file_size(request.into_file), 5);
}

}  // namespace
}  // namespace edgewise::fetch
