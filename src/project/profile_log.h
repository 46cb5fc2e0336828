// Reads CSV logs of measured blocks: prof_utils' (docs/formats/profile-log.md)
// and what `edgewise export --format csv` writes of spans.
#ifndef EDGEWISE_PROJECT_PROFILE_LOG_H_
#define EDGEWISE_PROJECT_PROFILE_LOG_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace edgewise {

struct LoggedBlock {
  std::string label;
  std::vector<double> wall_ms;  // in the order of the log
};

struct ProfileLog {
  std::vector<LoggedBlock> blocks;  // in the order of their first rows
  int64_t rows = 0;
  int64_t bad_rows = 0;  // without a label or a time that is a number
  int64_t unnamed = 0;   // rows of labels beyond the first kMostLabels
};

inline constexpr size_t kMostLabels = 100;

// nullopt where the header has no `label` (or `name`) and `wall_ms`. Fields are
// quoted as RFC 4180 has it; lines end with LF or CR LF.
std::optional<ProfileLog> ReadProfileLog(std::string_view csv);

}  // namespace edgewise

#endif  // EDGEWISE_PROJECT_PROFILE_LOG_H_
