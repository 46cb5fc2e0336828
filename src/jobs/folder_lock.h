// A folder that one process has to itself.
#ifndef EDGEWISE_JOBS_FOLDER_LOCK_H_
#define EDGEWISE_JOBS_FOLDER_LOCK_H_

#include <filesystem>

#include "base/result.h"
#include "base/unique_fd.h"

namespace edgewise {

// Makes the folder if needed and holds it as long as the descriptor is open,
// which the system closes whatever ends the process. kBusy: another does.
Result<UniqueFd> HoldFolder(const std::filesystem::path& folder);

}  // namespace edgewise

#endif  // EDGEWISE_JOBS_FOLDER_LOCK_H_
