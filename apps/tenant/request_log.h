// RequestLog: one row of CSV for each request (docs/formats/campaign.md).
//
// Thread-safe. The file is there, with its header, from the start: who waits
// for a tenant to be ready waits for that.
#ifndef EDGEWISE_APPS_TENANT_REQUEST_LOG_H_
#define EDGEWISE_APPS_TENANT_REQUEST_LOG_H_

#include <cstdint>
#include <mutex>
#include <optional>
#include <string>

#include "base/result.h"
#include "base/unique_fd.h"
#include "tenant/waiting_line.h"

namespace edgewise::apps {

enum class Fate { kAnswered, kCensored, kDropped };

class RequestLog {
 public:
  // Times count from `epoch_ns`. An empty path: nothing is written.
  static Result<RequestLog> Open(const std::string& path, std::string service,
                                 int64_t epoch_ns);
  RequestLog(RequestLog&& other) noexcept;

  // `start_ns`: when its service began, if it did; `end_ns`: of kAnswered.
  void Add(int replica, const Request& request, Fate fate,
           std::optional<int64_t> start_ns, std::optional<int64_t> end_ns);
  // Writes what is left; the first failure, if there was one.
  Result<void> Flush();

 private:
  RequestLog(std::string path, std::string service, int64_t epoch_ns,
             UniqueFd fd);
  void WriteOut();

  std::mutex mutex_;
  std::string path_;
  std::string service_;
  int64_t epoch_ns_;
  UniqueFd fd_;
  std::string buffer_;
  int error_number_ = 0;
};

}  // namespace edgewise::apps

#endif  // EDGEWISE_APPS_TENANT_REQUEST_LOG_H_
