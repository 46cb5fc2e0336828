// A file that one process has to itself.
#ifndef EDGEWISE_BASE_FILE_LOCK_H_
#define EDGEWISE_BASE_FILE_LOCK_H_

#include <filesystem>

#include "base/result.h"
#include "base/unique_fd.h"

namespace edgewise {

// Makes the file if needed and holds it as long as the descriptor is open,
// which the system closes whatever ends the process. Processes that are forked
// hold it too. kBusy: another does.
Result<UniqueFd> HoldFile(const std::filesystem::path& file);

}  // namespace edgewise

#endif  // EDGEWISE_BASE_FILE_LOCK_H_
