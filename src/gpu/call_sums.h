// CallSums: the calls of CUDA's runtime and driver, added up by name.
#ifndef EDGEWISE_GPU_CALL_SUMS_H_
#define EDGEWISE_GPU_CALL_SUMS_H_

#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "gpu/summary.h"
#include "gpu/trace_reader.h"

namespace edgewise::gpu {

class CallSums {
 public:
  // The calls of one process.
  void Add(const Trace& trace);
  // Sets what a summary says of calls and launches; once, at the end.
  void Fill(GpuSummary* summary);

 private:
  void AddDelays(const Trace& trace,
                 const std::unordered_map<uint32_t, uint64_t>& launches);

  std::map<std::string, GpuCallUse> calls_;
  int64_t call_count_ = 0;
  int64_t synchronise_ns_ = 0;
  std::vector<int64_t> launches_ns_;
  std::vector<int64_t> delays_ns_;
};

}  // namespace edgewise::gpu

#endif  // EDGEWISE_GPU_CALL_SUMS_H_
