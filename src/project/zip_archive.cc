#include "project/zip_archive.h"

#include <zip.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <string_view>
#include <vector>

#include "base/clock.h"

namespace edgewise {
namespace {

constexpr int64_t kFirstUtcS = 315'532'800;  // 1980-01-01, the oldest of zip
constexpr uLong kMadeOnUnix = 3U << 8 | 20;  // by version 2.0
constexpr uLong kNamesAreUtf8 = 1U << 11;
constexpr uLong kPlainFile = 0100644UL << 16;

// A file in memory, as minizip wants one: it goes back to fill in sizes.
struct MemoryFile {
  std::string bytes;
  size_t place = 0;

  static MemoryFile* Of(void* stream) {
    return static_cast<MemoryFile*>(stream);
  }
  static void* Open(void* opaque, const void* /*name*/, int /*mode*/) {
    return opaque;
  }
  static uLong Read(void* /*opaque*/, void* /*stream*/, void* /*buffer*/,
                    uLong /*size*/) {
    return 0;  // only asked of archives that are added to
  }
  static uLong Write(void* /*opaque*/, void* stream, const void* buffer,
                     uLong size) {
    MemoryFile& file = *Of(stream);
    if (file.place + size > file.bytes.size()) {
      file.bytes.resize(file.place + size);
    }
    std::memcpy(file.bytes.data() + file.place, buffer, size);
    file.place += size;
    return size;
  }
  static ZPOS64_T Tell(void* /*opaque*/, void* stream) {
    return Of(stream)->place;
  }
  static long Seek(void* /*opaque*/, void* stream, ZPOS64_T offset,
                   int origin) {
    MemoryFile& file = *Of(stream);
    const size_t from = origin == ZLIB_FILEFUNC_SEEK_SET   ? 0
                        : origin == ZLIB_FILEFUNC_SEEK_CUR ? file.place
                                                           : file.bytes.size();
    if (offset > file.bytes.size() - std::min(from, file.bytes.size())) {
      return -1;
    }
    file.place = from + offset;
    return 0;
  }
  static int Close(void* /*opaque*/, void* /*stream*/) { return 0; }
  static int Failed(void* /*opaque*/, void* /*stream*/) { return 0; }
};

zip_fileinfo InfoAt(int64_t utc_ns) {
  const std::time_t utc_s = std::max(kFirstUtcS, utc_ns / kNsPerSecond);
  std::tm at{};
  ::gmtime_r(&utc_s, &at);
  zip_fileinfo info{};
  info.tmz_date.tm_sec = static_cast<uInt>(std::min(at.tm_sec, 59));
  info.tmz_date.tm_min = static_cast<uInt>(at.tm_min);
  info.tmz_date.tm_hour = static_cast<uInt>(at.tm_hour);
  info.tmz_date.tm_mday = static_cast<uInt>(at.tm_mday);
  info.tmz_date.tm_mon = static_cast<uInt>(at.tm_mon);
  info.tmz_date.tm_year = static_cast<uInt>(at.tm_year + 1900);
  info.external_fa = kPlainFile;
  return info;
}

bool StaysInside(std::string_view name) {
  const std::filesystem::path path(name);
  return !name.empty() && path.is_relative() && !name.ends_with('/') &&
         std::none_of(path.begin(), path.end(),
                      [](const auto& part) { return part == ".."; });
}

Result<void> CheckNames(const std::vector<const ArchivedFile*>& sorted) {
  for (size_t i = 0; i < sorted.size(); ++i) {
    if (!StaysInside(sorted[i]->name)) {
      return Error{ErrorCode::kInvalid,
                   "\"" + sorted[i]->name + "\" cannot be a name in a zip"};
    }
    if (i > 0 && sorted[i]->name == sorted[i - 1]->name) {
      return Error{ErrorCode::kInvalid,
                   sorted[i]->name + " would be twice in the zip"};
    }
  }
  return {};
}

int AddFile(zipFile zip, const ArchivedFile& file, const zip_fileinfo& info) {
  int error = zipOpenNewFileInZip4_64(
      zip, file.name.c_str(), &info, nullptr, 0, nullptr, 0, nullptr,
      Z_DEFLATED, Z_BEST_COMPRESSION, 0, -MAX_WBITS, DEF_MEM_LEVEL,
      Z_DEFAULT_STRATEGY, nullptr, 0, kMadeOnUnix, kNamesAreUtf8, 0);
  // Sizes are 32 bits here.
  constexpr size_t kPieceBytes = size_t{1} << 24;
  std::string_view rest = file.content;
  while (error == ZIP_OK && !rest.empty()) {
    const std::string_view piece = rest.substr(0, kPieceBytes);
    error = zipWriteInFileInZip(zip, piece.data(),
                                static_cast<unsigned>(piece.size()));
    rest.remove_prefix(piece.size());
  }
  return error == ZIP_OK ? zipCloseFileInZip(zip) : error;
}

}  // namespace

Result<std::string> ZipArchive(std::span<const ArchivedFile> files,
                               int64_t utc_ns) {
  std::vector<const ArchivedFile*> sorted;
  for (const ArchivedFile& file : files) {
    sorted.push_back(&file);
  }
  std::sort(sorted.begin(), sorted.end(),
            [](const auto* a, const auto* b) { return a->name < b->name; });
  if (const Result<void> checked = CheckNames(sorted); !checked) {
    return checked.error();
  }
  MemoryFile memory;
  zlib_filefunc64_def access{
      MemoryFile::Open, MemoryFile::Read,  MemoryFile::Write,  MemoryFile::Tell,
      MemoryFile::Seek, MemoryFile::Close, MemoryFile::Failed, &memory};
  zipFile zip = zipOpen2_64("memory", APPEND_STATUS_CREATE, nullptr, &access);
  int error = zip == nullptr ? ZIP_INTERNALERROR : ZIP_OK;
  const zip_fileinfo info = InfoAt(utc_ns);
  for (const ArchivedFile* file : sorted) {
    if (error == ZIP_OK) {
      error = AddFile(zip, *file, info);
    }
  }
  if (zip != nullptr) {
    const int closed = zipClose(zip, nullptr);
    error = error == ZIP_OK ? closed : error;
  }
  if (error != ZIP_OK) {
    return Error{ErrorCode::kIo, "the zip could not be made (minizip error " +
                                     std::to_string(error) + ")"};
  }
  return std::move(memory.bytes);
}

}  // namespace edgewise
