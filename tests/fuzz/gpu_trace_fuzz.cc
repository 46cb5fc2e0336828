// GPU traces, which a program that is killed may cut off anywhere.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "gpu/summary.h"
#include "gpu/trace_reader.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const auto trace = edgewise::gpu::ReadTrace(
      std::string_view(reinterpret_cast<const char*>(data), size));
  if (!trace) {
    return 0;
  }
  const auto summary = edgewise::SummariseGpu({&*trace, 1});
  if (summary) {
    (void)edgewise::GpuAdvice(*summary);
    if (summary->busy_ns > summary->span_ns ||
        summary->overlap_ns > summary->copy_ns) {
      std::abort();
    }
  }
  return 0;
}
