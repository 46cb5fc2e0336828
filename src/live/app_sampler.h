// AppSampler: looks at what each app uses, in turns and within a budget, so
// that a thousand apps cost no more than a hundred.
#ifndef EDGEWISE_LIVE_APP_SAMPLER_H_
#define EDGEWISE_LIVE_APP_SAMPLER_H_

#include <cstdint>
#include <deque>
#include <map>
#include <optional>

#include "live/registry.h"

namespace edgewise::live {

// Not thread-safe.
class AppSampler {
 public:
  // Each app is looked at so often, or more rarely if that took more than
  // `most_per_call_ns` in one Sample().
  explicit AppSampler(int64_t every_ns, int64_t most_per_call_ns = 1'000'000)
      : every_ns_(every_ns), most_per_call_ns_(most_per_call_ns) {}

  // Looks at those apps whose turn it is; about ten times a second.
  void Sample(const Registry& registry, int64_t now_ns);

  // Of one core, over the last minute or so; nullopt before half a minute.
  std::optional<double> CpuPercentOf(uint64_t app_id) const;

 private:
  struct CpuPoint {
    int64_t at_ns = 0;
    int64_t cpu_ns = 0;
  };
  struct Turn {
    int64_t next_ns = 0;
    int32_t pid = 0;
    std::deque<CpuPoint> points;  // some seconds apart
  };
  void SampleApp(LiveApp& app, Turn& turn, int64_t now_ns);

  int64_t every_ns_;
  int64_t most_per_call_ns_;
  uint64_t cursor_ = 0;  // the app looked at last
  std::map<uint64_t, Turn> turns_;
};

}  // namespace edgewise::live

#endif  // EDGEWISE_LIVE_APP_SAMPLER_H_
