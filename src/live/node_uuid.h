// A name for this node that no other has and that stays over restarts.
#ifndef EDGEWISE_LIVE_NODE_UUID_H_
#define EDGEWISE_LIVE_NODE_UUID_H_

#include <filesystem>
#include <string>
#include <string_view>

#include "base/result.h"

namespace edgewise::live {

// A UUID made from the machine's own id, which cannot be told from it.
std::string UuidFrom(std::string_view machine_id);

// From /etc/machine-id below `root`; where there is none, a random one that is
// kept in the folder `home` from then on.
Result<std::string> NodeUuid(const std::filesystem::path& home,
                             const std::filesystem::path& root = "/");

}  // namespace edgewise::live

#endif  // EDGEWISE_LIVE_NODE_UUID_H_
