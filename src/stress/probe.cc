#include "stress/probe.h"

#include <algorithm>
#include <cstring>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

#include "edgewise/edgewise.h"
#include "stress/cache_size.h"

namespace edgewise {
namespace {

constexpr size_t kCopyBytes = size_t{4} << 20;  // an item
constexpr int kHops = 20'000;                   // an item
constexpr int kSteps = 1'000'000;               // an item

void Spin() {
  uint64_t value = 1;
  for (int i = 0; i < kSteps; ++i) {
    value = value * 6364136223846793005u + 1442695040888963407u;
    asm volatile("" : "+r"(value));
  }
}

// A ring through all lines, each followed by one far away: every hop waits for
// the one before, so that a miss cannot hide.
std::vector<uint32_t> MakeChain(int64_t bytes) {
  constexpr int64_t kWords =
      kCacheLineBytes / static_cast<int64_t>(sizeof(uint32_t));
  const int64_t lines = std::max<int64_t>(2, bytes / kCacheLineBytes);
  std::vector<uint32_t> order(static_cast<size_t>(lines));
  std::iota(order.begin(), order.end(), 0);
  uint64_t state = 1;
  for (size_t i = order.size() - 1; i > 0; --i) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    std::swap(order[i], order[(state >> 33) % (i + 1)]);
  }
  std::vector<uint32_t> chain(static_cast<size_t>(lines * kWords));
  for (size_t i = 0; i < order.size(); ++i) {
    chain[order[i] * size_t{kWords}] =
        static_cast<uint32_t>(order[(i + 1) % order.size()] * kWords);
  }
  return chain;
}

void RecordItems(const StopClock& stop, const std::function<void()>& item) {
  const edgewise_name name = edgewise_intern(kProbeSpan);
  while (!stop.Over()) {
    edgewise_span span;
    edgewise_span_begin(&span, name);
    item();
    edgewise_span_end(&span);
  }
}

}  // namespace

Result<void> RunProbe(StressKind kind, const StopClock& stop,
                      const std::filesystem::path& sys_root) {
  const int64_t cache_bytes =
      LastLevelCacheBytes(sys_root).value_or(kUsualCacheBytes);
  if (kind == StressKind::kCpu) {
    RecordItems(stop, Spin);
    return {};
  }
  if (kind == StressKind::kCache) {
    const std::vector<uint32_t> chain = MakeChain(cache_bytes / 2);
    uint32_t at = 0;
    RecordItems(stop, [&chain, &at] {
      for (int i = 0; i < kHops; ++i) {
        at = chain[at];
      }
      asm volatile("" : "+r"(at));
    });
    return {};
  }
  if (kind == StressKind::kBandwidth) {
    const size_t half =
        std::max<size_t>(4 * kCopyBytes, 2 * static_cast<size_t>(cache_bytes)) /
        kCopyBytes * kCopyBytes;
    std::vector<char> memory(2 * half, 1);
    size_t at = 0;
    RecordItems(stop, [&memory, &at, half] {
      std::memcpy(memory.data() + half + at, memory.data() + at, kCopyBytes);
      at = at + kCopyBytes < half ? at + kCopyBytes : 0;
    });
    return {};
  }
  return Error{ErrorCode::kInvalid, "there is no probe for " +
                                        std::string(StressKindText(kind)) +
                                        ": choose from cpu, cache, bandwidth"};
}

}  // namespace edgewise
