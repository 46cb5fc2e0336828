// Clearing away what a session left when its guardian could not: by the session
// itself if the guardian was killed, by a later one if both are gone.
#ifndef EDGEWISE_CONTROLS_REMAINS_H_
#define EDGEWISE_CONTROLS_REMAINS_H_

#include <filesystem>
#include <functional>

#include "base/result.h"
#include "controls/journal.h"
#include "controls/process_tree.h"

namespace edgewise {

// The environment variable by which processes outside of any cgroup are known
// to belong to a session: EDGEWISE_RUN_ID=ID.
inline constexpr char kRunIdVariable[] = "EDGEWISE_RUN_ID";

// Marks further processes of the session.
using MarkMore = std::function<void(ProcessTable*)>;

// Kills the processes in the record's cgroups, those that carry its id in
// their environment, their descendants and what `mark_more` marks; puts back
// what was changed; removes the cgroups, the scratch folder and last the
// journal. On an error the journal stays. A record of an earlier boot has no
// processes, cgroups or changed values any more.
Result<void> ClearRemains(const JournalRecord& record,
                          const std::filesystem::path& journal,
                          const MarkMore& mark_more);

}  // namespace edgewise

#endif  // EDGEWISE_CONTROLS_REMAINS_H_
