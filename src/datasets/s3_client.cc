#include "datasets/s3_client.h"

#include <cmath>
#include <ctime>

#include "base/clock.h"
#include "base/units.h"
#include "datasets/retry.h"
#include "datasets/url.h"

namespace edgewise {
namespace {

constexpr size_t kMaxObjects = 1'000'000;

// How far this machine's clock is off, as the answer's Date has it.
std::string ClockOffset(const fetch::Response& response) {
  const auto date = response.Header("date");
  std::tm parts{};
  if (!date || ::strptime(std::string(*date).c_str(),
                          "%a, %d %b %Y %H:%M:%S GMT", &parts) == nullptr) {
    return "";
  }
  const double off_ns = static_cast<double>(UtcNs()) -
                        static_cast<double>(::timegm(&parts)) * kNsPerSecond;
  return " by " + FormatDuration(std::abs(off_ns));
}

Error NotPermitted(const std::string& sentence) {
  return {ErrorCode::kPermission, sentence};
}

}  // namespace

fetch::Request S3Bucket::RequestTo(const std::string& path_and_query) const {
  fetch::Request request;
  request.url = settings_.endpoint + "/" + bucket_ + path_and_query;
  request.credentials.key = settings_.key;
  request.ca_file = settings_.ca_file;
  return request;
}

fetch::Request S3Bucket::ObjectRequest(const std::string& key) const {
  return RequestTo("/" + PercentEncode(key, /*keep_slash=*/true));
}

Result<S3Page> S3Bucket::ListPage(fetch::Client& client,
                                  const std::string& prefix,
                                  const std::string& token, Retries retries,
                                  const std::function<bool()>& go_on) const {
  // The signature wants the parameters in the order of their names.
  std::string query = "?";
  if (!token.empty()) {
    query += "continuation-token=" + PercentEncode(token, false) + "&";
  }
  query += "list-type=2&max-keys=1000&prefix=" + PercentEncode(prefix, false);
  fetch::Request request = RequestTo(query);
  request.go_on = [&go_on](const fetch::Response&) { return go_on(); };
  for (;;) {
    const auto response = client.Send(request);
    if (response && response->status == 200) {
      return ParseS3Page(response->body);
    }
    const Error error = response ? Explain(*response) : response.error();
    const bool may_recover =
        response ? MayRecover(*response) : MayRecover(error);
    if (!may_recover || !go_on() ||
        !retries.Again(response ? &*response : nullptr, go_on)) {
      return error;
    }
  }
}

Result<std::vector<S3Object>> S3Bucket::List(
    fetch::Client& client, const std::string& prefix, Retries retries,
    const std::function<bool()>& go_on) const {
  std::vector<S3Object> objects;
  std::string token;
  do {
    auto page = ListPage(client, prefix, token, retries, go_on);
    if (!page) {
      return page.error();
    }
    objects.insert(objects.end(),
                   std::make_move_iterator(page->objects.begin()),
                   std::make_move_iterator(page->objects.end()));
    const bool is_stuck = !token.empty() && token == page->next_token;
    if (objects.size() > kMaxObjects || is_stuck) {
      return Error{ErrorCode::kCorrupt, "s3://" + bucket_ + "/" + prefix +
                                            " has more than " +
                                            FormatCount(kMaxObjects, "object") +
                                            ": name a longer prefix"};
    }
    token = page->next_token;
  } while (!token.empty());
  return objects;
}

Error S3Bucket::Explain(const fetch::Response& response) const {
  S3Failure failure = ParseS3Failure(response.body);
  if (const auto region = response.Header("x-amz-bucket-region")) {
    failure.region = *region;
  }
  const std::string& code = failure.code;
  const std::string bucket = "the bucket " + bucket_;
  if (!failure.region.empty() && failure.region != settings_.region &&
      (response.status == 301 || response.status == 307 ||
       response.status == 400)) {
    return {ErrorCode::kInvalid, bucket + " is in the region " +
                                     failure.region + ", not in " +
                                     settings_.region + ": set AWS_REGION"};
  }
  if (code == "RequestTimeTooSkewed") {
    return NotPermitted(
        settings_.endpoint + " refuses us because this machine's clock is off" +
        ClockOffset(response) + ": set it (timedatectl set-ntp true)");
  }
  if (code == "SignatureDoesNotMatch") {
    return NotPermitted("the secret key from " + settings_.key_from +
                        " does not belong to its access key: check both");
  }
  if (code == "InvalidAccessKeyId") {
    return NotPermitted(settings_.endpoint +
                        " does not know the access key from " +
                        settings_.key_from + ": check it");
  }
  if (code == "ExpiredToken" || code == "TokenRefreshRequired" ||
      code == "InvalidToken") {
    return NotPermitted("the session token with the access key from " +
                        settings_.key_from +
                        " has expired or is wrong: get a new one");
  }
  if (code == "NoSuchBucket") {
    return {ErrorCode::kNotFound,
            "there is no bucket " + bucket_ + " at " + settings_.endpoint +
                ": check its name, or set AWS_ENDPOINT_URL"};
  }
  if (code == "NoSuchKey" || response.status == 404) {
    return {ErrorCode::kNotFound,
            "there is no such object in " + bucket + ": check the source"};
  }
  if (response.status == 412) {
    return {ErrorCode::kCorrupt, "an object of " + bucket +
                                     " changed while it was fetched: try "
                                     "again when nobody writes there"};
  }
  if (response.status == 401 || response.status == 403) {
    return NotPermitted(
        settings_.key
            ? bucket + " may not be read with the access key from " +
                  settings_.key_from + " (" + code +
                  "): let its owner grant ListBucket and GetObject"
            : bucket +
                  " is not public: set AWS_ACCESS_KEY_ID and "
                  "AWS_SECRET_ACCESS_KEY, or a profile in ~/.aws/credentials");
  }
  const std::string words = code.empty() ? "" : ", " + code;
  return {ErrorCode::kIo, settings_.endpoint + " fails (" +
                              std::to_string(response.status) + words +
                              "): try again later"};
}

}  // namespace edgewise
