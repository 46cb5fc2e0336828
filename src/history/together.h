// Whether several apps fit one node and each still meets its goal.
#ifndef EDGEWISE_HISTORY_TOGETHER_H_
#define EDGEWISE_HISTORY_TOGETHER_H_

#include <optional>
#include <string>
#include <vector>

#include "history/app_need.h"
#include "history/node.h"

namespace edgewise {

enum class Fits { kYes, kNo, kNotKnown };

// One resource: what all ask for against what there is.
struct ResourceCheck {
  std::string resource;  // "CPU", "memory", "GPU memory", "GPU bandwidth"
  std::string unit;      // "cores", "bytes", "GB/s"
  std::optional<double> needed;  // of the apps that are known
  std::optional<double> available;
  Fits fits = Fits::kNotKnown;
  std::string sentence;
};

// One app's goal beside the others.
struct GoalCheck {
  std::string app;
  std::optional<double> slow_down;
  std::string slow_down_from;  // "curves", "card, beside dl"; empty: unknown
  std::optional<double> expected_ms;
  std::optional<double> deadline_ms;
  Fits fits = Fits::kNotKnown;
  std::string sentence;
};

struct Together {
  Node node;
  std::vector<AppNeed> apps;
  std::vector<ResourceCheck> resources;
  std::vector<GoalCheck> goals;
  // No if any check says no; yes only if all say yes.
  Fits fits = Fits::kNotKnown;
  std::vector<std::string> warnings;
};

Together CheckTogether(Node node, std::vector<AppNeed> apps);

}  // namespace edgewise

#endif  // EDGEWISE_HISTORY_TOGETHER_H_
