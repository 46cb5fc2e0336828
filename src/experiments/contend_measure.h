// Measuring planned deployments one after another.
#ifndef EDGEWISE_EXPERIMENTS_CONTEND_MEASURE_H_
#define EDGEWISE_EXPERIMENTS_CONTEND_MEASURE_H_

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "experiments/contend_plan.h"
#include "experiments/item_times.h"

namespace edgewise {

struct ContendConditions {
  std::filesystem::path home;
  std::string group;
  std::vector<int> cpus;  // of every actor; empty: all
  int64_t duration_ns = 5 * kNsPerSecond;
  int64_t warmup_ns = kNsPerSecond / 2;  // of the subject, left out
  int64_t settle_ns = kNsPerSecond / 2;  // of neighbours, before the subject
};

// What one actor did in one deployment.
struct Observation {
  size_t step = 0;  // place in the order of the experiment
  std::string actor;
  std::vector<std::string> beside;  // names; empty: it was alone
  int repeat = 0;
  std::string run_id;
  // Wall times of its items while all were there; of a program without spans
  // that ended by itself, its own.
  std::vector<double> wall_ns;
  // CPU time, and time spent waiting for a core, over wall time.
  std::optional<double> cores_wanted;
  std::string failure;  // why there is nothing; empty if there is

  bool baseline() const { return beside.empty(); }
};

// How far the experiment is.
struct ContendProgress {
  size_t step = 0;  // from 1
  size_t steps = 0;
  std::string what;  // "image beside cache:50"
};
using ContendListener = std::function<void(const ContendProgress&)>;

// "image beside cache:50"; "image alone".
std::string DeploymentText(const std::string& subject,
                           const std::vector<std::string>& beside);

class ContendMeasure {
 public:
  ContendMeasure(ContendConditions conditions, size_t steps,
                 ContendListener progress);

  // Measures them all. An actor that fails is an observation that says so, and
  // the rest goes on; an error is one of edgewise itself. Ends early when
  // cancelled.
  Result<void> Measure(const std::vector<Deployment>& plan);

  bool cancelled() const { return cancelled_; }
  const std::vector<Observation>& observations() const { return observed_; }
  // The span that was taken for an actor's items; empty: the whole program.
  std::string SpanOf(const std::string& actor) const;
  // Sentences on what weakens the figures, each once.
  const std::vector<std::string>& warnings() const { return warnings_; }

 private:
  Result<void> MeasureOne(const Deployment& deployment);
  void WarnOfNeighbour(const Actor& actor, const std::string& subject,
                       const std::vector<Run>& runs);
  Result<void> ReadItems(const Store& store, const Actor& actor,
                         const std::vector<Run>& runs,
                         const MonotonicWindow& window, Observation* seen);
  void Warn(const std::string& sentence);

  ContendConditions conditions_;
  size_t steps_;
  ContendListener progress_;
  size_t step_ = 0;
  bool cancelled_ = false;
  std::vector<Observation> observed_;
  std::map<std::string, std::string> spans_;
  std::vector<std::string> warnings_;
};

}  // namespace edgewise

#endif  // EDGEWISE_EXPERIMENTS_CONTEND_MEASURE_H_
