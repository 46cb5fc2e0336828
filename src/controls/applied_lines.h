// One line of a journal of changed programs (docs/formats/applied.md), with its
// end.
#ifndef EDGEWISE_CONTROLS_APPLIED_LINES_H_
#define EDGEWISE_CONTROLS_APPLIED_LINES_H_

#include <filesystem>
#include <string>

#include "controls/applied_journal.h"

namespace edgewise {

std::string AppliedLine(const ThreadBefore& before);
std::string AppliedLine(const MemberBefore& before);
std::string AppliedLine(const SettingBefore& before);
// Of a cgroup that was made.
std::string AppliedLine(const std::filesystem::path& folder);

}  // namespace edgewise

#endif  // EDGEWISE_CONTROLS_APPLIED_LINES_H_
