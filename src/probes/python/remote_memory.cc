#include "probes/python/remote_memory.h"

#include <limits.h>
#include <sys/uio.h>

#include <algorithm>
#include <bit>
#include <vector>

namespace edgewise::python {
namespace {

class ProcessReader {
 public:
  explicit ProcessReader(pid_t pid) : pid_(pid) {}

  size_t operator()(std::span<const RemotePiece> pieces) {
    size_t done = 0;
    while (done < pieces.size()) {
      const size_t some = std::min<size_t>(IOV_MAX, pieces.size() - done);
      const size_t whole = ReadSome(pieces.subspan(done, some));
      done += whole;
      if (whole < some) {
        break;
      }
    }
    return done;
  }

 private:
  size_t ReadSome(std::span<const RemotePiece> pieces) {
    local_.clear();
    remote_.clear();
    for (const RemotePiece& piece : pieces) {
      local_.push_back({piece.into.data(), piece.into.size()});
      // Not a pointer of ours: the kernel wants the remote address as one.
      remote_.push_back(
          {std::bit_cast<void*>(static_cast<uintptr_t>(piece.address)),
           piece.into.size()});
    }
    const ssize_t bytes =
        process_vm_readv(pid_, local_.data(), local_.size(), remote_.data(),
                         remote_.size(), /*flags=*/0);
    if (bytes < 0) {
      return 0;
    }
    size_t left = static_cast<size_t>(bytes);
    size_t whole = 0;
    while (whole < pieces.size() && pieces[whole].into.size() <= left) {
      left -= pieces[whole].into.size();
      ++whole;
    }
    return whole;
  }

  pid_t pid_;
  // Kept for their memory.
  std::vector<iovec> local_;
  std::vector<iovec> remote_;
};

}  // namespace

ReadPieces ProcessMemory(pid_t pid) { return ProcessReader(pid); }

}  // namespace edgewise::python
