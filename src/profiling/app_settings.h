// What a target of an app file asks of a session.
#ifndef EDGEWISE_PROFILING_APP_SETTINGS_H_
#define EDGEWISE_PROFILING_APP_SETTINGS_H_

#include <optional>

#include "appfile/app_file.h"
#include "base/result.h"
#include "containers/engine.h"
#include "datasets/dataset.h"
#include "sessions/settings.h"

namespace edgewise {

// What was found out about the parts of a target.
struct AppParticulars {
  const Engine* engine = nullptr;  // of an image
  std::string image_digest;
  std::optional<Dataset> dataset;
  std::string network;  // for the engine; empty: as it has it
};

// `asked` completed by the file: where it says something, it wins.
SessionSettings AppSettings(const AppFile& app, const AppTarget& target,
                            const AppParticulars& particulars,
                            const SessionSettings& asked);

}  // namespace edgewise

#endif  // EDGEWISE_PROFILING_APP_SETTINGS_H_
