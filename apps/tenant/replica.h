// Replica: one instance of a service, with its own waiting line.
#ifndef EDGEWISE_APPS_TENANT_REPLICA_H_
#define EDGEWISE_APPS_TENANT_REPLICA_H_

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>

#include "base/result.h"
#include "load/checksum.h"
#include "tenant/request_log.h"
#include "tenant/service.h"
#include "tenant/waiting_line.h"

namespace edgewise::apps {

// When all replicas end; CLOCK_MONOTONIC. Thread-safe.
class Closing {
 public:
  int64_t at_ns() const { return at_ns_.load(); }
  // May come nearer only.
  void Set(int64_t at_ns);
  // Until that time, or until closing.
  void WaitUntil(int64_t ns);

 private:
  // Never; sums with it do not overflow.
  std::atomic<int64_t> at_ns_{std::numeric_limits<int64_t>::max() / 2};
  std::mutex mutex_;
  std::condition_variable changed_;
};

struct Tally {
  int64_t arrived = 0;
  int64_t completed = 0;
  int64_t censored = 0;   // not answered at the end
  int64_t dropped = 0;    // the line was full
  double service_ns = 0;  // sums over those completed
  double queueing_ns = 0;
  double response_ns = 0;
};

struct ReplicaSettings {
  int index = 0;
  int queue = 256;
  int scale = 1;  // inferences in one request
};

class Replica {
 public:
  Replica(const ReplicaSettings& settings, std::unique_ptr<Service> service,
          WaitingLine::Source arrivals, Closing& closing, RequestLog& log);

  // Answers until closing, or until no more requests come. One thread.
  void Live();
  // Counts what was not answered by then as censored. From any thread; Live
  // records nothing after it.
  void Close(int64_t end_ns);
  void Abandon() { service_->Abandon(); }

  // After Close.
  const Tally& tally() const { return tally_; }
  uint32_t checksum() const { return checksum_.value(); }
  // Why it gave up; from any thread.
  std::optional<Error> failure() const;

 private:
  struct Serving {
    Request request;
    int64_t start_ns = 0;
  };
  // The next to be answered; nullopt at the end.
  std::optional<Serving> Next();
  Result<void> Answer(const Request& request);
  // False at the end.
  bool Finish(const Serving& serving, int64_t cpu_ns,
              const Result<void>& answered);

  ReplicaSettings settings_;
  std::unique_ptr<Service> service_;
  Closing& closing_;
  RequestLog& log_;
  Checksum checksum_;

  mutable std::mutex mutex_;  // of all below
  WaitingLine line_;
  std::optional<Serving> serving_;
  Tally tally_;
  bool closed_ = false;
  std::optional<Error> failure_;
};

}  // namespace edgewise::apps

#endif  // EDGEWISE_APPS_TENANT_REPLICA_H_
