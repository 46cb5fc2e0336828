// What comes out of client rings, and who receives it.
#ifndef EDGEWISE_PROBES_RINGS_RING_EVENTS_H_
#define EDGEWISE_PROBES_RINGS_RING_EVENTS_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace edgewise {

enum class EventKind : uint8_t { kSpan, kGauge, kCounter, kRate, kJob };
inline constexpr int kEventKindCount = 5;

// A process that sends. Ids are unique within one collector; a process that
// connects a second time is a new client.
struct RingClient {
  uint32_t id = 0;
  int32_t pid = 0;  // as the collector sees it
  uint32_t uid = 0;
  std::string program;
  // What it says of itself beside that: lines "key=value"; mostly empty.
  std::string identity;
};

// All times are CLOCK_MONOTONIC. `name` is a dense id, see RingSink::OnName.
// `tid` is as the process sees it: a container's own numbers.
struct SpanEvent {
  uint32_t name = 0;
  int32_t tid = 0;
  int64_t start_ns = 0;
  int64_t wall_ns = 0;
  std::optional<int64_t> cpu_ns;  // of the thread
  std::string_view meta;          // lines "key=value"; empty if there is none
};

struct MetricEvent {
  uint32_t name = 0;
  int32_t tid = 0;
  int64_t time_ns = 0;
  // Finite. For counters the total of the process since it began.
  double value = 0;
};

struct JobEvent {
  uint32_t name = 0;
  int32_t tid = 0;
  int64_t release_ns = 0;  // intended
  int64_t start_ns = 0;
  int64_t end_ns = 0;
  int64_t deadline_ns = 0;  // absolute
  std::optional<int64_t> cpu_ns;
};

// A value of a client that may be set (client/ring_layout.h).
struct ClientKnob {
  std::string name;
  double preset = 0;
  double least = 0;
  double most = 0;
  std::optional<double> wanted;  // as it was set
};

// A span that a thread was inside of, outermost first within one thread.
struct UnfinishedSpan {
  std::string name;
  int32_t tid = 0;
  int64_t start_ns = 0;
};

struct NameLoss {
  std::string name;
  uint64_t dropped = 0;
};

// What became of a client's records.
struct RingAccount {
  uint64_t delivered = 0;
  uint64_t dropped_full = 0;     // the ring was full
  uint64_t dropped_reentry = 0;  // a signal handler interrupted a record
  uint64_t dropped_no_slot = 0;  // more threads than slots
  uint64_t dropped_no_name = 0;  // too many different names
  uint64_t invalid = 0;          // made no sense; not delivered
  uint64_t truncated_meta = 0;   // delivered, with part of the metadata
  // Of dropped_full, dropped_reentry and dropped_no_slot, by name.
  std::vector<NameLoss> dropped_by_name;
  std::vector<UnfinishedSpan> unfinished;

  uint64_t dropped() const {
    return dropped_full + dropped_reentry + dropped_no_slot + dropped_no_name +
           invalid;
  }
};

// Receives events in batches, in order within one thread of a client. Spans
// of memory and text are valid only during the call.
class RingSink {
 public:
  virtual ~RingSink() = default;

  virtual void OnClientStart(const RingClient& client) = 0;
  // Before the first event with this id, by the client that is first to use it.
  // Ids count from 0 over all kinds, and over all clients unless the collector
  // keeps the names of each apart; the same kind and name has one id. The name
  // is valid UTF-8 without control characters.
  virtual void OnName(const RingClient& client, uint32_t id, EventKind kind,
                      std::string_view name) = 0;
  virtual void OnSpans(const RingClient& client,
                       std::span<const SpanEvent> spans) = 0;
  virtual void OnMetrics(const RingClient& client,
                         std::span<const MetricEvent> metrics) = 0;
  virtual void OnJobs(const RingClient& client,
                      std::span<const JobEvent> jobs) = 0;
  // The process has ended, closed its connection, or broke the protocol.
  // Everything it had written was delivered before.
  virtual void OnClientEnd(const RingClient& client,
                           const RingAccount& account) = 0;
};

}  // namespace edgewise

#endif  // EDGEWISE_PROBES_RINGS_RING_EVENTS_H_
