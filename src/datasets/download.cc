#include "datasets/download.h"

#include <limits>

#include "base/text.h"
#include "datasets/disk_room.h"
#include "datasets/record_file.h"

namespace edgewise {
namespace {

namespace fs = std::filesystem;

// A transfer that is slower for half a minute is dead.
constexpr int64_t kLeastBytesPerS = 16;
constexpr int64_t kFullDiskBytes = 64 << 10;

bool IsEtag(const std::string& version) {
  return version.starts_with("\"") || version.starts_with("W/");
}

// Whether bytes of two answers of that version are the same.
bool IsExact(const std::string& version) {
  return !version.empty() && !version.starts_with("W/");
}

Error Explain(const fetch::Response& response, const std::string& shown) {
  const std::string status = " (" + std::to_string(response.status) + ")";
  switch (response.status) {
    case 401:
    case 403:
      return {ErrorCode::kPermission,
              shown + " may not be read by us" + status +
                  ": check the address, or write it with https://USER:PASSWORD@"
                  "HOST/…"};
    case 404:
    case 410:
      return {ErrorCode::kNotFound,
              "there is nothing at " + shown + status + ": check the address"};
    default:
      return {ErrorCode::kIo, "the server of " + shown + " fails" + status +
                                  ": try again later"};
  }
}

class Downloading {
 public:
  Downloading(fetch::Client& client, const DownloadOrder& order)
      : client_(client),
        order_(order),
        version_file_(order.file.string() + ".version"),
        retries_(order.retry_pause, order.tries) {
    if (const auto record = ReadRecord(version_file_)) {
      version_ = ValueOf(*record, "version");
    }
  }

  Result<Downloaded> Run();

 private:
  int64_t HeldBytes() const;
  void Forget();
  fetch::Request NextRequest();
  bool OnAnswer(const fetch::Response& so_far);
  bool Begin(const fetch::Response& answer);
  bool HasAll(const fetch::Response& no_such_part) const;
  // Whether to try again; otherwise error_ says why not.
  bool Recover(const Result<fetch::Response>& answer, int64_t held_before);

  fetch::Client& client_;
  const DownloadOrder& order_;
  fs::path version_file_;
  std::string version_;  // of what the file has so far
  Retries retries_;
  std::optional<Error> error_;
  bool cancelled_ = false;
  bool begun_ = false;
  int64_t resumed_from_ = 0;
  std::optional<int64_t> total_bytes_;
};

int64_t Downloading::HeldBytes() const {
  std::error_code error;
  const auto size = fs::file_size(order_.file, error);
  return error ? 0 : static_cast<int64_t>(size);
}

void Downloading::Forget() {
  std::error_code ignored;
  fs::remove(order_.file, ignored);
  fs::remove(version_file_, ignored);
  version_.clear();
}

fetch::Request Downloading::NextRequest() {
  if (!IsExact(version_)) {
    Forget();
  }
  fetch::Request request = order_.request;
  request.into_file = order_.file;
  request.limit = std::chrono::milliseconds(0);
  request.connect_limit = std::chrono::milliseconds(10'000);
  request.least_bytes_per_s = kLeastBytesPerS;
  request.max_body_bytes = std::numeric_limits<int64_t>::max();
  request.resume_from = resumed_from_ = HeldBytes();
  if (request.resume_from > 0) {
    request.headers.emplace_back("If-Range", version_);
  }
  if (!order_.known_version.empty()) {
    request.headers.emplace_back(
        IsEtag(order_.known_version) ? "If-None-Match" : "If-Modified-Since",
        order_.known_version);
  }
  request.go_on = [this](const fetch::Response& so_far) {
    return OnAnswer(so_far);
  };
  begun_ = false;
  return request;
}

bool Downloading::OnAnswer(const fetch::Response& so_far) {
  const bool has_content = so_far.status == 200 || so_far.status == 206;
  if (has_content && !begun_) {
    begun_ = true;
    if (!Begin(so_far)) {
      return false;
    }
  }
  const int64_t before = so_far.status == 206 ? resumed_from_ : 0;
  cancelled_ =
      order_.go_on &&
      !order_.go_on(has_content ? before + so_far.body_bytes : resumed_from_,
                    total_bytes_);
  return !cancelled_;
}

// The answer has begun, its content has not gone anywhere yet.
bool Downloading::Begin(const fetch::Response& answer) {
  const std::string version = VersionOf(answer);
  if (answer.status == 206 && !version.empty() && version != version_) {
    Forget();  // a server that does not heed If-Range; the next try begins anew
    return false;
  }
  if (answer.status == 200) {
    Forget();
    resumed_from_ = 0;
    version_ = version;
    if (IsExact(version_)) {
      (void)WriteRecord(version_file_, {{"version", version_}});
    }
  }
  total_bytes_.reset();
  if (const auto length = answer.Header("content-length")) {
    if (const auto bytes = ParseInt(*length); bytes && *bytes >= 0) {
      total_bytes_ = resumed_from_ + *bytes;
      if (order_.make_room) {
        if (auto room = order_.make_room(*bytes); !room) {
          error_ = room.error();
          return false;
        }
      }
    }
  }
  return true;
}

// A server answers so only while it has the version that we have: with another
// one, If-Range would make it send the whole.
bool Downloading::HasAll(const fetch::Response& no_such_part) const {
  return resumed_from_ > 0 && no_such_part.Header("content-range") ==
                                  "bytes */" + std::to_string(resumed_from_);
}

bool Downloading::Recover(const Result<fetch::Response>& answer,
                          int64_t held_before) {
  const fetch::Response* const response = answer ? &*answer : nullptr;
  if (response != nullptr) {
    if (response->status == 416) {
      Forget();  // there is no such part (any more)
    }
    const auto explained =
        order_.explain ? order_.explain(*response) : std::nullopt;
    error_ = explained ? *explained : Explain(*response, order_.shown);
    if (response->status != 416 && !MayRecover(*response)) {
      return false;
    }
  } else {
    error_ = answer.error();
    if (answer.error().code == ErrorCode::kCorrupt) {
      Forget();  // another part than we asked for
    } else if (!MayRecover(answer.error())) {
      return false;
    }
    if (FreeBytes(order_.file.parent_path()) < kFullDiskBytes) {
      error_ = DiskFull(order_.file.parent_path(), order_.shown);
      Forget();
      return false;
    }
  }
  if (HeldBytes() > held_before) {
    retries_.Progressed();
  }
  return retries_.Again(response, [this] {
    cancelled_ = order_.go_on && !order_.go_on(HeldBytes(), total_bytes_);
    return !cancelled_;
  });
}

Result<Downloaded> Downloading::Run() {
  for (;;) {
    const int64_t held_before = HeldBytes();
    error_.reset();
    const auto answer = client_.Send(NextRequest());
    if (answer && answer->status == 304) {
      return Downloaded{true, order_.known_version};
    }
    if (answer && (answer->status == 200 || answer->status == 206)) {
      if (answer->body_bytes == 0 && answer->status == 200) {
        Forget();
        if (auto made = WriteFile(order_.file, ""); !made) {
          return made.error();
        }
      }
      return Downloaded{false, VersionOf(*answer)};
    }
    if (answer && answer->status == 416 && HasAll(*answer)) {
      return Downloaded{false, version_};
    }
    if (!answer && error_) {  // there was no room for it
      Forget();
      return *error_;
    }
    if (cancelled_ || !Recover(answer, held_before)) {
      return cancelled_ ? Error{ErrorCode::kBusy,
                                "fetching " + order_.shown + " was cancelled"}
                        : *error_;
    }
  }
}

}  // namespace

std::string VersionOf(const fetch::Response& response) {
  if (const auto etag = response.Header("etag"); etag && !etag->empty()) {
    return std::string(*etag);
  }
  return std::string(response.Header("last-modified").value_or(""));
}

Result<Downloaded> Download(fetch::Client& client, const DownloadOrder& order) {
  return Downloading(client, order).Run();
}

}  // namespace edgewise
