// Puts running programs back to how they were before plans were applied, or
// before an agent controlled them.
#ifndef EDGEWISE_EXECUTION_UNDO_APPLIED_H_
#define EDGEWISE_EXECUTION_UNDO_APPLIED_H_

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "base/result.h"
#include "controls/applied_journal.h"

namespace edgewise {

struct UndoReport {
  std::vector<std::string> changes;   // what was put back, for people
  std::vector<std::string> problems;  // what could not be; the journal stays
};

// By the journal, whoever wrote it and however it ended. Processes go back to
// their cgroups, threads to their cores and classes (threads that began since
// then to those of their process's first one), cgroups that were made go. What
// has ended meanwhile is left. kNotFound if nothing was applied.
Result<UndoReport> UndoApplied(const std::filesystem::path& home,
                               AppliedBy by = AppliedBy::kApply);
// The same for a part of what was changed; the caller's journal is not touched.
UndoReport UndoRecord(const AppliedRecord& record);

}  // namespace edgewise

#endif  // EDGEWISE_EXECUTION_UNDO_APPLIED_H_
