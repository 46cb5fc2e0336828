// The Client over libcurl's easy interface: one handle, reused, so that
// connections stay open.
#include <curl/curl.h>

#include <mutex>

#include "base/sha256.h"
#include "fetch/client.h"
#include "fetch/curl/transfer.h"

namespace edgewise::fetch {
namespace {

constexpr long kMaxRedirects = 5;
constexpr long kSlowSeconds = 30;

struct HeaderList {
  ~HeaderList() { curl_slist_free_all(first); }
  void Add(const std::string& line) {
    if (curl_slist* const longer = curl_slist_append(first, line.c_str())) {
      first = longer;
    }
  }
  curl_slist* first = nullptr;
};

class CurlClient : public Client {
 public:
  CurlClient() : easy_(curl_easy_init()) {}
  ~CurlClient() override {
    if (easy_ != nullptr) {
      curl_easy_cleanup(easy_);
    }
  }
  CurlClient(const CurlClient&) = delete;
  CurlClient& operator=(const CurlClient&) = delete;

  Result<Response> Send(const Request& request) override;

 private:
  void SetTarget(const Request& request);
  void SetLimits(const Request& request);
  void SetMethod(const Request& request);
  void SetCredentials(const Request& request, HeaderList& headers);
  Error Explain(CURLcode code, const Request& request) const;

  CURL* easy_;
  char problem_[CURL_ERROR_SIZE] = "";
};

Result<Response> CurlClient::Send(const Request& request) {
  if (easy_ == nullptr) {
    return Error{ErrorCode::kUnsupported,
                 "libcurl cannot start: free some memory"};
  }
  if (!request.url.starts_with("http://") &&
      !request.url.starts_with("https://")) {
    return Error{ErrorCode::kInvalid,
                 "\"" + request.url +
                     "\" is not an address: write http://HOST or "
                     "https://HOST, with a path if need be"};
  }
  curl_easy_reset(easy_);  // keeps connections
  problem_[0] = '\0';
  SetTarget(request);
  SetLimits(request);
  SetMethod(request);
  HeaderList headers;
  for (const auto& [name, value] : request.headers) {
    headers.Add(name + ": " + value);
  }
  SetCredentials(request, headers);
  if (headers.first != nullptr) {
    curl_easy_setopt(easy_, CURLOPT_HTTPHEADER, headers.first);
  }
  Transfer transfer(request, easy_);
  transfer.Attach();
  const CURLcode code = curl_easy_perform(easy_);
  if (transfer.error()) {
    return *transfer.error();
  }
  if (code != CURLE_OK) {
    return Explain(code, request);
  }
  long status = 0;
  curl_easy_getinfo(easy_, CURLINFO_RESPONSE_CODE, &status);
  transfer.response().status = static_cast<int>(status);
  return std::move(transfer.response());
}

void CurlClient::SetTarget(const Request& request) {
  curl_easy_setopt(easy_, CURLOPT_ERRORBUFFER, problem_);
  curl_easy_setopt(easy_, CURLOPT_URL, request.url.c_str());
  curl_easy_setopt(easy_, CURLOPT_PROTOCOLS_STR, "http,https");
  curl_easy_setopt(easy_, CURLOPT_REDIR_PROTOCOLS_STR, "http,https");
  curl_easy_setopt(easy_, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(easy_, CURLOPT_USERAGENT, "edgewise");
  if (request.follow_redirects) {
    curl_easy_setopt(easy_, CURLOPT_FOLLOWLOCATION, 1L);
    curl_easy_setopt(easy_, CURLOPT_MAXREDIRS, kMaxRedirects);
  }
  if (!request.ca_file.empty()) {
    curl_easy_setopt(easy_, CURLOPT_CAINFO, request.ca_file.c_str());
    curl_easy_setopt(easy_, CURLOPT_CAPATH, nullptr);
  }
}

void CurlClient::SetLimits(const Request& request) {
  curl_easy_setopt(easy_, CURLOPT_CONNECTTIMEOUT_MS,
                   static_cast<long>(request.connect_limit.count()));
  curl_easy_setopt(easy_, CURLOPT_TIMEOUT_MS,
                   static_cast<long>(request.limit.count()));
  if (request.least_bytes_per_s > 0) {
    curl_easy_setopt(easy_, CURLOPT_LOW_SPEED_LIMIT,
                     static_cast<long>(request.least_bytes_per_s));
    curl_easy_setopt(easy_, CURLOPT_LOW_SPEED_TIME, kSlowSeconds);
  }
  if (request.resume_from > 0) {
    curl_easy_setopt(easy_, CURLOPT_RANGE,
                     (std::to_string(request.resume_from) + "-").c_str());
  }
}

void CurlClient::SetMethod(const Request& request) {
  if (request.method == "GET") {
    return;
  }
  if (request.method == "HEAD") {
    curl_easy_setopt(easy_, CURLOPT_NOBODY, 1L);
    return;
  }
  curl_easy_setopt(easy_, CURLOPT_POST, 1L);
  curl_easy_setopt(easy_, CURLOPT_CUSTOMREQUEST, request.method.c_str());
  curl_easy_setopt(easy_, CURLOPT_POSTFIELDS, request.body.data());
  curl_easy_setopt(easy_, CURLOPT_POSTFIELDSIZE_LARGE,
                   static_cast<curl_off_t>(request.body.size()));
}

void CurlClient::SetCredentials(const Request& request, HeaderList& headers) {
  const Credentials& credentials = request.credentials;
  if (credentials.key) {
    const SigningKey& key = *credentials.key;
    const std::string scheme = "aws:amz:" + key.region + ":" + key.service;
    curl_easy_setopt(easy_, CURLOPT_AWS_SIGV4, scheme.c_str());
    curl_easy_setopt(easy_, CURLOPT_USERNAME, key.id.c_str());
    curl_easy_setopt(easy_, CURLOPT_PASSWORD, key.secret.c_str());
    // Object stores insist on it; curl signs it but does not send it itself.
    headers.Add("X-Amz-Content-Sha256: " + Sha256Of(request.body));
    if (!key.session_token.empty()) {
      headers.Add("X-Amz-Security-Token: " + key.session_token);
    }
  } else if (!credentials.bearer_token.empty()) {
    curl_easy_setopt(easy_, CURLOPT_HTTPAUTH, CURLAUTH_BEARER);
    curl_easy_setopt(easy_, CURLOPT_XOAUTH2_BEARER,
                     credentials.bearer_token.c_str());
  } else if (!credentials.user.empty()) {
    curl_easy_setopt(easy_, CURLOPT_HTTPAUTH, CURLAUTH_BASIC);
    curl_easy_setopt(easy_, CURLOPT_USERNAME, credentials.user.c_str());
    curl_easy_setopt(easy_, CURLOPT_PASSWORD, credentials.password.c_str());
  }
}

Error CurlClient::Explain(CURLcode code, const Request& request) const {
  const std::string why =
      problem_[0] != '\0' ? problem_ : curl_easy_strerror(code);
  switch (code) {
    case CURLE_URL_MALFORMAT:
    case CURLE_UNSUPPORTED_PROTOCOL:
      return {ErrorCode::kInvalid, "\"" + request.url +
                                       "\" is not an address that can be asked "
                                       "(" +
                                       why + ")"};
    case CURLE_SSL_CACERT_BADFILE:
      return {ErrorCode::kInvalid, "the certificates in " + request.ca_file +
                                       " cannot be read (" + why + ")"};
    case CURLE_PEER_FAILED_VERIFICATION:
      return {ErrorCode::kPermission, "the certificate of " + request.url +
                                          " is not trusted (" + why +
                                          "): name the file of its authority"};
    case CURLE_OPERATION_TIMEDOUT:
      return {ErrorCode::kBusy,
              request.url + " does not answer in time (" + why + ")"};
    case CURLE_TOO_MANY_REDIRECTS:
      return {ErrorCode::kIo, request.url +
                                  " leads from one address to "
                                  "another without end"};
    default:
      return {ErrorCode::kIo,
              "cannot get an answer from " + request.url + ": " + why};
  }
}

}  // namespace
}  // namespace edgewise::fetch

extern "C" __attribute__((visibility("default"))) edgewise::fetch::Client*
edgewise_fetch_client_2() {
  static std::once_flag once;
  std::call_once(once, [] { curl_global_init(CURL_GLOBAL_DEFAULT); });
  return new edgewise::fetch::CurlClient();
}
