// Files as a zip archive, the same bytes for the same files.
#ifndef EDGEWISE_PROJECT_ZIP_ARCHIVE_H_
#define EDGEWISE_PROJECT_ZIP_ARCHIVE_H_

#include <cstdint>
#include <span>
#include <string>

#include "base/result.h"

namespace edgewise {

struct ArchivedFile {
  std::string name;  // "cards/camera.yaml": relative, without ".."
  std::string content;
};

// Compressed, in the order of their names, all dated `utc_ns` (zip has two
// seconds' resolution, and no times before 1980). Refused: a name twice, empty
// or leading out of the folder that it is unpacked to.
Result<std::string> ZipArchive(std::span<const ArchivedFile> files,
                               int64_t utc_ns);

}  // namespace edgewise

#endif  // EDGEWISE_PROJECT_ZIP_ARCHIVE_H_
