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

namespace {

// Jobs that an executor releases; the app's own clock is not asked then.
class Releases {
 public:
  explicit Releases(const LoadOptions& options)
      : driven_(options.arrivals == Arrivals::kEven && options.deadline_ns &&
                edgewise_claim_releases() == 1) {}
  bool driven() const { return driven_; }

  // Waits; sets when the item was meant to start, and its deadline after that.
  // False at the end.
  bool Next(int64_t* intended_start_ns, std::optional<int64_t>* deadline_ns) {
    uint64_t release_ns = 0;
    uint64_t due_ns = 0;
    int answer;
    do {
      answer = edgewise_next_release(&release_ns, &due_ns);
    } while (answer == -2 && !StopRequested());
    *intended_start_ns = static_cast<int64_t>(release_ns);
    *deadline_ns = static_cast<int64_t>(due_ns - release_ns);
    return answer == 1;
  }

 private:
  bool driven_;
};

}  // namespace

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
  Releases releases(options);
  std::optional<int64_t> deadline_ns = options.deadline_ns;
  while (!StopRequested() &&
         (releases.driven() || outcome.items != options.items)) {
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
    if (releases.driven()) {
      if (!releases.Next(&times.intended_start_ns, &deadline_ns)) {
        break;
      }
    } else {
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
    if (RecordItem(work.item_name(), times, deadline_ns)) {
      ++*outcome.deadline_misses;
    }
    if (releases.driven()) {
      edgewise_release_done(static_cast<uint64_t>(times.end_ns),
                            static_cast<uint64_t>(times.cpu_ns));
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
