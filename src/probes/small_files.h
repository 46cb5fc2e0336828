// Reading the one-line files of /sys, /proc/sys and /etc once: names, numbers.
#ifndef EDGEWISE_PROBES_SMALL_FILES_H_
#define EDGEWISE_PROBES_SMALL_FILES_H_

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace edgewise {

// The text without blanks around it and without NULs (device-tree strings end
// with one); empty if there is no such file.
std::string ReadName(const std::filesystem::path& path);
// The number that is all of the file.
std::optional<int64_t> ReadNumber(const std::filesystem::path& path);
// False also where the path may not be looked at.
bool Exists(const std::filesystem::path& path);
// The entries of a folder in order of their names; none if it is not there.
std::vector<std::filesystem::path> SortedEntries(
    const std::filesystem::path& folder);
// The program's full path in a list such as $PATH; nullopt if it is in none.
std::optional<std::filesystem::path> FindProgram(const std::string& name,
                                                 const std::string& folders);

}  // namespace edgewise

#endif  // EDGEWISE_PROBES_SMALL_FILES_H_
