// Whose a container is, and marks of those that may exist.
#ifndef EDGEWISE_CONTAINERS_OWNER_H_
#define EDGEWISE_CONTAINERS_OWNER_H_

#include <filesystem>
#include <string>
#include <string_view>

#include "base/result.h"
#include "containers/engine.h"

namespace edgewise {

// This process as a label says it: boot, pid namespace, pid, start time.
std::string OwnerText();
// Whether the process of such a text is gone for sure. Pids of another
// namespace mean nothing here: such an owner may live.
bool OwnerIsGone(std::string_view text);

// Writes home/containers/NAME, so that later starts know that there may be
// something to sweep.
Result<std::filesystem::path> MarkContainer(const std::filesystem::path& home,
                                            const Engine& engine,
                                            const std::string& name);

}  // namespace edgewise

#endif  // EDGEWISE_CONTAINERS_OWNER_H_
