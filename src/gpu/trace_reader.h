// Reads the GPU trace of one process (trace_layout.h).
#ifndef EDGEWISE_GPU_TRACE_READER_H_
#define EDGEWISE_GPU_TRACE_READER_H_

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "gpu/trace_layout.h"

namespace edgewise::gpu {

struct Trace {
  TraceHeader header{};
  std::map<uint32_t, std::string> names;
  std::map<uint32_t, DeviceRecord> devices;
  std::vector<KernelRecord> kernels;
  std::vector<CopyRecord> copies;
  std::vector<SetRecord> sets;
  std::vector<CallRecord> calls;
  AccountRecord account{};
  std::string problem;   // why nothing was recorded; or empty
  bool cut_off = false;  // the file ends within a record

  // "?" for what has no name.
  const std::string& NameOf(uint32_t id) const;
};

// kCorrupt: the bytes are no trace. Records that make no sense (an end before
// the start) are passed over.
Result<Trace> ReadTrace(std::string_view bytes);

// The traces in `folder`, by process; files that are none are passed over.
std::vector<Trace> ReadTraces(const std::filesystem::path& folder);

}  // namespace edgewise::gpu

#endif  // EDGEWISE_GPU_TRACE_READER_H_
