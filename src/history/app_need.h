// AppNeed: what one app asks of a node, and by when it must be done.
#ifndef EDGEWISE_HISTORY_APP_NEED_H_
#define EDGEWISE_HISTORY_APP_NEED_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "cards/card.h"
#include "experiments/pair_prediction.h"
#include "history/history.h"

namespace edgewise {

struct AppNeed {
  std::string app;
  std::string source;  // "card cards/a.yaml", "12 Runs on pi5"
  // Of the machine that it was measured on; empty: not said.
  std::string fingerprint;
  std::optional<double> cpu_cores;
  std::optional<double> memory_bytes;
  std::optional<double> gpu_memory_bytes;   // 0: it uses no GPU
  std::optional<double> gpu_bandwidth_gbs;  // likewise

  // The goal: what must be done within the deadline takes `alone_ms`.
  std::optional<double> deadline_ms;
  std::optional<double> alone_ms;
  std::string alone_is;  // "wcet_ms", "p95"
  // How much longer it took in the worst company that was measured.
  std::optional<double> contended_ratio;
  std::string contended_beside;
  // From curves, where there are any.
  std::optional<Sensitivity> sensitivity;
  std::optional<Pressure> pressure;
};

AppNeed NeedOfCard(const Card& card, const std::string& file);

// Of the newest version, on the machine with that fingerprint if there are
// Runs from it, else on the one of the newest Run. kInvalid where no Run went
// well.
Result<AppNeed> NeedOfHistory(const History& history,
                              const std::string& fingerprint);

// Fills in what a card says and Runs do not, most of all the goal.
void AddGoal(const Card& card, AppNeed& need);

// What `edgewise contend sensitivity --json` says of apps. `origin` as usual.
struct AppCurves {
  std::string app;
  std::optional<Sensitivity> sensitivity;
  std::optional<Pressure> pressure;
};
Result<std::vector<AppCurves>> ReadCurves(std::string_view json,
                                          const std::string& origin);

}  // namespace edgewise

#endif  // EDGEWISE_HISTORY_APP_NEED_H_
