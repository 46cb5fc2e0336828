#include <algorithm>
#include <cstring>
#include <memory>

#include "base/text.h"
#include "stress/cache_size.h"
#include "stress/rated_work.h"
#include "stress/stressors.h"

namespace edgewise {
namespace {

constexpr size_t kPieceBytes = size_t{256} << 10;
constexpr int64_t kLeastBytes = int64_t{32} << 20;

// Copies from one half of its memory to the other, on and on. What it reads
// and what it writes both count.
class Copier {
 public:
  explicit Copier(size_t bytes)
      : half_bytes_(
            std::max(kPieceBytes, bytes / 2 / kPieceBytes * kPieceBytes)),
        memory_(2 * half_bytes_, 1) {}

  double Copy() {
    std::memcpy(memory_.data() + half_bytes_ + at_, memory_.data() + at_,
                kPieceBytes);
    at_ = at_ + kPieceBytes < half_bytes_ ? at_ + kPieceBytes : 0;
    return 2.0 * static_cast<double>(kPieceBytes);
  }

 private:
  size_t half_bytes_;
  size_t at_ = 0;
  std::vector<char> memory_;
};

class BandwidthStressor : public Stressor {
 public:
  BandwidthStressor(const StressSettings& settings, int64_t bytes)
      : settings_(settings), bytes_(bytes) {}

  Result<StressOutcome> Press(const StopClock& stop) override {
    RatedWork work;
    work.name = "copied";
    work.hint =
        "others use the memory or the core as well, and left less than was "
        "asked for";
    for (int i = 0; i < settings_.threads; ++i) {
      const size_t bytes =
          settings_.spec.dial_percent > 0 ? static_cast<size_t>(bytes_) : 0;
      const auto copier = std::make_shared<Copier>(bytes);
      work.pieces.emplace_back([copier] { return copier->Copy(); });
    }
    return ApplyRate(stop, settings_.spec.dial_percent, work);
  }

 private:
  StressSettings settings_;
  int64_t bytes_;  // of each thread
};

}  // namespace

MadeStressor MakeBandwidthStressor(const StressSettings& settings) {
  const int64_t cache_bytes =
      LastLevelCacheBytes(settings.sys_root).value_or(kUsualCacheBytes);
  int64_t bytes = std::max(kLeastBytes, 4 * cache_bytes);
  const auto meminfo = TryReadFile(settings.proc_root / "meminfo");
  const auto available_kib =
      meminfo ? FindKeyedInt(*meminfo, "MemAvailable") : std::nullopt;
  if (available_kib && bytes * settings.threads > *available_kib * 1024 / 4) {
    bytes = *available_kib * 1024 / 4 / settings.threads;
    if (bytes < 2 * cache_bytes) {
      return Error{ErrorCode::kUnsupported,
                   "too little memory is available to copy more than the "
                   "caches hold: end other programs, or use fewer --threads"};
    }
  }
  return std::unique_ptr<Stressor>(
      std::make_unique<BandwidthStressor>(settings, bytes));
}

}  // namespace edgewise
