// Archives, unpacked with suspicion.
//
// Its one implementation is libarchive in a module of its own
// (libedgewise-archive.so).
#ifndef EDGEWISE_DATASETS_UNPACK_H_
#define EDGEWISE_DATASETS_UNPACK_H_

#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <string_view>

#include "base/result.h"
#include "datasets/manifest.h"

namespace edgewise {

// What no honest dataset exceeds.
struct UnpackLimits {
  int64_t max_bytes = int64_t{1} << 40;
  // What the disk has room for.
  int64_t room_bytes = std::numeric_limits<int64_t>::max();
  int64_t max_files = 1'000'000;
  // Of what is unpacked to the archive's own size, once that much is unpacked.
  int64_t max_ratio = 250;
  int64_t ratio_from_bytes = int64_t{256} << 20;
};

// Answers whether to go on, given what is unpacked so far.
using UnpackListener = std::function<bool(int64_t bytes)>;

// Whether a file of this name is an archive: .zip, .tar, .tar.gz, .tgz, …
bool IsArchiveName(std::string_view name);

// Unpacks into `folder`, which must be empty. Files become readable by all,
// owned by this user; links are made last, so that nothing is written through
// them. kCorrupt: the archive is damaged or none, or names, links, devices or
// sizes in it would do harm; kIo: the disk is full. What was unpacked until
// then is left to the caller. The error begins with `shown`.
Result<Manifest> Unpack(const std::filesystem::path& archive,
                        std::string_view shown,
                        const std::filesystem::path& folder,
                        const UnpackLimits& limits,
                        const UnpackListener& listener);

// What the module exports, and under which name; that changes with the types.
struct UnpackOrder {
  const std::filesystem::path& archive;
  std::string_view shown;
  const std::filesystem::path& folder;
  const UnpackLimits& limits;
  const UnpackListener& listener;
};
using UnpackFunction = Result<Manifest> (*)(const UnpackOrder& order);
using UnpackExport = UnpackFunction (*)();
inline constexpr char kUnpackExport[] = "edgewise_archive_unpack_1";

}  // namespace edgewise

#endif  // EDGEWISE_DATASETS_UNPACK_H_
