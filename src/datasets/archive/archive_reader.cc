#include "datasets/archive/archive_reader.h"

namespace edgewise {
namespace {

constexpr size_t kReadBytes = 256 << 10;

}  // namespace

ArchiveReader::ArchiveReader(std::string_view shown)
    : shown_(shown),
      archive_(archive_read_new()),
      utf8_(::newlocale(LC_CTYPE_MASK, "C.UTF-8", locale_t{})),
      before_(utf8_ != locale_t{} ? ::uselocale(utf8_) : locale_t{}) {
  if (archive_ == nullptr) {
    return;
  }
  archive_read_support_filter_gzip(archive_);
  archive_read_support_filter_bzip2(archive_);
  archive_read_support_filter_xz(archive_);
  archive_read_support_filter_zstd(archive_);
  archive_read_support_filter_lz4(archive_);
  archive_read_support_format_tar(archive_);
  archive_read_support_format_zip(archive_);
}

ArchiveReader::~ArchiveReader() {
  if (archive_ != nullptr) {
    archive_read_free(archive_);
  }
  if (utf8_ != locale_t{}) {
    ::uselocale(before_);
    ::freelocale(utf8_);
  }
}

Result<void> ArchiveReader::Open(const std::filesystem::path& path) {
  if (archive_ == nullptr) {
    return Error{ErrorCode::kIo, shown_ + " cannot be read: free some memory"};
  }
  if (archive_read_open_filename(archive_, path.c_str(), kReadBytes) !=
      ARCHIVE_OK) {
    return Damaged();
  }
  return {};
}

Result<archive_entry*> ArchiveReader::Next() {
  for (;;) {
    archive_entry* entry = nullptr;
    const int status = archive_read_next_header(archive_, &entry);
    if (status == ARCHIVE_EOF) {
      return static_cast<archive_entry*>(nullptr);
    }
    if (status == ARCHIVE_OK || status == ARCHIVE_WARN) {
      return entry;
    }
    if (status != ARCHIVE_RETRY) {
      return Damaged();
    }
  }
}

Result<std::optional<ArchiveReader::Block>> ArchiveReader::NextBlock() {
  for (;;) {
    const void* bytes = nullptr;
    size_t size = 0;
    la_int64_t offset = 0;
    const int status =
        archive_read_data_block(archive_, &bytes, &size, &offset);
    if (status == ARCHIVE_EOF) {
      return std::optional<Block>();
    }
    if (status == ARCHIVE_OK || status == ARCHIVE_WARN) {
      return std::optional<Block>(
          Block{{static_cast<const char*>(bytes), size}, offset});
    }
    if (status != ARCHIVE_RETRY) {
      return Damaged();
    }
  }
}

Error ArchiveReader::Damaged() const {
  const char* const why = archive_error_string(archive_);
  return {ErrorCode::kCorrupt, shown_ +
                                   " is damaged, or no tar or zip archive (" +
                                   (why != nullptr ? why : "no reason given") +
                                   "): fetch or pack it again"};
}

}  // namespace edgewise
