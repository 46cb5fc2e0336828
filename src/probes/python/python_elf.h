// Where an ELF file that holds CPython has the interpreter's data.
//
// A small reader of its own: it needs three symbols, and must stay unharmed by
// whatever file a process has mapped.
#ifndef EDGEWISE_PROBES_PYTHON_PYTHON_ELF_H_
#define EDGEWISE_PROBES_PYTHON_PYTHON_ELF_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace edgewise::python {

struct PythonElf {
  // Addresses as linked.
  uint64_t runtime = 0;               // _PyRuntime
  std::optional<uint64_t> code_type;  // PyCode_Type
  std::optional<uint64_t> version;    // Py_Version; since 3.11

  struct Load {
    uint64_t file_offset = 0;
    uint64_t address = 0;
  };
  std::vector<Load> loads;

  // What to add to an address, given where the mapping of the file that begins
  // at `file_offset` was put; nullopt if no segment begins there.
  std::optional<uint64_t> Bias(uint64_t mapped_at, uint64_t file_offset) const;
};

// Reads whole `into` at an offset of the file; false if it cannot.
using ReadAt = std::function<bool(uint64_t offset, std::span<char> into)>;
ReadAt FileReader(int fd);

// nullopt if it is no 64-bit ELF file of this machine's byte order, or has no
// _PyRuntime. `only_marked`: gives up early unless there is a section
// .PyRuntime, which all but old or unusual builds have.
std::optional<PythonElf> ReadPythonElf(const ReadAt& read, bool only_marked);

}  // namespace edgewise::python

#endif  // EDGEWISE_PROBES_PYTHON_PYTHON_ELF_H_
