#include "symbols/source_lines.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwelf.h>
#include <libelf.h>

#include <algorithm>
#include <map>
#include <optional>

#include "symbols/debug_file.h"
#include "symbols/demangle.h"

namespace edgewise::symbols {
namespace {

// Entries of the DWARF tree that may be looked at for one file.
constexpr int64_t kMaxVisits = 50'000'000;
constexpr int kMaxDepth = 64;
constexpr size_t kMaxInlined = 64;

struct Range {
  uint64_t start = 0;
  uint64_t end = 0;
  Dwarf_Off die = 0;
};

// The innermost range that has `va`: ranges are sorted by start and, for our
// purpose, do not nest.
const Range* Find(const std::vector<Range>& ranges, uint64_t va) {
  auto next = std::upper_bound(
      ranges.begin(), ranges.end(), va,
      [](uint64_t value, const Range& range) { return value < range.start; });
  if (next == ranges.begin() || va >= std::prev(next)->end) {
    return nullptr;
  }
  return &*std::prev(next);
}

void SortRanges(std::vector<Range>* ranges) {
  std::sort(ranges->begin(), ranges->end(),
            [](const Range& a, const Range& b) { return a.start < b.start; });
}

std::string TextOf(const char* text) { return text == nullptr ? "" : text; }

int NumberOf(Dwarf_Die* die, unsigned attribute) {
  Dwarf_Attribute found;
  Dwarf_Word value = 0;
  if (dwarf_attr_integrate(die, attribute, &found) == nullptr ||
      dwarf_formudata(&found, &value) != 0 || value > INT32_MAX) {
    return 0;
  }
  return static_cast<int>(value);
}

std::string NameOf(Dwarf_Die* die) {
  for (const unsigned attribute :
       {unsigned{DW_AT_linkage_name}, unsigned{DW_AT_MIPS_linkage_name}}) {
    Dwarf_Attribute found;
    if (dwarf_attr_integrate(die, attribute, &found) != nullptr) {
      if (const char* text = dwarf_formstring(&found); text != nullptr) {
        return Demangle(text);
      }
    }
  }
  return TextOf(dwarf_diename(die));
}

}  // namespace

class SourceLines::Implementation {
 public:
  Implementation(const ElfFile& elf, const std::filesystem::path& debug_root) {
    if (elf.FindSection(".debug_info") == nullptr &&
        elf.FindSection(".zdebug_info") == nullptr) {
      return;
    }
    elf_version(EV_CURRENT);
    elf_ = Memory(elf);
    dwarf_ = elf_ == nullptr ? nullptr
                             : dwarf_begin_elf(elf_, DWARF_C_READ, nullptr);
    if (dwarf_ == nullptr) {
      return;
    }
    OpenShared(debug_root);
    IndexUnits();
  }
  ~Implementation() {
    if (dwarf_ != nullptr) dwarf_end(dwarf_);
    if (elf_ != nullptr) elf_end(elf_);
    if (shared_dwarf_ != nullptr) dwarf_end(shared_dwarf_);
    if (shared_elf_ != nullptr) elf_end(shared_elf_);
  }
  Implementation(const Implementation&) = delete;
  Implementation& operator=(const Implementation&) = delete;

  std::vector<SourceFrame> At(uint64_t va) {
    const Range* unit_range = Find(units_, va);
    Dwarf_Die unit;
    if (unit_range == nullptr || visits_left_ <= 0 ||
        dwarf_offdie(dwarf_, unit_range->die, &unit) == nullptr) {
      return {};
    }
    std::vector<SourceFrame> frames(1);
    std::vector<Dwarf_Die> scopes = ScopesAt(&unit, va);
    if (!scopes.empty()) {
      frames.clear();
    }
    for (Dwarf_Die& scope : scopes) {
      if (!frames.empty()) {
        // Where the outer one runs is where it called this one.
        frames.back().line = NumberOf(&scope, DW_AT_call_line);
        frames.back().file = FileOf(&unit, &scope, DW_AT_call_file);
      }
      frames.push_back({NameOf(&scope), "", 0, 0});
      int first_line = 0;
      if (dwarf_decl_line(&scope, &first_line) == 0) {
        frames.back().first_line = first_line;
      }
    }
    if (Dwarf_Line* line = dwarf_getsrc_die(&unit, va); line != nullptr) {
      dwarf_lineno(line, &frames.back().line);
      frames.back().file = TextOf(dwarf_linesrc(line, nullptr, nullptr));
    }
    if (scopes.empty() && frames.back().line == 0) {
      return {};
    }
    return frames;
  }

 private:
  // libelf may note in the headers which sections it unpacked; what ElfFile
  // knows of them it copied before.
  static Elf* Memory(const ElfFile& elf) {
    return elf_memory(const_cast<char*>(elf.bytes().data()),
                      elf.bytes().size());
  }

  // Debian's debug files keep what several of them have in common in another.
  void OpenShared(const std::filesystem::path& debug_root) {
    const char* name = nullptr;
    const void* build_id = nullptr;
    const ssize_t size = dwelf_dwarf_gnu_debugaltlink(dwarf_, &name, &build_id);
    if (size <= 0) {
      return;
    }
    shared_ = FindByBuildId(std::string_view(static_cast<const char*>(build_id),
                                             static_cast<size_t>(size)),
                            debug_root);
    shared_elf_ = shared_ ? Memory(*shared_) : nullptr;
    shared_dwarf_ = shared_elf_ == nullptr
                        ? nullptr
                        : dwarf_begin_elf(shared_elf_, DWARF_C_READ, nullptr);
    if (shared_dwarf_ != nullptr) {
      dwarf_setalt(dwarf_, shared_dwarf_);
    }
  }

  bool Visit() { return --visits_left_ > 0; }

  // All ranges of `die`.
  void AddRanges(Dwarf_Die* die, std::vector<Range>* ranges) {
    Dwarf_Addr base = 0;
    Dwarf_Addr start = 0;
    Dwarf_Addr end = 0;
    ptrdiff_t at = 0;
    while (Visit() && (at = dwarf_ranges(die, at, &base, &start, &end)) > 0) {
      if (end > start) {
        ranges->push_back({start, end, dwarf_dieoffset(die)});
      }
    }
  }

  void IndexUnits() {
    Dwarf_CU* unit = nullptr;
    Dwarf_Die die;
    uint8_t type = 0;
    while (Visit() && dwarf_get_units(dwarf_, unit, &unit, nullptr, &type, &die,
                                      nullptr) == 0) {
      if (type == DW_UT_compile || type == DW_UT_skeleton) {
        AddRanges(&die, &units_);
      }
    }
    SortRanges(&units_);
  }

  // Where the functions of a unit are, read once.
  const std::vector<Range>& FunctionsOf(Dwarf_Die* unit) {
    const auto [place, is_new] = functions_.try_emplace(dwarf_dieoffset(unit));
    if (is_new) {
      IndexFunctions(unit, 0, &place->second);
      SortRanges(&place->second);
    }
    return place->second;
  }

  void IndexFunctions(Dwarf_Die* parent, int depth,
                      std::vector<Range>* ranges) {
    Dwarf_Die die;
    if (depth > kMaxDepth || dwarf_child(parent, &die) != 0) {
      return;
    }
    do {
      switch (dwarf_tag(&die)) {
        case DW_TAG_subprogram:
          AddRanges(&die, ranges);
          // Lambdas and nested functions are inside.
          IndexFunctions(&die, depth + 1, ranges);
          break;
        case DW_TAG_lexical_block:
        case DW_TAG_namespace:
        case DW_TAG_module:
        case DW_TAG_class_type:
        case DW_TAG_structure_type:
          IndexFunctions(&die, depth + 1, ranges);
          break;
        default:
          break;
      }
    } while (Visit() && dwarf_siblingof(&die, &die) == 0);
  }

  // The function at `va` and what was inlined into it there, outermost first.
  std::vector<Dwarf_Die> ScopesAt(Dwarf_Die* unit, uint64_t va) {
    std::vector<Dwarf_Die> scopes;
    const Range* function = Find(FunctionsOf(unit), va);
    Dwarf_Die die;
    if (function != nullptr &&
        dwarf_offdie(dwarf_, function->die, &die) != nullptr) {
      scopes.push_back(die);
      Descend(die, va, 0, &scopes);
    }
    return scopes;
  }

  void Descend(Dwarf_Die parent, uint64_t va, int depth,
               std::vector<Dwarf_Die>* scopes) {
    Dwarf_Die die;
    if (depth > kMaxDepth || scopes->size() >= kMaxInlined ||
        dwarf_child(&parent, &die) != 0) {
      return;
    }
    do {
      const int tag = dwarf_tag(&die);
      if ((tag == DW_TAG_inlined_subroutine || tag == DW_TAG_lexical_block) &&
          dwarf_haspc(&die, va) > 0) {
        if (tag == DW_TAG_inlined_subroutine) {
          scopes->push_back(die);
        }
        Descend(die, va, depth + 1, scopes);
        return;
      }
    } while (Visit() && dwarf_siblingof(&die, &die) == 0);
  }

  static std::string FileOf(Dwarf_Die* unit, Dwarf_Die* die,
                            unsigned attribute) {
    Dwarf_Files* files = nullptr;
    size_t count = 0;
    const int index = NumberOf(die, attribute);
    if (dwarf_getsrcfiles(unit, &files, &count) != 0 || index < 0 ||
        static_cast<size_t>(index) >= count) {
      return "";
    }
    return TextOf(
        dwarf_filesrc(files, static_cast<size_t>(index), nullptr, nullptr));
  }

  Elf* elf_ = nullptr;
  Dwarf* dwarf_ = nullptr;
  std::optional<ElfFile> shared_;
  Elf* shared_elf_ = nullptr;
  Dwarf* shared_dwarf_ = nullptr;
  int64_t visits_left_ = kMaxVisits;
  std::vector<Range> units_;
  std::map<Dwarf_Off, std::vector<Range>> functions_;
};

SourceLines::SourceLines(const ElfFile& elf,
                         const std::filesystem::path& debug_root)
    : implementation_(std::make_unique<Implementation>(elf, debug_root)) {}

SourceLines::~SourceLines() = default;

std::vector<SourceFrame> SourceLines::At(uint64_t va) {
  return implementation_->At(va);
}

}  // namespace edgewise::symbols
