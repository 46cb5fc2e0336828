#include "symbols/perf_map.h"

#include <charconv>
#include <iterator>
#include <utility>

#include "base/text.h"

namespace edgewise::symbols {
namespace {

constexpr size_t kMaxNameBytes = 4096;

// The hexadecimal number that `line` starts with, up to a blank; both are
// taken off.
std::optional<uint64_t> TakeHex(std::string_view* line) {
  const size_t end = line->find_first_of(" \t");
  if (end == std::string_view::npos) {
    return std::nullopt;
  }
  std::string_view digits = line->substr(0, end);
  if (digits.starts_with("0x")) {
    digits.remove_prefix(2);
  }
  uint64_t value = 0;
  const auto [stop, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), value, 16);
  if (error != std::errc() || stop != digits.data() + digits.size() ||
      digits.empty()) {
    return std::nullopt;
  }
  line->remove_prefix(end);
  line->remove_prefix(std::min(line->find_first_not_of(" \t"), line->size()));
  return value;
}

}  // namespace

PerfMap PerfMap::Parse(std::string_view text) {
  PerfMap map;
  while (!text.empty()) {
    const size_t end = text.find('\n');
    std::string_view line = Trim(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    const std::optional<uint64_t> start = TakeHex(&line);
    const std::optional<uint64_t> size = start ? TakeHex(&line) : std::nullopt;
    if (size && *size > 0 && *start + *size > *start && !line.empty()) {
      map.Add(*start, *start + *size, line.substr(0, kMaxNameBytes));
    }
  }
  return map;
}

void PerfMap::Add(uint64_t start, uint64_t end, std::string_view name) {
  // What is left of the entries it overlaps stays.
  auto first = entries_.upper_bound(start);
  if (first != entries_.begin() && std::prev(first)->second.end > start) {
    --first;
  }
  while (first != entries_.end() && first->first < end) {
    const uint64_t old_start = first->first;
    Entry old = std::move(first->second);
    first = entries_.erase(first);
    if (old.end > end) {
      first = entries_.insert_or_assign(end, Entry{old.end, old.name}).first;
      ++first;
    }
    if (old_start < start) {
      entries_.insert_or_assign(old_start, Entry{start, std::move(old.name)});
    }
  }
  entries_.insert_or_assign(start, Entry{end, std::string(name)});
}

std::optional<std::string_view> PerfMap::NameAt(uint64_t address) const {
  auto next = entries_.upper_bound(address);
  if (next == entries_.begin() || address >= std::prev(next)->second.end) {
    return std::nullopt;
  }
  return std::prev(next)->second.name;
}

}  // namespace edgewise::symbols
