#include "symbols/unwind_table.h"

#include <dwarf.h>
#include <elf.h>

#include <algorithm>

#include "symbols/byte_cursor.h"

namespace edgewise::symbols {
namespace {

// A pointer in one of the encodings of .eh_frame. `field_va` is where it is.
std::optional<uint64_t> EncodedPointer(ByteCursor& cursor, uint8_t encoding,
                                       uint64_t field_va) {
  uint64_t value = 0;
  switch (encoding & 0x0f) {
    case DW_EH_PE_absptr:
    case DW_EH_PE_udata8:
    case DW_EH_PE_sdata8:
      value = cursor.Get<uint64_t>();
      break;
    case DW_EH_PE_uleb128:
      value = cursor.Uleb();
      break;
    case DW_EH_PE_sleb128:
      value = static_cast<uint64_t>(cursor.Sleb());
      break;
    case DW_EH_PE_udata2:
      value = cursor.Get<uint16_t>();
      break;
    case DW_EH_PE_sdata2:
      value = static_cast<uint64_t>(int64_t{cursor.Get<int16_t>()});
      break;
    case DW_EH_PE_udata4:
      value = cursor.Get<uint32_t>();
      break;
    case DW_EH_PE_sdata4:
      value = static_cast<uint64_t>(int64_t{cursor.Get<int32_t>()});
      break;
    default:
      return std::nullopt;
  }
  if (!cursor.ok()) {
    return std::nullopt;
  }
  switch (encoding & 0x70) {
    case DW_EH_PE_absptr:
      return value;
    case DW_EH_PE_pcrel:
      return value + field_va;
    default:
      return std::nullopt;
  }
}

}  // namespace

UnwindTable::UnwindTable(const ElfFile& elf) {
  if (!elf.is_native()) {
    return;
  }
  if (const ElfSection* section = elf.FindSection(".eh_frame");
      section != nullptr) {
    bytes_ = elf.BytesOf(*section);
    va_ = section->va;
  } else {
    // A file without a section table still tells the loader.
    for (const ElfSegment& segment : elf.segments()) {
      if (segment.type != PT_GNU_EH_FRAME) {
        continue;
      }
      ByteCursor header(elf.BytesAt(segment.va));
      (void)header.Get<uint8_t>();  // version
      const auto encoding = header.Get<uint8_t>();
      (void)header.Get<uint16_t>();  // two more encodings
      const auto start = EncodedPointer(header, encoding, segment.va + 4);
      if (start) {
        bytes_ = elf.BytesAt(*start);
        va_ = *start;
      }
    }
  }
  if (bytes_.empty()) {
    if (const ElfSection* section = elf.FindSection(".debug_frame");
        section != nullptr) {
      bytes_ = elf.BytesOf(*section);
      debug_frame_ = true;
    }
  }
  Index();
}

std::optional<UnwindTable::Record> UnwindTable::RecordAt(size_t offset) const {
  ByteCursor cursor(bytes_, offset);
  uint64_t length = cursor.Get<uint32_t>();
  const bool wide = length == UINT32_MAX;
  if (wide) {
    length = cursor.Get<uint64_t>();
  }
  const size_t id_at = cursor.at();
  if (!cursor.ok() || length > bytes_.size() - id_at) {
    return std::nullopt;
  }
  Record record;
  record.start = offset;
  record.end = id_at + length;
  if (length == 0) {
    record.body = record.end;
    return record;
  }
  const bool wide_id = wide && debug_frame_;
  const uint64_t id = wide_id ? cursor.Get<uint64_t>() : cursor.Get<uint32_t>();
  record.body = cursor.at();
  if (!cursor.ok() || record.body > record.end) {
    return std::nullopt;
  }
  const uint64_t cie_id = !debug_frame_ ? 0 : wide_id ? UINT64_MAX : UINT32_MAX;
  if (id != cie_id) {
    const uint64_t cie = debug_frame_ ? id : id_at - id;
    if (cie >= bytes_.size()) {
      return std::nullopt;
    }
    record.cie = cie;
  }
  return record;
}

std::optional<UnwindTable::Cie> UnwindTable::CieAt(size_t offset) const {
  const std::optional<Record> record = RecordAt(offset);
  if (!record || record->cie || record->body == record->end) {
    return std::nullopt;
  }
  ByteCursor cursor(bytes_.substr(0, record->end), record->body);
  Cie cie;
  const auto version = cursor.Get<uint8_t>();
  std::string_view augmentation = cursor.Text();
  if (version >= 4) {
    const auto address_bytes = cursor.Get<uint8_t>();
    const auto segment_bytes = cursor.Get<uint8_t>();
    if (address_bytes != sizeof(uint64_t) || segment_bytes != 0) {
      return std::nullopt;
    }
  }
  cie.program.code_alignment = cursor.Uleb();
  cie.program.data_alignment = cursor.Sleb();
  cie.program.return_register = static_cast<uint16_t>(
      version == 1 ? cursor.Get<uint8_t>() : cursor.Uleb());
  if (augmentation.starts_with('z')) {
    augmentation.remove_prefix(1);
    cie.has_augmentation_data = true;
    const uint64_t size = cursor.Uleb();
    const size_t data_at = cursor.at();
    const std::string_view data = cursor.Take(size);
    ByteCursor fields(data);
    for (const char letter : augmentation) {
      if (letter == 'R') {
        cie.address_encoding = fields.Get<uint8_t>();
      } else if (letter == 'P') {
        const auto encoding = fields.Get<uint8_t>();
        (void)EncodedPointer(fields, encoding & 0x0f,
                             va_ + data_at + fields.at());
      } else if (letter == 'L') {
        (void)fields.Get<uint8_t>();
      } else if (letter == 'S') {
        cie.program.signal_frame = true;
      } else if (letter != 'B' && letter != 'G') {
        return std::nullopt;
      }
    }
  } else if (!augmentation.empty()) {
    return std::nullopt;
  }
  if (!cursor.ok()) {
    return std::nullopt;
  }
  cie.program.initial = bytes_.substr(cursor.at(), record->end - cursor.at());
  return cie;
}

std::optional<UnwindTable::Function> UnwindTable::FunctionOf(
    const Record& record, const Cie& cie, size_t* at) const {
  ByteCursor cursor(bytes_.substr(0, record.end), record.body);
  const auto start =
      EncodedPointer(cursor, cie.address_encoding, va_ + cursor.at());
  // The length has the format of the address but is relative to nothing.
  const auto length = EncodedPointer(cursor, cie.address_encoding & 0x0f, 0);
  if (!start || !length || *start + *length < *start) {
    return std::nullopt;
  }
  *at = cursor.at();
  return Function{*start, *start + *length, record.start};
}

void UnwindTable::Index() {
  size_t at = 0;
  std::optional<Cie> cie;
  size_t cie_at = SIZE_MAX;
  while (at < bytes_.size()) {
    const std::optional<Record> record = RecordAt(at);
    if (!record) {
      break;
    }
    if (record->cie) {
      if (*record->cie != cie_at) {
        cie_at = *record->cie;
        cie = CieAt(cie_at);
      }
      size_t ignored = 0;
      const auto function =
          cie ? FunctionOf(*record, *cie, &ignored) : std::nullopt;
      // The linker leaves empty ones at zero for functions it dropped.
      if (function && function->end > function->start && function->start != 0) {
        functions_.push_back(*function);
      }
    }
    at = record->end;
  }
  std::sort(
      functions_.begin(), functions_.end(),
      [](const Function& a, const Function& b) { return a.start < b.start; });
  functions_.shrink_to_fit();
}

const UnwindTable::Function* UnwindTable::FunctionAt(uint64_t va) const {
  const auto next = std::upper_bound(
      functions_.begin(), functions_.end(), va,
      [](uint64_t value, const Function& f) { return value < f.start; });
  return next == functions_.begin() || va >= std::prev(next)->end
             ? nullptr
             : &*std::prev(next);
}

std::optional<uint64_t> UnwindTable::FunctionStart(uint64_t va) const {
  const Function* function = FunctionAt(va);
  return function != nullptr ? std::optional(function->start) : std::nullopt;
}

std::optional<UnwindRow> UnwindTable::RowAt(uint64_t va) const {
  const Function* function = FunctionAt(va);
  if (function == nullptr) {
    return std::nullopt;
  }
  const std::optional<Record> record = RecordAt(function->record);
  if (!record || !record->cie) {
    return std::nullopt;
  }
  const std::optional<Cie> cie = CieAt(*record->cie);
  size_t at = 0;
  if (!cie || !FunctionOf(*record, *cie, &at)) {
    return std::nullopt;
  }
  ByteCursor cursor(bytes_.substr(0, record->end), at);
  if (cie->has_augmentation_data) {
    (void)cursor.Take(cursor.Uleb());
  }
  if (!cursor.ok()) {
    return std::nullopt;
  }
  CfaProgram program = cie->program;
  program.start_va = function->start;
  program.instructions = bytes_.substr(cursor.at(), record->end - cursor.at());
  return program.RowAt(va);
}

}  // namespace edgewise::symbols
