// Lane: when bytes that enter one direction of a link come out at its end.
//
// Pure but for its seeded randomness: times go in, times come out.
//
// Rate: bytes follow each other as fast as the link carries them, those of all
// connections together. Delay and jitter are added to each piece; a piece never
// comes out before an earlier one of its connection.
//
// Loss is modelled, because TCP hides it: a lost segment comes late, and
// everything behind it waits. If at least kFastRetransmitSegments segments
// follow it in the same burst it is sent again after one round trip (as fast
// retransmit does), otherwise after a timeout of max(200 ms, two round trips).
// What is sent again may be lost again; each further timeout is twice as long.
#ifndef EDGEWISE_IMPAIR_LANE_H_
#define EDGEWISE_IMPAIR_LANE_H_

#include <cstdint>
#include <optional>

#include "impair/impairment.h"
#include "stats/random.h"

namespace edgewise {

// What a segment of TCP carries over Ethernet, with time stamps.
inline constexpr int64_t kSegmentBytes = 1448;
inline constexpr int64_t kFastRetransmitSegments = 3;
inline constexpr int64_t kRetransmitTimeoutNs = 200'000'000;

// The rate of one direction, shared by the lanes of all its connections.
class RateLimit {
 public:
  explicit RateLimit(std::optional<int64_t> bits_per_s)
      : bits_per_s_(bits_per_s) {}
  // When the last of `bytes`, handed over at `now_ns`, is through.
  int64_t Through(int64_t now_ns, int64_t bytes);

 private:
  std::optional<int64_t> bits_per_s_;
  int64_t free_ns_ = 0;  // when it has carried all that it was handed
};

class Lane {
 public:
  struct Passage {
    int64_t due_ns = 0;
    bool lost = false;
  };

  // `rate` must outlive the lane.
  Lane(const Impairment& impairment, uint64_t seed, RateLimit* rate);

  // Nothing ever waits here.
  bool transparent() const { return transparent_; }
  // Bytes must be handed over in pieces of at most kSegmentBytes.
  bool in_segments() const { return in_segments_; }

  // A piece that enters at `now_ns`, with `following` more segments of the same
  // burst right behind it.
  Passage Pass(int64_t now_ns, int64_t bytes, int64_t following);

  // An end of file is no segment that could be lost or take time on the link.
  int64_t PassEnd(int64_t now_ns);

 private:
  int64_t DelayNs();
  int64_t RetransmissionNs(int64_t following);

  Impairment impairment_;
  stats::Random random_;
  RateLimit* rate_;
  bool transparent_ = false;
  bool in_segments_ = false;
  int64_t last_due_ns_ = 0;
};

}  // namespace edgewise

#endif  // EDGEWISE_IMPAIR_LANE_H_
