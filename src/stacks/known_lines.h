// KnownLines: what lines of text were found to stand for, so that a line which
// comes again need not be taken apart again. Private to this room.
#ifndef EDGEWISE_STACKS_KNOWN_LINES_H_
#define EDGEWISE_STACKS_KNOWN_LINES_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace edgewise::stacks {

// An open hash table whose entries lie next to each other: a lookup that finds
// its line touches two places of memory. Made for millions of lookups of some
// ten thousand lines.
class KnownLines {
 public:
  // Of one line: so many numbers from the first on, in an array of the caller.
  struct Value {
    uint32_t first = 0;
    uint32_t count = 0;
  };

  KnownLines();
  // nullptr if the line was not added; valid until the next Add.
  const Value* Find(std::string_view line) const;
  // A line that is not there yet. False if the table is full: a text in which
  // every line is new must not take the memory of the machine.
  bool Add(std::string_view line, Value value);

 private:
  struct Entry {
    uint64_t hash = 0;
    uint32_t offset = 0;  // in text_
    uint32_t length = 0;  // 0: the entry is free
    Value value;
  };
  size_t PlaceOf(uint64_t hash, std::string_view line) const;
  void Grow();

  std::vector<Entry> entries_;  // a power of two, at most half of it used
  size_t used_ = 0;
  std::string text_;
};

}  // namespace edgewise::stacks

#endif  // EDGEWISE_STACKS_KNOWN_LINES_H_
