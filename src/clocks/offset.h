// How far a remote clock is from the local one, at any time, and how wrong that
// may be.
//
// The room `clocks` is pure but for wall_clock.h. It knows clocks and
// exchanges; it must not know how messages travel.
//
// No message arrives before it was sent. So an exchange bounds the offset
// (remote - local) from above by t1 - t0 and from below by t2 - t3, however
// unevenly its round trip is split between the two ways, and however long a
// message waited in queues. Any two exchanges bound the drift in the same way.
// Bounds are carried to another time with the bounds of the drift; the
// narrowest that results holds, its middle is the estimate and its half width
// the error bound (docs/clocks.md).
#ifndef EDGEWISE_CLOCKS_OFFSET_H_
#define EDGEWISE_CLOCKS_OFFSET_H_

#include <cstdint>
#include <span>
#include <vector>

#include "base/result.h"
#include "clocks/exchange.h"

namespace edgewise::clocks {

struct EstimateSettings {
  // No clock drifts faster against another: crystals stay below 100 ppm, and
  // NTP slews by at most 500.
  double max_drift_ppm = 500;
  // How much the drift itself may vary during the exchanges; more if they show
  // more.
  double wander_ppm = 1;
};

// A time on the local clock, and by how much it may be off.
struct Moment {
  int64_t at_ns = 0;
  int64_t bound_ns = 0;  // 0 for times that were read on the local clock
};

class ClockEstimate {
 public:
  // The offset at a time of the local clock, ± the bound.
  struct Offset {
    double offset_ns = 0;
    double bound_ns = 0;
  };
  Offset At(int64_t local_ns) const;
  // A time that was read on the remote clock.
  Moment ToLocal(int64_t remote_ns) const;

  // ± half the width of its bounds.
  double drift_ppm() const { return (drift_low_ + drift_high_) / 2 * 1e6; }
  double drift_bound_ppm() const {
    return (drift_high_ - drift_low_) / 2 * 1e6;
  }
  int64_t exchanges() const { return exchanges_; }
  // Left out: impossible in itself, or at odds with most others.
  int64_t rejected() const { return rejected_; }
  int64_t least_round_trip_ns() const { return least_round_trip_ns_; }
  // Times of the local clock between which exchanges were made; beyond them the
  // bound grows with the drift's.
  int64_t first_ns() const { return first_ns_; }
  int64_t last_ns() const { return last_ns_; }

 private:
  friend Result<ClockEstimate> Estimate(std::span<const Exchange>,
                                        const EstimateSettings&);
  // At local time reference_ns_ + at, the offset is at most (or at least)
  // reference_offset_ns_ + offset. Relative, so that doubles are exact enough.
  struct Bound {
    double at_ns = 0;
    double offset_ns = 0;
  };
  // Sets the drift's bounds; false if no drift explains the exchanges.
  bool BoundDrift(double max_drift, double wander);
  // The offset's bounds at a time, both relative as above.
  void Bracket(double at_ns, double* low_ns, double* high_ns) const;

  int64_t reference_ns_ = 0;
  int64_t reference_offset_ns_ = 0;
  std::vector<Bound> upper_;
  std::vector<Bound> lower_;
  double drift_low_ = 0;  // seconds per second, wander included
  double drift_high_ = 0;
  int64_t exchanges_ = 0;
  int64_t rejected_ = 0;
  int64_t least_round_trip_ns_ = 0;
  int64_t first_ns_ = 0;
  int64_t last_ns_ = 0;
};

// In any order; one is enough, ten over some seconds give the drift. kInvalid
// if there is none that is possible; kCorrupt if most contradict each other,
// because a clock was set meanwhile.
Result<ClockEstimate> Estimate(std::span<const Exchange> exchanges,
                               const EstimateSettings& settings = {});

}  // namespace edgewise::clocks

#endif  // EDGEWISE_CLOCKS_OFFSET_H_
