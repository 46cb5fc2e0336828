// What the cache does with the folders in it. Nothing here fails: what cannot
// be done is left, and found by the next sweep.
#ifndef EDGEWISE_DATASETS_CACHE_FILES_H_
#define EDGEWISE_DATASETS_CACHE_FILES_H_

#include <cstdint>
#include <filesystem>
#include <vector>

namespace edgewise {

std::vector<std::filesystem::path> Children(
    const std::filesystem::path& folder);

// Folders that are not writable do not keep their owner from removing them.
void RemoveAll(const std::filesystem::path& path);

// By whoever runs in a container, whatever our umask is.
void MakeReadable(const std::filesystem::path& folder);

// Of the files in it, at any depth.
int64_t BytesBelow(const std::filesystem::path& folder);

// When it was last written, UTC; 0 if it is not there.
int64_t ChangedUtcNs(const std::filesystem::path& path);

}  // namespace edgewise

#endif  // EDGEWISE_DATASETS_CACHE_FILES_H_
