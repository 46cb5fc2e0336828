#include "probes/python/code_cache.h"

#include <algorithm>

#include "probes/python/object_text.h"

namespace edgewise::python {
namespace {

// A process cannot make us remember more than this; then the cache starts
// anew.
constexpr size_t kMaxEntries = 16384;
constexpr size_t kMaxLineTableBytesInAll = size_t{4} << 20;
// Of one function, in code units.
constexpr uint64_t kMaxUnits = uint64_t{1} << 28;

}  // namespace

std::optional<CodeCache::Place> CodeCache::Find(const ReadPieces& read,
                                                uint64_t address,
                                                std::span<const char> head,
                                                uint64_t prev_instr) {
  if (code_type_ != 0 && ValueAt<uint64_t>(head, kObjectType) != code_type_) {
    return std::nullopt;
  }
  const Identity identity{
      .units = ValueAt<uint64_t>(head, kObjectSize),
      .filename = ValueAt<uint64_t>(head, layout_->code_filename),
      .qualname = ValueAt<uint64_t>(head, layout_->code_qualname),
      .line_table = ValueAt<uint64_t>(head, layout_->code_linetable),
      .first_line = ValueAt<int32_t>(head, layout_->code_first_line),
  };
  if (identity.units == 0 || identity.units > kMaxUnits) {
    return std::nullopt;
  }
  // A frame that has not begun points one unit before the first.
  const uint64_t first = address + layout_->code_instructions;
  const uint64_t offset = prev_instr - (first - kCodeUnitBytes);
  if (offset % kCodeUnitBytes != 0 ||
      offset / kCodeUnitBytes > identity.units) {
    return std::nullopt;
  }
  const auto known = entries_.find(address);
  const Entry* const entry =
      known != entries_.end() && known->second.identity == identity
          ? &known->second
          : Read(read, address, identity);
  if (entry == nullptr) {
    return std::nullopt;
  }
  return Place{.code = entry->id,
               .line = offset == 0
                           ? std::max(identity.first_line, 0)
                           : entry->lines.LineAt(offset / kCodeUnitBytes - 1)};
}

const CodeCache::Entry* CodeCache::Read(const ReadPieces& read,
                                        uint64_t address,
                                        const Identity& identity) {
  const auto texts = ReadCodeTexts(read, *layout_, identity.qualname,
                                   identity.filename, identity.line_table);
  if (!texts) {
    return nullptr;
  }
  if (entries_.size() >= kMaxEntries ||
      line_table_bytes_ > kMaxLineTableBytesInAll) {
    entries_.clear();
    line_table_bytes_ = 0;
  }
  line_table_bytes_ += texts->line_table.size();
  Entry& entry = entries_[address];
  entry.identity = identity;
  entry.id = codes_->Intern(texts->qualname, texts->filename,
                            std::max(identity.first_line, 0));
  entry.lines = LineTable(texts->line_table, identity.first_line);
  return &entry;
}

}  // namespace edgewise::python
