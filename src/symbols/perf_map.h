// PerfMap: names of code that a program compiled at run time, as it wrote them
// to /tmp/perf-PID.map: lines of start and size in hexadecimal, and a name.
#ifndef EDGEWISE_SYMBOLS_PERF_MAP_H_
#define EDGEWISE_SYMBOLS_PERF_MAP_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace edgewise::symbols {

class PerfMap {
 public:
  // Lines that are no entries are skipped; where entries overlap, the last one
  // counts, because memory is used again.
  static PerfMap Parse(std::string_view text);

  // nullopt where nothing covers `address`; valid as long as this.
  std::optional<std::string_view> NameAt(uint64_t address) const;
  size_t size() const { return entries_.size(); }

 private:
  struct Entry {
    uint64_t end = 0;
    std::string name;
  };

  void Add(uint64_t start, uint64_t end, std::string_view name);

  std::map<uint64_t, Entry> entries_;  // by start, none overlaps another
};

}  // namespace edgewise::symbols

#endif  // EDGEWISE_SYMBOLS_PERF_MAP_H_
