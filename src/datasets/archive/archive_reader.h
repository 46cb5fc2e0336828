// ArchiveReader: the one owner of an archive that libarchive reads.
#ifndef EDGEWISE_DATASETS_ARCHIVE_ARCHIVE_READER_H_
#define EDGEWISE_DATASETS_ARCHIVE_ARCHIVE_READER_H_

#include <archive.h>
#include <archive_entry.h>
#include <locale.h>

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace edgewise {

// Names are UTF-8, whatever the program's own locale, for this thread while
// this lives.
class ArchiveReader {
 public:
  // `shown` begins every error.
  explicit ArchiveReader(std::string_view shown);
  ~ArchiveReader();
  ArchiveReader(const ArchiveReader&) = delete;
  ArchiveReader& operator=(const ArchiveReader&) = delete;

  Result<void> Open(const std::filesystem::path& path);
  // The next entry, valid until the one after; null: that was the last.
  Result<archive_entry*> Next();

  struct Block {
    std::string_view bytes;
    int64_t offset = 0;
  };
  // The next piece of the entry's content; nullopt: that was the last.
  Result<std::optional<Block>> NextBlock();

  Error Damaged() const;

 private:
  std::string shown_;
  archive* archive_;
  locale_t utf8_;
  locale_t before_;
};

}  // namespace edgewise

#endif  // EDGEWISE_DATASETS_ARCHIVE_ARCHIVE_READER_H_
