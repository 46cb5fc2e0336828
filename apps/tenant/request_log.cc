#include "tenant/request_log.h"

#include <fcntl.h>
#include <fmt/format.h>

#include <cerrno>
#include <utility>

#include "base/clock.h"
#include "base/write_all.h"

namespace edgewise::apps {
namespace {

constexpr std::string_view kHeader =
    "service,replica,arrival_s,departure_s,interarrival_s,queueing_s,"
    "queue_length,censored,dropped\n";
constexpr size_t kWriteAtBytes = size_t{64} << 10;

std::string Seconds(std::optional<int64_t> ns) {
  return ns ? fmt::format("{:.9f}", static_cast<double>(*ns) /
                                        static_cast<double>(kNsPerSecond))
            : "";
}

}  // namespace

Result<RequestLog> RequestLog::Open(const std::string& path,
                                    std::string service, int64_t epoch_ns) {
  UniqueFd fd;
  if (!path.empty()) {
    constexpr mode_t kMode = 0644;
    fd = UniqueFd(
        ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, kMode));
    if (!fd.valid() || WriteAll(fd.get(), kHeader) != 0) {
      return Error{
          ErrorCodeFromErrno(errno),
          "--requests: \"" + path + "\" cannot be written: " + ErrnoText()};
    }
  }
  return RequestLog(path, std::move(service), epoch_ns, std::move(fd));
}

RequestLog::RequestLog(std::string path, std::string service, int64_t epoch_ns,
                       UniqueFd fd)
    : path_(std::move(path)),
      service_(std::move(service)),
      epoch_ns_(epoch_ns),
      fd_(std::move(fd)) {}

RequestLog::RequestLog(RequestLog&& other) noexcept
    : path_(std::move(other.path_)),
      service_(std::move(other.service_)),
      epoch_ns_(other.epoch_ns_),
      fd_(std::move(other.fd_)),
      buffer_(std::move(other.buffer_)),
      error_number_(other.error_number_) {}

void RequestLog::Add(int replica, const Request& request, Fate fate,
                     std::optional<int64_t> start_ns,
                     std::optional<int64_t> end_ns) {
  if (!fd_.valid()) {
    return;
  }
  const auto since_epoch = [this](std::optional<int64_t> ns) {
    return ns ? std::optional(*ns - epoch_ns_) : std::nullopt;
  };
  const std::scoped_lock lock(mutex_);
  buffer_ += fmt::format(
      "{},{},{},{},{},{},{},{},{}\n", service_, replica,
      Seconds(since_epoch(request.arrival_ns)), Seconds(since_epoch(end_ns)),
      Seconds(request.interarrival_ns),
      Seconds(start_ns ? std::optional(*start_ns - request.arrival_ns)
                       : std::nullopt),
      request.queue_length, fate == Fate::kCensored ? 1 : 0,
      fate == Fate::kDropped ? 1 : 0);
  if (buffer_.size() >= kWriteAtBytes) {
    WriteOut();
  }
}

Result<void> RequestLog::Flush() {
  const std::scoped_lock lock(mutex_);
  WriteOut();
  if (error_number_ != 0) {
    return Error{ErrorCodeFromErrno(error_number_),
                 "--requests: \"" + path_ +
                     "\" cannot be written: " + ErrnoText(error_number_)};
  }
  return {};
}

void RequestLog::WriteOut() {
  if (fd_.valid() && error_number_ == 0) {
    error_number_ = WriteAll(fd_.get(), buffer_);
  }
  buffer_.clear();
}

}  // namespace edgewise::apps
