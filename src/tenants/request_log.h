// What the tenant program logged of its requests, and what that says of a
// window of time.
#ifndef EDGEWISE_TENANTS_REQUEST_LOG_H_
#define EDGEWISE_TENANTS_REQUEST_LOG_H_

#include <string_view>
#include <vector>

#include "base/result.h"
#include "tenants/measurements.h"

namespace edgewise::tenants {

struct LoggedRequest {
  RequestRow row;  // seconds count from the log's epoch
  bool dropped = false;
};

Result<std::vector<LoggedRequest>> ReadRequestLog(std::string_view csv,
                                                  std::string_view origin);

// Seconds from the epoch.
struct Window {
  double begin_s = 0;
  double end_s = 0;
};

struct WindowRequests {
  // Those that arrived within it; seconds count from its begin. What was
  // answered after its end is censored there.
  std::vector<RequestRow> rows;
  int64_t dropped = 0;
};
WindowRequests RequestsWithin(const std::vector<LoggedRequest>& log,
                              const Window& window);

// Fills `seconds`, the counts and the times of a row; all else stays.
void FillTimes(const WindowRequests& requests, double seconds, Measured* row);

}  // namespace edgewise::tenants

#endif  // EDGEWISE_TENANTS_REQUEST_LOG_H_
