// CodeCache: the code objects of one process that were met, by address.
//
// An address may be freed and used again for another function: whoever asks
// hands over the head of the object as it is now, and a function whose head
// has changed is read anew.
#ifndef EDGEWISE_PROBES_PYTHON_CODE_CACHE_H_
#define EDGEWISE_PROBES_PYTHON_CODE_CACHE_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>

#include "probes/python/codes.h"
#include "probes/python/layout.h"
#include "probes/python/line_table.h"
#include "probes/python/remote_memory.h"

namespace edgewise::python {

class CodeCache {
 public:
  // `code_type` is the address of PyCode_Type; 0 if not known. `codes` must
  // outlive the cache.
  CodeCache(const Layout& layout, uint64_t code_type, PythonCodes* codes)
      : layout_(&layout), code_type_(code_type), codes_(codes) {}

  // Of a code object, from its start.
  size_t head_bytes() const {
    return layout_->code_linetable + sizeof(uint64_t);
  }

  struct Place {
    uint32_t code = 0;
    int32_t line = 0;  // 0: not known
  };
  // Which function and line the instruction at `prev_instr` belongs to, of the
  // code object at `address` that begins with `head`. nullopt if that is no
  // code object, the instruction is none of its own, or its texts cannot be
  // read.
  std::optional<Place> Find(const ReadPieces& read, uint64_t address,
                            std::span<const char> head, uint64_t prev_instr);

 private:
  // What tells one code object from another at the same address.
  struct Identity {
    uint64_t units = 0;  // of instructions
    uint64_t filename = 0;
    uint64_t qualname = 0;
    uint64_t line_table = 0;
    int32_t first_line = 0;

    bool operator==(const Identity&) const = default;
  };
  struct Entry {
    Identity identity;
    uint32_t id = 0;
    LineTable lines;
  };
  const Entry* Read(const ReadPieces& read, uint64_t address,
                    const Identity& identity);

  const Layout* layout_;
  uint64_t code_type_;
  PythonCodes* codes_;
  std::unordered_map<uint64_t, Entry> entries_;
  size_t line_table_bytes_ = 0;  // that entries_ were made from
};

}  // namespace edgewise::python

#endif  // EDGEWISE_PROBES_PYTHON_CODE_CACHE_H_
