// What the agent needs of its own process.
#ifndef EDGEWISE_LIVE_OWN_PROCESS_H_
#define EDGEWISE_LIVE_OWN_PROCESS_H_

#include <cstdint>
#include <string>

#include "base/result.h"

namespace edgewise::live {

// Makes the folder of a socket unless it is there, for everybody to look into.
Result<void> MakeFolderOf(const std::string& socket_path);

// As many descriptors as the system permits: some for each client and app.
void RaiseDescriptorLimit();

int64_t OwnRssBytes();

}  // namespace edgewise::live

#endif  // EDGEWISE_LIVE_OWN_PROCESS_H_
