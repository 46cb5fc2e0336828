// An app with its labels as text, which every line of it repeats.
#ifndef EDGEWISE_LIVE_LABELLED_APP_H_
#define EDGEWISE_LIVE_LABELLED_APP_H_

#include <string>
#include <string_view>
#include <vector>

#include "http/exposition.h"
#include "live/snapshot.h"

namespace edgewise::live {

struct LabelledApp {
  const AppSnapshot* app;
  std::string labels;

  // The labels and one more.
  std::string With(std::string_view key, std::string_view value) const {
    return labels + "," + http::LabelText().Add(key, value).text();
  }
};

// The snapshot must outlive them.
std::vector<LabelledApp> LabelApps(const AgentSnapshot& snapshot);

// The families of what apps record themselves.
void ExportAppMetrics(const std::vector<LabelledApp>& apps,
                      http::Exposition& to);

}  // namespace edgewise::live

#endif  // EDGEWISE_LIVE_LABELLED_APP_H_
