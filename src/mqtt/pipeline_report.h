// PipelineReport: what stored Runs of the pipeline say together; computed from
// the store only, the same way right after a measurement and a year later.
#ifndef EDGEWISE_MQTT_PIPELINE_REPORT_H_
#define EDGEWISE_MQTT_PIPELINE_REPORT_H_

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "mqtt/stages.h"
#include "stats/summary.h"
#include "store/store.h"

namespace edgewise::mqtt {

struct StageFigures {
  Stage stage = Stage::kTotal;
  stats::SpanSummary ns;
  // Of the total's time, with a 95% interval over ten parts of the Run; nullopt
  // for what is not on the path, or without a total.
  std::optional<stats::Estimate> share;
  // The most by which clocks of two hosts may be wrong; nullopt on one host.
  std::optional<double> bound_ns;
};

struct RoleUse {
  std::string name;                   // "producer", "broker", "app"
  std::optional<double> cpu_percent;  // of one core
  std::optional<double> peak_bytes;   // resident
  std::optional<int64_t> reconnects;
  // The most messages that waited: for the broker's answer, or in the queue.
  std::optional<double> waiting_peak;
};

// Messages; nullopt where nobody counted.
struct MessageAccount {
  std::optional<int64_t> sent;
  std::optional<int64_t> refused;   // QoS 0 without a connection
  std::optional<int64_t> unsent;    // never published: no time left
  std::optional<int64_t> rejected;  // by the broker
  std::optional<int64_t> dropped;   // the processor's queue was full
  std::optional<int64_t> failed;    // the work failed
  std::optional<int64_t> unreplied;
  std::optional<int64_t> received;  // duplicates included
  std::optional<int64_t> duplicated;
  std::optional<int64_t> reordered;
  std::optional<int64_t> lost;     // sent and never received
  std::optional<int64_t> foreign;  // on our topics, not ours
  std::optional<int64_t> negative;
  std::optional<int64_t> unplaced;
  std::optional<double> most_negative_ns;
  std::optional<double> in_flight_peak;
  std::optional<double> queued_peak;
};

struct PipelineCell {
  Run run;
  std::string name;  // "QoS 1, 1 KiB, delay=40ms"
  std::string qos;   // as in the details; "--" where not known
  std::string payload;
  std::string impairment;
  std::vector<StageFigures> stages;  // those that the Run has, in their order
  MessageAccount account;
  std::vector<RoleUse> roles;

  const StageFigures* Find(Stage stage) const;
};

struct PipelineReport {
  std::string group;
  std::vector<PipelineCell> cells;
  // Whole sentences: where the time goes, what was lost, what to look at.
  std::vector<std::string> advice;
};

// `runs`: at least one, in the order in which they are to be shown.
Result<PipelineReport> MakePipelineReport(const Store& store,
                                          std::span<const Run> runs);

// The sentences.
std::vector<std::string> PipelineAdvice(const PipelineReport& report);

}  // namespace edgewise::mqtt

#endif  // EDGEWISE_MQTT_PIPELINE_REPORT_H_
