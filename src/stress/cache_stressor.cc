#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <thread>

#include "base/clock.h"
#include "stress/cache_size.h"
#include "stress/stressors.h"

namespace edgewise {
namespace {

// How often a second the whole working set must be touched for it to stay in
// the cache against others.
constexpr double kMinSweepsPerS = 10;
constexpr int64_t kLinesAPiece = 8192;

// Touches lines far apart from each other, so that no prefetcher helps, each
// equally often.
class LineToucher {
 public:
  explicit LineToucher(int64_t bytes)
      : lines_(std::max<int64_t>(1, bytes / kCacheLineBytes)),
        memory_(static_cast<size_t>(lines_ * kWordsALine), 1) {
    // A stride without a common divisor reaches every line once a sweep.
    stride_ = static_cast<int64_t>(static_cast<double>(lines_) * 0.618) | 1;
    while (std::gcd(stride_, lines_) != 1) {
      stride_ += 2;
    }
  }
  double Touch() {
    for (int64_t i = 0; i < kLinesAPiece; ++i) {
      memory_[static_cast<size_t>(at_ * kWordsALine)] += 1;
      at_ += stride_;
      at_ -= at_ >= lines_ ? lines_ : 0;
    }
    return static_cast<double>(kLinesAPiece);
  }

 private:
  static constexpr int64_t kWordsALine =
      kCacheLineBytes / static_cast<int64_t>(sizeof(uint64_t));
  int64_t lines_;
  int64_t stride_ = 1;
  int64_t at_ = 0;
  std::vector<uint64_t> memory_;
};

class CacheStressor : public Stressor {
 public:
  CacheStressor(const StressSettings& settings, int64_t cache_bytes)
      : settings_(settings), cache_bytes_(cache_bytes) {}

  Result<StressOutcome> Press(const StopClock& stop) override {
    const double share = settings_.spec.dial_percent / 100;
    const double set_bytes = share * static_cast<double>(cache_bytes_);
    const auto each_bytes = static_cast<int64_t>(set_bytes) / settings_.threads;
    std::vector<double> touched(static_cast<size_t>(settings_.threads));
    if (each_bytes == 0) {
      stop.SleepUntil(stop.deadline_ns());
      return Judge(0, 0, 0);
    }
    const int64_t begin_ns = MonotonicNs();
    std::vector<std::thread> threads;
    threads.reserve(touched.size());
    for (double& lines : touched) {
      threads.emplace_back([&stop, &lines, each_bytes] {
        LineToucher toucher(each_bytes);
        lines = DoAtRate(stop, std::numeric_limits<double>::infinity(),
                         [&toucher] { return toucher.Touch(); });
      });
    }
    double lines = 0;
    for (size_t i = 0; i < threads.size(); ++i) {
      threads[i].join();
      lines += touched[i];
    }
    const auto wall_s = static_cast<double>(MonotonicNs() - begin_ns) / 1e9;
    const double lines_per_s = lines / wall_s;
    return Judge(
        set_bytes, lines_per_s,
        lines_per_s * static_cast<double>(kCacheLineBytes) / set_bytes);
  }

 private:
  StressOutcome Judge(double set_bytes, double lines_per_s,
                      double sweeps_per_s) const {
    StressOutcome outcome;
    const bool idle = set_bytes == 0;
    outcome.figures.push_back({"working set", "bytes", set_bytes, set_bytes});
    outcome.figures.push_back({"last-level cache", "bytes", std::nullopt,
                               static_cast<double>(cache_bytes_)});
    outcome.figures.push_back(
        {"lines touched", "1/s", std::nullopt, lines_per_s});
    outcome.figures.push_back(
        {"whole set touched", "1/s",
         idle ? std::nullopt : std::optional(kMinSweepsPerS), sweeps_per_s});
    outcome.applied = idle || sweeps_per_s >= kMinSweepsPerS;
    if (!outcome.applied) {
      outcome.reason =
          "it could not touch its working set often enough to keep it in the "
          "cache: give it more of a core, or a smaller dial";
    }
    return outcome;
  }

  StressSettings settings_;
  int64_t cache_bytes_;
};

}  // namespace

MadeStressor MakeCacheStressor(const StressSettings& settings) {
  const auto bytes = settings.size_bytes
                         ? settings.size_bytes
                         : LastLevelCacheBytes(settings.sys_root);
  if (!bytes) {
    return Error{ErrorCode::kUnsupported,
                 "the kernel does not say how large the last-level cache is: "
                 "give its size with --size, e.g. --size 1MiB"};
  }
  return std::unique_ptr<Stressor>(
      std::make_unique<CacheStressor>(settings, *bytes));
}

}  // namespace edgewise
