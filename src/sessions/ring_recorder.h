// RingRecorder: takes what comes out of the clients' rings and streams it to
// the store.
#ifndef EDGEWISE_SESSIONS_RING_RECORDER_H_
#define EDGEWISE_SESSIONS_RING_RECORDER_H_

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "probes/rings/ring_events.h"
#include "store/run_writer.h"

namespace edgewise {

// Not thread-safe. The writer must outlive it.
class RingRecorder : public RingSink {
 public:
  explicit RingRecorder(RunWriter& writer) : writer_(writer) {}

  // Times in the store count from here; set before the first event.
  void SetStart(int64_t start_ns) { start_ns_ = start_ns; }

  void OnClientStart(const RingClient& client) override;
  void OnName(const RingClient& client, uint32_t id, EventKind kind,
              std::string_view name) override;
  void OnSpans(const RingClient& client,
               std::span<const SpanEvent> spans) override;
  void OnMetrics(const RingClient& client,
                 std::span<const MetricEvent> metrics) override;
  void OnJobs(const RingClient& client,
              std::span<const JobEvent> jobs) override;
  void OnClientEnd(const RingClient& client,
                   const RingAccount& account) override;

  // Clients that have ended, in that order.
  const std::vector<ClientAccount>& accounts() const { return accounts_; }
  // Dropped records whose names are not known: of threads that found no ring.
  int64_t dropped_without_name() const { return dropped_without_name_; }

 private:
  struct Name {
    EventKind kind = EventKind::kSpan;
    int64_t series = 0;
    std::vector<Span> spans;  // of the batch at hand
    // Counters are totals of a process; the series is the sum over all.
    std::map<uint32_t, double> total_by_client;
    double total = 0;
  };

  RunWriter& writer_;
  int64_t start_ns_ = 0;
  std::vector<Name> names_;  // by the collector's id
  std::vector<uint32_t> touched_;
  std::vector<ClientAccount> accounts_;
  // Of a name that has several kinds: that of its spans or jobs.
  std::map<std::string, int64_t, std::less<>> series_by_name_;
  int64_t dropped_without_name_ = 0;
  // The metadata text last seen and its id: successive spans often agree.
  std::string last_meta_;
  uint32_t last_meta_id_ = 0;
};

}  // namespace edgewise

#endif  // EDGEWISE_SESSIONS_RING_RECORDER_H_
