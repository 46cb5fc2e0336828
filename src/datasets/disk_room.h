// Whether the disk of the cache has room for more.
#ifndef EDGEWISE_DATASETS_DISK_ROOM_H_
#define EDGEWISE_DATASETS_DISK_ROOM_H_

#include <cstdint>
#include <filesystem>
#include <string_view>

#include "base/result.h"
#include "datasets/cache.h"

namespace edgewise {

// What this user may still write there; very much where that is not known.
int64_t FreeBytes(const std::filesystem::path& folder);

// Makes room for `bytes` more by removing datasets that nobody uses, if need
// be. kIo: there is not enough; the sentence names `shown`.
Result<void> MakeRoom(const DatasetCache& cache, int64_t bytes,
                      std::string_view shown);

// The sentence for a disk that turned out to be full.
Error DiskFull(const std::filesystem::path& folder, std::string_view shown);

}  // namespace edgewise

#endif  // EDGEWISE_DATASETS_DISK_ROOM_H_
