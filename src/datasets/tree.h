// The files of a folder: what is there, and what is in them.
#ifndef EDGEWISE_DATASETS_TREE_H_
#define EDGEWISE_DATASETS_TREE_H_

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "base/result.h"
#include "datasets/manifest.h"

namespace edgewise {

struct TreeEntry {
  std::string name;         // below the folder
  std::string link_target;  // empty: a file
  int64_t bytes = 0;
  // Changes when the content may have: device, inode, size, times.
  std::string version;
  int64_t changed_ns = 0;  // when it last did, UTC
};

// Answers whether to go on, given the bytes read since it was last asked.
using ReadListener = std::function<bool(int64_t more_bytes)>;

// Sorted by name. kNotFound, kPermission; kCorrupt for what cannot be part of a
// dataset (a socket, a link that leads out).
Result<std::vector<TreeEntry>> ListTree(const std::filesystem::path& folder);

// The digest of one file.
Result<std::string> HashFile(const std::filesystem::path& path,
                             const ReadListener& listener);
// Reads all of them.
Result<Manifest> HashTree(const std::filesystem::path& folder,
                          const std::vector<TreeEntry>& entries,
                          const ReadListener& listener);

// What a file is at the moment, see TreeEntry::version.
Result<TreeEntry> StatFile(const std::filesystem::path& path);

}  // namespace edgewise

#endif  // EDGEWISE_DATASETS_TREE_H_
