#include "stacks/perf_script_line.h"

#include <algorithm>

#include "base/text.h"

namespace edgewise::stacks {
namespace {

constexpr std::string_view kUnknown = "[unknown]";

bool IsSpace(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsWord(char c) {
  return IsDigit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         c == '_';
}

template <typename Is>
size_t SkipWhile(std::string_view text, size_t at, Is is) {
  while (at < text.size() && is(text[at])) {
    ++at;
  }
  return at;
}

template <typename Is>
std::string_view WithoutEnd(std::string_view text, Is is) {
  while (!text.empty() && is(text.back())) {
    text.remove_suffix(1);
  }
  return text;
}

// The event and period at the end: ": 101 cycles:" or ": cycles:".
void FindEvent(std::string_view line, PerfEventLine* found) {
  std::string_view rest = WithoutEnd(line, IsSpace);
  if (!rest.ends_with(':')) {
    return;
  }
  rest.remove_suffix(1);
  const std::string_view before =
      WithoutEnd(rest, [](char c) { return !IsSpace(c); });
  const std::string_view event = rest.substr(before.size());
  const std::string_view head = WithoutEnd(before, IsSpace);
  if (event.empty() || head.size() == before.size()) {
    return;
  }
  const std::string_view without_digits = WithoutEnd(head, IsDigit);
  const std::string_view digits = head.substr(without_digits.size());
  if (!WithoutEnd(without_digits, IsSpace).ends_with(':')) {
    return;
  }
  found->event = event;
  if (const auto period = ParseInt(digits); period && *period > 0) {
    found->period = *period;
  }
}

// "net/http.(*Client).Do": ".(" and later ").".
bool LooksLikeGoMethod(std::string_view symbol) {
  const size_t open = symbol.find(".(");
  return open != std::string_view::npos &&
         symbol.find(").", open + 2) != std::string_view::npos;
}

// What comes before the arguments: an anonymous namespace is no argument.
std::string_view WithoutArguments(std::string_view symbol) {
  constexpr std::string_view kAnonymous = "(anonymous namespace)";
  size_t at = symbol.find('(');
  while (at != std::string_view::npos &&
         symbol.substr(at).starts_with(kAnonymous)) {
    at = symbol.find('(', at + 1);
  }
  return symbol.substr(0, at);
}

bool IsPerfMap(std::string_view module) {
  constexpr std::string_view kStart = "/tmp/perf-";
  if (!module.starts_with(kStart)) {
    return false;
  }
  const size_t end = SkipWhile(module, kStart.size(), IsDigit);
  return end > kStart.size() && module.substr(end).starts_with(".map");
}

}  // namespace

std::optional<PerfEventLine> ParsePerfEventLine(std::string_view line) {
  if (line.empty() || IsSpace(line.front())) {
    return std::nullopt;
  }
  // The command may have blanks: it ends before the first number that stands
  // alone, "123" or "123/456".
  size_t end = 0;
  while (true) {
    end = SkipWhile(line, end, [](char c) { return !IsSpace(c); });
    const size_t first = SkipWhile(line, end, IsSpace);
    if (first == line.size()) {
      return std::nullopt;
    }
    const size_t first_end = SkipWhile(line, first, IsDigit);
    const size_t second =
        SkipWhile(line, first_end, [](char c) { return c == '/'; });
    const size_t second_end = SkipWhile(line, second, IsDigit);
    if (first_end > first && second_end < line.size() &&
        IsSpace(line[second_end])) {
      PerfEventLine found;
      found.command = line.substr(0, end);
      found.tid = line.substr(second, second_end - second);
      found.pid = line.substr(first, first_end - first);
      if (found.tid.empty()) {
        std::swap(found.pid, found.tid);
      }
      FindEvent(line, &found);
      return found;
    }
    end = first;
  }
}

std::optional<PerfFrameLine> ParsePerfFrameLine(std::string_view line) {
  const size_t address = SkipWhile(line, 0, IsSpace);
  const size_t address_end = SkipWhile(line, address, IsWord);
  const size_t close = line.rfind(')');
  if (address_end == address || close == std::string_view::npos || close < 2) {
    return std::nullopt;
  }
  // The module is in the last brackets that follow a blank; the symbol between
  // has at least one character, if need be the last of what is before.
  const size_t open = line.rfind(" (", close - 2);
  if (open == std::string_view::npos || open < address + 2) {
    return std::nullopt;
  }
  const size_t symbol =
      std::min(SkipWhile(line, address_end, IsSpace), open - 1);
  PerfFrameLine found;
  found.address = line.substr(address, std::min(address_end, symbol) - address);
  found.symbol = line.substr(symbol, open - symbol);
  found.module = line.substr(open + 2, close - open - 2);
  const std::string_view without_offset = WithoutEnd(found.symbol, [](char c) {
    return IsDigit(c) || (c >= 'a' && c <= 'f');
  });
  if (without_offset.size() < found.symbol.size() &&
      without_offset.ends_with("+0x")) {
    found.symbol = without_offset.substr(0, without_offset.size() - 3);
  }
  return found;
}

std::string TidyPerfSymbol(std::string_view symbol, bool is_java) {
  std::string name(LooksLikeGoMethod(symbol) ? symbol
                                             : WithoutArguments(symbol));
  std::replace(name.begin(), name.end(), ';', ':');
  std::erase_if(name, [](char c) { return c == '"' || c == '\''; });
  if (is_java && name.starts_with('L') && name.find('/') != std::string::npos) {
    name.erase(0, 1);
  }
  return name;
}

PerfModule ClassifyPerfModule(std::string_view module) {
  PerfModule found;
  found.marked_kernel =
      (module.starts_with('[') || module.ends_with("vmlinux")) &&
      module.find("unknown") == std::string_view::npos;
  found.inlined = module == "inlined";
  const bool user_mapping =
      module == "[vdso]" || module == "[vsyscall]" || module == "[heap]" ||
      module.starts_with("[stack") || module.starts_with("[anon");
  if (IsPerfMap(module)) {
    found.kind = FrameKind::kJit;
  } else if (found.marked_kernel && !user_mapping) {
    found.kind = FrameKind::kKernel;
  }
  if (module.starts_with("[kernel.kallsyms]")) {
    found.name = "[kernel]";
  } else if (module != kUnknown && !found.inlined) {
    found.name = module;
  }
  return found;
}

}  // namespace edgewise::stacks
