#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "base/text.h"
#include "base/units.h"
#include "stress/stressors.h"

namespace edgewise {
namespace {

constexpr int64_t kStepBytes = int64_t{16} << 20;
constexpr int64_t kLeastMarginBytes = int64_t{64} << 20;

// What can be had without swapping, and how much of it is always left: a tenth
// of the machine's memory.
struct MemoryRoom {
  int64_t available_bytes = 0;
  int64_t margin_bytes = 0;
};

std::optional<MemoryRoom> LookForRoom(const std::filesystem::path& proc_root) {
  const auto meminfo = TryReadFile(proc_root / "meminfo");
  const auto total_kib =
      meminfo ? FindKeyedInt(*meminfo, "MemTotal") : std::nullopt;
  const auto available_kib =
      meminfo ? FindKeyedInt(*meminfo, "MemAvailable") : std::nullopt;
  if (!total_kib || !available_kib) {
    return std::nullopt;
  }
  return MemoryRoom{*available_kib * 1024,
                    std::max(kLeastMarginBytes, *total_kib * 1024 / 10)};
}

int64_t ResidentBytes(const std::filesystem::path& proc_root) {
  const std::string statm = TryReadFile(proc_root / "self/statm").value_or("");
  const auto fields = SplitFields(statm);
  const auto pages = fields.size() < 2 ? std::nullopt : ParseInt(fields[1]);
  return pages.value_or(0) * ::sysconf(_SC_PAGESIZE);
}

// Anonymous memory.
class Mapping {
 public:
  explicit Mapping(size_t bytes)
      : bytes_(bytes),
        address_(::mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)) {}
  ~Mapping() {
    if (valid()) {
      ::munmap(address_, bytes_);
    }
  }
  Mapping(const Mapping&) = delete;
  Mapping& operator=(const Mapping&) = delete;
  bool valid() const { return address_ != MAP_FAILED; }
  volatile char* data() const { return static_cast<volatile char*>(address_); }

 private:
  size_t bytes_;
  void* address_;
};

class MemoryStressor : public Stressor {
 public:
  MemoryStressor(const StressSettings& settings, int64_t asked_bytes)
      : settings_(settings), asked_bytes_(asked_bytes) {}

  Result<StressOutcome> Press(const StopClock& stop) override {
    if (asked_bytes_ == 0) {
      stop.SleepUntil(stop.deadline_ns());
      return Judge(0);
    }
    // Should memory run out all the same, this is what the kernel takes.
    (void)WriteFile(settings_.proc_root / "self/oom_score_adj", "1000");
    const int64_t before_bytes = ResidentBytes(settings_.proc_root);
    const Mapping memory(static_cast<size_t>(asked_bytes_));
    if (!memory.valid()) {
      return Error{ErrorCodeFromErrno(errno),
                   FormatBytes(static_cast<double>(asked_bytes_)) +
                       " of memory were refused (" + ErrnoText() +
                       "): ask for less"};
    }
    Fill(stop, memory);
    stop.SleepUntil(stop.deadline_ns());
    return Judge(ResidentBytes(settings_.proc_root) - before_bytes);
  }

 private:
  // Touches each page; gives up where the margin begins.
  void Fill(const StopClock& stop, const Mapping& memory) const {
    const int64_t page_bytes = ::sysconf(_SC_PAGESIZE);
    for (int64_t at = 0; at < asked_bytes_ && !stop.Over(); at += kStepBytes) {
      const auto room = LookForRoom(settings_.proc_root);
      if (room && room->available_bytes < room->margin_bytes) {
        return;
      }
      const int64_t end = std::min(asked_bytes_, at + kStepBytes);
      for (int64_t page = at; page < end; page += page_bytes) {
        memory.data()[page] = 1;
      }
    }
  }

  StressOutcome Judge(int64_t resident_bytes) const {
    StressOutcome outcome;
    const auto asked = static_cast<double>(asked_bytes_);
    const auto held = static_cast<double>(resident_bytes);
    outcome.figures.push_back({"resident memory", "bytes", asked, held});
    outcome.applied = held >= kReachedShare * asked;
    if (!outcome.applied) {
      outcome.reason =
          "memory became scarce, or there was no time to fill it: it stops "
          "where a tenth of the machine's memory is left";
    }
    return outcome;
  }

  StressSettings settings_;
  int64_t asked_bytes_;
};

}  // namespace

MadeStressor MakeMemoryStressor(const StressSettings& settings) {
  const double share = settings.spec.dial_percent / 100;
  const auto room = LookForRoom(settings.proc_root);
  if (!room) {
    return Error{ErrorCode::kUnsupported,
                 "/proc/meminfo does not say how much memory is available, so "
                 "none can be taken safely"};
  }
  const int64_t spare_bytes =
      std::max<int64_t>(0, room->available_bytes - room->margin_bytes);
  if (settings.size_bytes && *settings.size_bytes > spare_bytes) {
    return Error{ErrorCode::kInvalid,
                 "--size " +
                     FormatBytes(static_cast<double>(*settings.size_bytes)) +
                     " is more than can be taken safely: ask for at most " +
                     FormatBytes(static_cast<double>(spare_bytes))};
  }
  const int64_t most_bytes = settings.size_bytes.value_or(spare_bytes);
  return std::unique_ptr<Stressor>(std::make_unique<MemoryStressor>(
      settings, static_cast<int64_t>(share * static_cast<double>(most_bytes))));
}

}  // namespace edgewise
