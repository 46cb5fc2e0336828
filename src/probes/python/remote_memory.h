// Reading another process's memory in few system calls.
//
// What comes back was written by somebody else: it is only ever compared,
// bounded, or used as another address to read from.
#ifndef EDGEWISE_PROBES_PYTHON_REMOTE_MEMORY_H_
#define EDGEWISE_PROBES_PYTHON_REMOTE_MEMORY_H_

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <span>

namespace edgewise::python {

struct RemotePiece {
  uint64_t address = 0;
  std::span<char> into;
};

// Reads the pieces in order and stops at the first that cannot be read whole;
// returns how many were read. errno says why where not all were.
using ReadPieces = std::function<size_t(std::span<const RemotePiece>)>;

// Of a process, by process_vm_readv; needs the right to ptrace it.
ReadPieces ProcessMemory(pid_t pid);

// The value at an offset of what was read; the caller knows it is inside.
template <typename T>
T ValueAt(std::span<const char> bytes, size_t offset) {
  T value;
  std::memcpy(&value, bytes.subspan(offset, sizeof value).data(), sizeof value);
  return value;
}

// One value at a remote address; false if it cannot be read.
template <typename T>
bool ReadValue(const ReadPieces& read, uint64_t address, T* value) {
  const RemotePiece piece{
      address, std::span(reinterpret_cast<char*>(value), sizeof *value)};
  return read(std::span(&piece, 1)) == 1;
}

}  // namespace edgewise::python

#endif  // EDGEWISE_PROBES_PYTHON_REMOTE_MEMORY_H_
