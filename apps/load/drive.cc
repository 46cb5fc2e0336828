#include "load/drive.h"

#include <edgewise/edgewise.hpp>

#include "base/clock.h"
#include "load/schedule.h"
#include "load/stop.h"

namespace edgewise::apps {

bool RecordItem(const char* name, const ItemTimes& times,
                std::optional<int64_t> deadline_ns) {
  const edgewise_name id = edgewise_intern(name);
  const auto intended_ns = static_cast<uint64_t>(times.intended_start_ns);
  const auto end_ns = static_cast<uint64_t>(times.end_ns);
  const auto cpu_ns = static_cast<uint64_t>(times.cpu_ns);
  if (!deadline_ns) {
    edgewise_span_record(id, intended_ns, end_ns - intended_ns, cpu_ns, nullptr,
                         0);
    return false;
  }
  const uint64_t due_ns = intended_ns + static_cast<uint64_t>(*deadline_ns);
  edgewise_job(id, intended_ns, static_cast<uint64_t>(times.start_ns), end_ns,
               due_ns, cpu_ns);
  return end_ns > due_ns;
}

Result<Outcome> Drive(const LoadOptions& options, Work& work) {
  Schedule schedule(options);
  Checksum checksum;
  Outcome outcome;
  Rate fps("fps");
  if (options.deadline_ns) {
    outcome.deadline_misses = 0;
  }
  int64_t first_ns = 0;
  int64_t last_end_ns = 0;
  while (!StopRequested() && outcome.items != options.items) {
    const auto fetched = work.Fetch();
    if (!fetched) {
      // A signal interrupts a device that waits: the end, not an error.
      if (StopRequested()) {
        break;
      }
      return fetched.error();
    }
    if (!*fetched) {
      break;
    }
    ItemTimes times;
    const int64_t now_ns = MonotonicNs();
    if (outcome.items == 0) {
      first_ns = now_ns;
    }
    times.intended_start_ns = options.arrivals == Arrivals::kBackToBack
                                  ? now_ns
                                  : first_ns + schedule.NextOffsetNs();
    const int64_t due_ns = options.arrivals == Arrivals::kAtOnce
                               ? now_ns
                               : times.intended_start_ns;
    if (options.duration_ns && due_ns - first_ns >= *options.duration_ns) {
      break;
    }
    SleepUntil(times.intended_start_ns);
    if (StopRequested()) {
      break;
    }
    const auto cpu_start_ns = edgewise_thread_cpu_ns();
    times.start_ns = MonotonicNs();
    if (options.arrivals == Arrivals::kBackToBack) {
      times.intended_start_ns = times.start_ns;
    }
    if (const auto done = work.Process(checksum); !done) {
      return done.error();
    }
    times.end_ns = MonotonicNs();
    times.cpu_ns =
        static_cast<int64_t>(edgewise_thread_cpu_ns() - cpu_start_ns);
    if (RecordItem(work.item_name(), times, options.deadline_ns)) {
      ++*outcome.deadline_misses;
    }
    fps.Tick();
    ++outcome.items;
    last_end_ns = times.end_ns;
  }
  if (outcome.items > 0) {
    outcome.elapsed_s = static_cast<double>(last_end_ns - first_ns) /
                        static_cast<double>(kNsPerSecond);
  }
  outcome.checksum = checksum.value();
  return outcome;
}

}  // namespace edgewise::apps
