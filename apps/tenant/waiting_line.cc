#include "tenant/waiting_line.h"

#include <cassert>
#include <utility>

#include "base/clock.h"
#include "stats/arrivals.h"

namespace edgewise::apps {

WaitingLine::WaitingLine(Source source, int capacity, Dropped dropped)
    : source_(std::move(source)),
      capacity_(static_cast<size_t>(capacity)),
      dropped_(std::move(dropped)),
      next_ns_(source_()) {}

void WaitingLine::AdmitUntil(int64_t now_ns) {
  while (next_ns_ && *next_ns_ <= now_ns) {
    Request request;
    request.number = arrived_++;
    request.arrival_ns = *next_ns_;
    if (last_ns_) {
      request.interarrival_ns = *next_ns_ - *last_ns_;
    }
    request.queue_length = static_cast<int>(waiting_.size());
    if (!busy_ && !called_) {
      called_ = request;
    } else if (waiting_.size() < capacity_) {
      waiting_.push_back(request);
    } else {
      dropped_(request);
    }
    last_ns_ = next_ns_;
    next_ns_ = source_();
  }
}

std::optional<Request> WaitingLine::Serve() {
  assert(!busy_);
  busy_ = called_.has_value();
  return std::exchange(called_, std::nullopt);
}

void WaitingLine::Finish(int64_t now_ns) {
  AdmitUntil(now_ns);
  busy_ = false;
  called_ = TakeLeft();
}

std::optional<Request> WaitingLine::TakeLeft() {
  if (called_) {
    return std::exchange(called_, std::nullopt);
  }
  if (waiting_.empty()) {
    return std::nullopt;
  }
  const Request first = waiting_.front();
  waiting_.pop_front();
  return first;
}

WaitingLine::Source PoissonArrivals(double rate_per_s, uint64_t seed,
                                    int64_t begin_ns,
                                    std::optional<int64_t> most) {
  stats::Arrivals arrivals(stats::ArrivalKind::kPoisson,
                           static_cast<double>(kNsPerSecond) / rate_per_s,
                           seed);
  // The first of these is at once; a Poisson process begins with a gap.
  (void)arrivals.NextOffsetNs();
  return [arrivals, begin_ns, most,
          count = int64_t{0}]() mutable -> std::optional<int64_t> {
    if (most && count >= *most) {
      return std::nullopt;
    }
    ++count;
    return begin_ns + arrivals.NextOffsetNs();
  };
}

}  // namespace edgewise::apps
