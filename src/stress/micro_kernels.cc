#include "stress/micro_kernels.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <functional>
#include <thread>
#include <vector>

#include "base/clock.h"

namespace edgewise {
namespace {

constexpr int kRounds = 7;
constexpr int kMostThreads = 256;

// Four numbers that every processor multiplies at once.
using Vector = float __attribute__((vector_size(16)));
constexpr int kLanes = 4;
constexpr int kChains = 8;  // independent, so that none waits for another
constexpr int kSteps = 1'000'000;

constexpr size_t kBytesInAll = size_t{128} << 20;

// Keeps a result that nobody reads.
std::atomic<float> g_sink;

void Multiply() {
  Vector sums[kChains] = {};
  Vector factor = {0.9F, 0.8F, 0.7F, 0.6F};
  for (int step = 0; step < kSteps; ++step) {
    for (Vector& sum : sums) {
      sum = sum * factor + factor;
    }
  }
  float total = 0;
  for (const Vector& sum : sums) {
    total += sum[0] + sum[1] + sum[2] + sum[3];
  }
  g_sink.store(total, std::memory_order_relaxed);
}

// The fastest of some rounds in which all threads do `work` at once.
double FastestNs(int threads, const std::function<void(int)>& work) {
  int64_t best_ns = INT64_MAX;
  for (int round = 0; round < kRounds; ++round) {
    const int64_t start_ns = MonotonicNs();
    std::vector<std::thread> others;
    for (int i = 1; i < threads; ++i) {
      others.emplace_back(work, i);
    }
    work(0);
    for (std::thread& other : others) {
      other.join();
    }
    best_ns = std::min(best_ns, MonotonicNs() - start_ns);
  }
  return static_cast<double>(std::max<int64_t>(best_ns, 1));
}

}  // namespace

double MegaMacsPerMs(int threads) {
  threads = std::clamp(threads, 1, kMostThreads);
  const double ns = FastestNs(threads, [](int) { Multiply(); });
  const double macs = static_cast<double>(kSteps) * kChains * kLanes * threads;
  return macs / ns;  // per ns is million per ms
}

double MegabytesPerMs(int threads) {
  threads = std::clamp(threads, 1, kMostThreads);
  const std::vector<uint64_t> memory(kBytesInAll / sizeof(uint64_t), 1);
  const size_t part = memory.size() / static_cast<size_t>(threads);
  const double ns = FastestNs(threads, [&](int i) {
    uint64_t sums[kChains] = {};
    const uint64_t* begin = memory.data() + part * static_cast<size_t>(i);
    for (size_t at = 0; at + kChains <= part; at += kChains) {
      for (size_t k = 0; k < kChains; ++k) {
        sums[k] += begin[at + k];
      }
    }
    uint64_t total = 0;
    for (const uint64_t sum : sums) {
      total += sum;
    }
    g_sink.store(static_cast<float>(total), std::memory_order_relaxed);
  });
  return static_cast<double>(part * static_cast<size_t>(threads) *
                             sizeof(uint64_t)) /
         ns;  // per ns is million per ms
}

}  // namespace edgewise
