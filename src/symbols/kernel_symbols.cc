#include "symbols/kernel_symbols.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "base/text.h"

namespace edgewise::symbols {

KernelSymbols::KernelSymbols(std::string kallsyms)
    : text_(std::move(kallsyms)) {
  // "ffffffff81000000 T _stext\t[module]"
  const std::string_view text = text_;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = text.substr(at, end - at);
    uint64_t address = 0;
    const auto [stop, error] =
        std::from_chars(line.data(), line.data() + line.size(), address, 16);
    const auto digits = static_cast<size_t>(stop - line.data());
    if (error == std::errc() && address != 0 && line.size() > digits + 3 &&
        line[digits] == ' ' && line[digits + 2] == ' ' &&
        at + digits < UINT32_MAX) {
      const char type = line[digits + 1];
      if (type == 't' || type == 'T' || type == 'w' || type == 'W') {
        symbols_.push_back({address, static_cast<uint32_t>(at + digits + 3)});
      }
    }
    at = end + 1;
  }
  std::stable_sort(
      symbols_.begin(), symbols_.end(),
      [](const Symbol& a, const Symbol& b) { return a.address < b.address; });
}

std::optional<KernelSymbols::Name> KernelSymbols::NameAt(
    uint64_t address) const {
  auto next = std::upper_bound(
      symbols_.begin(), symbols_.end(), address,
      [](uint64_t value, const Symbol& s) { return value < s.address; });
  if (next == symbols_.begin()) {
    return std::nullopt;
  }
  // Of several names for one address the first.
  const auto symbol = std::lower_bound(
      symbols_.begin(), next, std::prev(next)->address,
      [](const Symbol& s, uint64_t value) { return s.address < value; });
  const std::string_view line = std::string_view(text_).substr(
      symbol->line, text_.find('\n', symbol->line) - symbol->line);
  const size_t tab = line.find('\t');
  Name name{line.substr(0, tab), "[kernel]"};
  if (tab != std::string_view::npos) {
    const std::string_view module = Trim(line.substr(tab));
    if (!module.empty()) {
      name.module = module;
    }
  }
  return name;
}

}  // namespace edgewise::symbols
