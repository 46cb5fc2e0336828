// Options of a container engine, one by one, as far as jobs may use them.
#ifndef EDGEWISE_JOBS_ENGINE_OPTION_H_
#define EDGEWISE_JOBS_ENGINE_OPTION_H_

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"

namespace edgewise {

struct EngineMount {
  std::string source;
  std::string target;
  bool read_only = false;
  bool mode_given = false;  // it was said how
};

struct EngineOption {
  std::string name;   // long: "--volume"
  std::string value;  // every option that is read has one
  std::optional<EngineMount> mount = std::nullopt;  // of -v and --mount
};

// "-v a:b", "--env=X=1", "-eX=1" and so on. Options without a value (--rm, -i,
// -t, which change nothing here) are left out; refused are words that belong to
// no option, and mounts that are no bind mounts.
Result<std::vector<EngineOption>> ReadEngineArgs(
    const std::vector<std::string>& args);

}  // namespace edgewise

#endif  // EDGEWISE_JOBS_ENGINE_OPTION_H_
