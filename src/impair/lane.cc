#include "impair/lane.h"

#include <algorithm>

#include "base/clock.h"

namespace edgewise {
namespace {

// As Linux gives up on a segment (tcp_retries2), and its longest timeout.
constexpr int kMaxRetransmissions = 15;
constexpr int64_t kMaxTimeoutNs = 120 * kNsPerSecond;
// Even without delay a round trip takes some time.
constexpr int64_t kLeastRoundTripNs = 1'000'000;

}  // namespace

int64_t RateLimit::Through(int64_t now_ns, int64_t bytes) {
  if (!bits_per_s_) {
    return now_ns;
  }
  const double ns =
      static_cast<double>(bytes) * 8e9 / static_cast<double>(*bits_per_s_);
  free_ns_ = std::max(free_ns_, now_ns) + static_cast<int64_t>(ns);
  return free_ns_;
}

Lane::Lane(const Impairment& impairment, uint64_t seed, RateLimit* rate)
    : impairment_(impairment), random_(seed), rate_(rate) {
  in_segments_ = impairment.loss > 0 || impairment.rate_bits_per_s.has_value();
  transparent_ =
      !in_segments_ && impairment.delay_ns == 0 && impairment.jitter_ns == 0;
}

Lane::Passage Lane::Pass(int64_t now_ns, int64_t bytes, int64_t following) {
  Passage passage;
  passage.due_ns = rate_->Through(now_ns, bytes) + DelayNs();
  if (impairment_.loss > 0) {
    const int64_t late_ns = RetransmissionNs(following);
    passage.lost = late_ns > 0;
    passage.due_ns += late_ns;
  }
  passage.due_ns = last_due_ns_ = std::max(passage.due_ns, last_due_ns_);
  return passage;
}

int64_t Lane::PassEnd(int64_t now_ns) {
  return last_due_ns_ = std::max(now_ns + DelayNs(), last_due_ns_);
}

int64_t Lane::DelayNs() {
  if (impairment_.jitter_ns == 0) {
    return impairment_.delay_ns;
  }
  const double swing =
      (2 * random_.Uniform() - 1) * static_cast<double>(impairment_.jitter_ns);
  return std::max<int64_t>(0,
                           impairment_.delay_ns + static_cast<int64_t>(swing));
}

int64_t Lane::RetransmissionNs(int64_t following) {
  if (random_.Uniform() >= impairment_.loss) {
    return 0;
  }
  const int64_t round_trip_ns =
      std::max(2 * impairment_.delay_ns, kLeastRoundTripNs);
  int64_t timeout_ns = std::max(kRetransmitTimeoutNs, 2 * round_trip_ns);
  int64_t late_ns = 0;
  if (following >= kFastRetransmitSegments) {
    late_ns = round_trip_ns;
  } else {
    late_ns = timeout_ns;
    timeout_ns *= 2;
  }
  for (int i = 1;
       i < kMaxRetransmissions && random_.Uniform() < impairment_.loss; ++i) {
    late_ns += std::min(timeout_ns, kMaxTimeoutNs);
    timeout_ns = std::min(2 * timeout_ns, kMaxTimeoutNs);
  }
  return late_ns;
}

}  // namespace edgewise
