// Files per process: any text must be parsed or refused, and what is parsed
// must make sense.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "probes/process_text.h"

namespace {

void Check(bool holds) {
  if (!holds) {
    std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (const auto stat = edgewise::ParseProcStat(text)) {
    Check(stat->pid >= 0 && stat->parent_pid >= 0);
    Check(stat->user_ticks >= 0 && stat->system_ticks >= 0);
    Check(stat->threads >= 0 && stat->rss_pages >= 0);
    Check(stat->comm.size() < text.size());
  }
  if (const auto pages = edgewise::ParseStatmRssPages(text)) {
    Check(*pages >= 0);
  }
  if (const auto sched = edgewise::ParseSchedStat(text)) {
    Check(sched->cpu_ns >= 0 && sched->run_queue_wait_ns >= 0);
  }
  const edgewise::TaskStatus status = edgewise::ParseTaskStatus(text);
  Check(status.peak_bytes.value_or(0) >= 0);
  edgewise::ParseProcIo(text);
  if (const auto pss = edgewise::ParsePssBytes(text)) {
    Check(*pss >= 0);
  }
  std::vector<pid_t> pids;
  edgewise::AppendPids(text, &pids);
  for (const pid_t pid : pids) {
    Check(pid > 0);
  }
  return 0;
}
