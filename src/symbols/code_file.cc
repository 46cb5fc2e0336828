#include "symbols/code_file.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstring>
#include <string_view>
#include <utility>

#include "base/unique_fd.h"
#include "symbols/debug_file.h"
#include "symbols/demangle.h"

namespace edgewise::symbols {
namespace {

bool IsAnonymous(std::string_view path) {
  return path.empty() || path.starts_with("//anon") ||
         path.starts_with("[anon") || path.starts_with("/memfd:") ||
         path.starts_with("/dev/zero") || path.starts_with("/SYSV") ||
         path.starts_with("[heap]") || path.starts_with("[stack");
}

// The kernel appends this to the paths of removed files.
std::string_view WithoutDeleted(std::string_view path) {
  constexpr std::string_view kDeleted = " (deleted)";
  if (path.ends_with(kDeleted)) {
    path.remove_suffix(kDeleted.size());
  }
  return path;
}

// "python3.11", "python", "libpython3.11.so.1.0".
bool IsPython(std::string_view name) {
  if (name.starts_with("lib")) {
    name.remove_prefix(3);
  }
  if (!name.starts_with("python")) {
    return false;
  }
  name.remove_prefix(6);
  return name.empty() || (name.front() >= '2' && name.front() <= '9');
}

}  // namespace

CodeFile::CodeFile(const stacks::SpooledFile& file, std::optional<int> fd,
                   std::filesystem::path debug_root)
    : path_(WithoutDeleted(file.path)), debug_root_(std::move(debug_root)) {
  is_python_ = IsPython(base_name());
  Open(file, fd);
  if (elf_) {
    kind_ = Kind::kElf;
    problem_.clear();
  } else if (IsAnonymous(path_)) {
    kind_ = Kind::kAnonymous;
    problem_.clear();
  }
}

std::string CodeFile::base_name() const {
  const size_t slash = path_.rfind('/');
  return slash == std::string::npos ? path_ : path_.substr(slash + 1);
}

void CodeFile::Open(const stacks::SpooledFile& file, std::optional<int> fd) {
  if (path_ == "[vdso]") {
    elf_ = ElfFile::OwnVdso();
    problem_ = "this kernel has no such code";
    return;
  }
  UniqueFd opened;
  if (!fd) {
    if (!path_.starts_with('/') || IsAnonymous(path_)) {
      problem_ = file.why_not.empty() ? "it is no file" : file.why_not;
      return;
    }
    // Never waits for a pipe or a terminal of that name.
    opened.reset(
        ::open(path_.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
    if (!opened.valid()) {
      problem_ = file.why_not.empty() ? ErrnoText() : file.why_not;
      return;
    }
    fd = opened.get();
  }
  struct stat status {};
  if (::fstat(*fd, &status) != 0) {
    problem_ = ErrnoText();
    return;
  }
  // The device is not compared: an overlay file system states its own for a
  // file that the kernel, when it was mapped, told of by the one below.
  if (file.inode != 0 && status.st_ino != file.inode) {
    problem_ = "it was replaced since it was mapped";
    return;
  }
  Result<FileBytes> bytes = FileBytes::Map(*fd, path_);
  if (!bytes) {
    problem_ = bytes.error().message;
    return;
  }
  Result<ElfFile> elf = ElfFile::Read(std::move(*bytes), path_);
  if (!elf) {
    problem_ = "it is not a 64-bit ELF file";
    return;
  }
  elf_ = std::move(*elf);
}

std::optional<uint64_t> CodeFile::VaOf(uint64_t file_offset) const {
  // Without its segments the offset is the best there is.
  return elf_ ? elf_->CodeVa(file_offset) : std::optional(file_offset);
}

CodePlace& CodeFile::PlaceAt(uint64_t va) {
  const auto [place, is_new] = places_.try_emplace(va);
  if (is_new && elf_) {
    if (!unwind_) {
      unwind_ = std::make_unique<UnwindTable>(*elf_);
    }
    if (std::optional<UnwindRow> row = unwind_->RowAt(va)) {
      place->second.row = &*rows_.insert(std::move(*row)).first;
    }
    // Handlers return to its first byte, and callers are looked up one before.
    place->second.signal_return = IsSignalReturn(va) || IsSignalReturn(va + 1);
  }
  return place->second;
}

bool CodeFile::IsSignalReturn(uint64_t va) const {
#if defined(__aarch64__)
  // mov x8, #139; svc #0
  constexpr std::string_view kCode("\x68\x11\x80\xd2\x01\x00\x00\xd4", 8);
#else
  // mov $15, %rax; syscall
  constexpr std::string_view kCode("\x48\xc7\xc0\x0f\x00\x00\x00\x0f\x05", 9);
#endif
  return elf_ && elf_->BytesAt(va).starts_with(kCode);
}

void CodeFile::ReadNames() {
  if (elf_->FindSection(".debug_info") == nullptr ||
      elf_->FindSection(".symtab") == nullptr) {
    debug_ = FindDebugFile(*elf_, path_, debug_root_);
  }
  symbols_ = std::make_unique<SymbolTable>(*elf_, debug_ ? &*debug_ : nullptr);
  const bool own_lines = elf_->FindSection(".debug_info") != nullptr;
  lines_ = std::make_unique<SourceLines>(own_lines || !debug_ ? *elf_ : *debug_,
                                         debug_root_);
}

uint64_t CodeFile::FunctionStart(uint64_t va) const {
  return unwind_ ? unwind_->FunctionStart(va).value_or(va) : va;
}

std::vector<SourceFrame> CodeFile::FramesAt(uint64_t va) {
  if (!elf_) {
    return {};
  }
  if (!symbols_) {
    ReadNames();
  }
  std::vector<SourceFrame> frames = lines_->At(va);
  const std::optional<std::string> symbol = symbols_->NameAt(va);
  if (symbol) {
    if (frames.empty()) {
      frames.emplace_back();
    }
    frames.front().function =
        symbol->ends_with("@plt")
            ? Demangle(symbol->substr(0, symbol->size() - 4)) + "@plt"
            : Demangle(*symbol);
  }
  if (!frames.empty() && frames.front().function.empty()) {
    return {};
  }
  for (SourceFrame& frame : frames) {
    if (frame.function.empty()) {
      frame.function = "(unnamed)";
    }
  }
  return frames;
}

}  // namespace edgewise::symbols
