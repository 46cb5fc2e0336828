// Tap: what one app records, passed on as it arrives to whoever asked for it.
//
// Frames on a stream: length (4 bytes, little-endian, of what follows), a type
// byte, and varints (base/byte_code.h). 'N' announces a name before its first
// use: id, kind, text. 'S', 'M' and 'J' carry spans, metrics and jobs.
#ifndef EDGEWISE_LIVE_TAP_H_
#define EDGEWISE_LIVE_TAP_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "live/metric.h"
#include "probes/rings/ring_events.h"

namespace edgewise::live {

// The agent's side. Not thread-safe.
class TapWriter {
 public:
  // Frames that wait for the reader beyond this are lost.
  static constexpr size_t kMostWaitingBytes = size_t{4} << 20;

  // `metrics` are those that the events' names stand for; an event without one
  // is left out.
  void Add(std::span<const SpanEvent> events,
           const std::vector<LiveMetric*>& metrics);
  void Add(std::span<const MetricEvent> events,
           const std::vector<LiveMetric*>& metrics);
  void Add(std::span<const JobEvent> events,
           const std::vector<LiveMetric*>& metrics);

  // What is to be sent.
  std::string& waiting() { return waiting_; }
  uint64_t lost() const { return lost_; }

 private:
  // The id of the metric of an event's name, announced; nullopt if it is to be
  // left out.
  std::optional<uint32_t> IdOf(uint32_t name,
                               const std::vector<LiveMetric*>& metrics);
  void Append(char type, std::string_view payload);

  std::unordered_map<const LiveMetric*, uint32_t> ids_;
  std::string waiting_;
  uint64_t lost_ = 0;
};

// The other side: gives what comes in to a sink. Not thread-safe.
class TapReader {
 public:
  TapReader(const RingClient& client, RingSink& sink)
      : client_(client), sink_(sink) {}

  // Takes bytes as they come; an error if they are no frames.
  Result<void> Take(std::string_view bytes);
  uint64_t events() const { return events_; }

 private:
  bool TakeFrame(std::string_view frame);

  RingClient client_;
  RingSink& sink_;
  std::string kept_;
  uint64_t events_ = 0;
  uint32_t names_ = 0;
};

}  // namespace edgewise::live

#endif  // EDGEWISE_LIVE_TAP_H_
