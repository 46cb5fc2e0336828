#include "fetch/curl/transfer.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>

#include "base/text.h"
#include "base/write_all.h"

namespace edgewise::fetch {
namespace {

constexpr size_t kMaxHeaders = 200;

}  // namespace

void Transfer::Attach() {
  curl_easy_setopt(easy_, CURLOPT_HEADERFUNCTION, &Transfer::OnHeader);
  curl_easy_setopt(easy_, CURLOPT_HEADERDATA, this);
  curl_easy_setopt(easy_, CURLOPT_WRITEFUNCTION, &Transfer::OnBody);
  curl_easy_setopt(easy_, CURLOPT_WRITEDATA, this);
  if (request_.go_on) {
    curl_easy_setopt(easy_, CURLOPT_XFERINFOFUNCTION, &Transfer::OnProgress);
    curl_easy_setopt(easy_, CURLOPT_XFERINFODATA, this);
    curl_easy_setopt(easy_, CURLOPT_NOPROGRESS, 0L);
  }
}

int Transfer::OnProgress(void* self, curl_off_t, curl_off_t, curl_off_t,
                         curl_off_t) {
  return static_cast<Transfer*>(self)->GoesOn() ? 0 : 1;
}

bool Transfer::GoesOn() {
  if (!request_.go_on || error_) {
    return !error_;
  }
  long status = 0;
  curl_easy_getinfo(easy_, CURLINFO_RESPONSE_CODE, &status);
  response_.status = static_cast<int>(status);
  if (!request_.go_on(response_)) {
    error_ = Error{ErrorCode::kBusy, "asking " + request_.url + " was ended"};
  }
  return !error_;
}

size_t Transfer::OnHeader(char* bytes, size_t size, size_t count, void* self) {
  static_cast<Transfer*>(self)->TakeHeader({bytes, size * count});
  return size * count;
}

size_t Transfer::OnBody(char* bytes, size_t size, size_t count, void* self) {
  return static_cast<Transfer*>(self)->TakeBody({bytes, size * count})
             ? size * count
             : 0;
}

void Transfer::TakeHeader(std::string_view line) {
  if (line.starts_with("HTTP/")) {  // of a redirection or "100 Continue" before
    response_.headers.clear();
    return;
  }
  const size_t colon = line.find(':');
  if (colon == std::string_view::npos ||
      response_.headers.size() >= kMaxHeaders) {
    return;
  }
  std::string name(Trim(line.substr(0, colon)));
  std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) {
    return static_cast<char>(std::tolower(c));
  });
  response_.headers.emplace_back(std::move(name), Trim(line.substr(colon + 1)));
}

bool Transfer::TakeBody(std::string_view bytes) {
  if (response_.body_bytes == 0 && !GoesOn()) {
    return false;
  }
  response_.body_bytes += static_cast<int64_t>(bytes.size());
  if (response_.body_bytes > request_.max_body_bytes) {
    error_ = Error{ErrorCode::kCorrupt,
                   request_.url + " answers with more than " +
                       std::to_string(request_.max_body_bytes) +
                       " bytes: that is not what was asked for"};
    return false;
  }
  long status = 0;
  curl_easy_getinfo(easy_, CURLINFO_RESPONSE_CODE, &status);
  if (request_.into_file.empty() || (status != 200 && status != 206)) {
    response_.body.append(bytes);
    return true;
  }
  if (!file_.valid() && !OpenFile()) {
    return false;
  }
  if (const int failed = WriteAll(file_.get(), bytes); failed != 0) {
    error_ = Error{ErrorCodeFromErrno(failed), "cannot write to " +
                                                   request_.into_file.string() +
                                                   ": " + ErrnoText(failed)};
    return false;
  }
  return true;
}

bool Transfer::OpenFile() {
  long status = 0;
  curl_easy_getinfo(easy_, CURLINFO_RESPONSE_CODE, &status);
  // 200 to a question for a part: the server sends all of it.
  const int64_t from = status == 206 ? request_.resume_from : 0;
  if (status == 206 && !IsPartAskedFor()) {
    error_ =
        Error{ErrorCode::kCorrupt, request_.url +
                                       " answers with another part of the file "
                                       "than the one that was asked for"};
    return false;
  }
  file_.reset(
      ::open(request_.into_file.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0644));
  if (!file_.valid() || ::ftruncate(file_.get(), from) != 0 ||
      ::lseek(file_.get(), from, SEEK_SET) != from) {
    const int failed = errno;
    error_ = Error{ErrorCodeFromErrno(failed), "cannot write to " +
                                                   request_.into_file.string() +
                                                   ": " + ErrnoText(failed)};
    return false;
  }
  return true;
}

bool Transfer::IsPartAskedFor() {
  const auto range = response_.Header("content-range");
  return !range || range->starts_with(
                       "bytes " + std::to_string(request_.resume_from) + "-");
}

}  // namespace edgewise::fetch
