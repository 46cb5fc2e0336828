// What Runs used within a window of time.
#ifndef EDGEWISE_TENANTS_USAGE_H_
#define EDGEWISE_TENANTS_USAGE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "store/store.h"
#include "tenants/request_log.h"

namespace edgewise::tenants {

struct Usage {
  std::optional<double> cpu_cores;
  std::optional<int64_t> memory_bytes;  // the most at once
};

// Of all of them together; the window counts from `epoch_ns`.
Result<Usage> UseOf(const Store& store, const std::vector<std::string>& run_ids,
                    int64_t epoch_ns, const Window& window);

}  // namespace edgewise::tenants

#endif  // EDGEWISE_TENANTS_USAGE_H_
