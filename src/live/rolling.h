// RollingSketch: how values were distributed over the last 2 s, minute and
// 5 minutes, in bounded memory.
//
// Values are counted in sketches of half a second, which add up to sketches of
// 5 s and these to sketches of 30 s; a window is the sum of those that it
// reaches into. So a window is a little longer than its name: 2.0 to 2.5 s, 60
// to 65 s, 300 to 330 s; rates divide by what it really covers.
#ifndef EDGEWISE_LIVE_ROLLING_H_
#define EDGEWISE_LIVE_ROLLING_H_

#include <array>
#include <cstdint>
#include <optional>

#include "base/clock.h"
#include "stats/quantile.h"
#include "stats/sketch.h"

namespace edgewise::live {

enum class Window { k2s, k1min, k5min };
inline constexpr std::array<Window, 3> kWindows = {Window::k2s, Window::k1min,
                                                   Window::k5min};
// "2s", "1m", "5m".
const char* WindowName(Window window);

enum class Intervals { kWith, kWithout };

// Of the values of one window. Intervals take the values as independent.
struct WindowFigures {
  uint64_t count = 0;
  std::optional<double> rate_per_s;    // nullopt before anything was covered
  std::optional<stats::Estimate> p50;  // nullopt without values
  std::optional<stats::Estimate> p95;
  std::optional<stats::Estimate> p99;
};

// Times are CLOCK_MONOTONIC and must not go backwards. Not thread-safe.
class RollingSketch {
 public:
  explicit RollingSketch(int64_t now_ns) : first_ns_(now_ns) {}

  void Add(double value, int64_t now_ns);
  // Without intervals it is several times cheaper.
  WindowFigures Read(Window window, int64_t now_ns,
                     Intervals intervals = Intervals::kWith) const;

 private:
  struct Bucket {
    int64_t index = -1;  // time over width
    stats::Sketch sketch;
  };
  template <int64_t width_ns, size_t keep>
  struct Level {
    static constexpr int64_t kWidthNs = width_ns;
    static constexpr auto kKeep = static_cast<int64_t>(keep);
    std::array<Bucket, keep> closed;  // by index, modulo
    Bucket current;

    // Makes `index` the current bucket; the one before, if it has ended.
    std::optional<Bucket> Advance(int64_t index);
    void MergeInto(stats::Sketch* sum, int64_t now_index) const;
  };

  int64_t first_ns_;
  Level<kNsPerSecond / 2, 4> fine_;
  Level<5 * kNsPerSecond, 12> middle_;   // without the current of fine_
  Level<30 * kNsPerSecond, 10> coarse_;  // without the current of middle_
};

}  // namespace edgewise::live

#endif  // EDGEWISE_LIVE_ROLLING_H_
