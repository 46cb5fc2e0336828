// Whatever a process keeps where its Python interpreter should be must not
// hurt whoever reads it.
//
// The input is memory that repeats for ever, so that every pointer in it leads
// somewhere; addresses with the top bit set cannot be read.
#include <cstdint>
#include <cstdlib>
#include <span>
#include <string_view>

#include "base/utf8.h"
#include "probes/python/frame_reader.h"
#include "probes/python/line_table.h"
#include "probes/python/python_elf.h"
#include "probes/python/python_files.h"

namespace edgewise {
namespace {

void Check(bool holds) {
  if (!holds) {
    std::abort();
  }
}

class Memory {
 public:
  explicit Memory(std::span<const uint8_t> bytes) : bytes_(bytes) {}

  size_t operator()(std::span<const python::RemotePiece> pieces) const {
    constexpr uint64_t kUnreadable = uint64_t{1} << 63;
    size_t whole = 0;
    for (const python::RemotePiece& piece : pieces) {
      if ((piece.address & kUnreadable) != 0) {
        break;
      }
      size_t from = piece.address % bytes_.size();
      for (char& byte : piece.into) {
        byte = static_cast<char>(bytes_[from]);
        from = from + 1 == bytes_.size() ? 0 : from + 1;
      }
      ++whole;
    }
    return whole;
  }

 private:
  std::span<const uint8_t> bytes_;
};

void ReadFrames(std::span<const uint8_t> bytes, const python::Layout& layout,
                uint64_t code_type) {
  PythonCodes codes;
  python::FrameReader reader(Memory(bytes), layout,
                             {.runtime = 0, .code_type = code_type}, &codes);
  size_t known = 0;
  // The second time from what is remembered of the first.
  for (int i = 0; i < 2; ++i) {
    const auto frames = reader.Read(/*native_tid=*/1);
    for (const stacks::SpooledPythonCode& code : codes.TakeNew()) {
      Check(code.id == known++ && code.first_line >= 0);
      Check(FindNotUtf8(code.function) == std::string_view::npos);
      Check(FindNotUtf8(code.file) == std::string_view::npos);
    }
    if (!frames) {
      continue;
    }
    Check(frames->size() <= python::FrameReader::kMaxFrames + 1);
    for (const stacks::SpooledPythonFrame& frame : *frames) {
      Check(frame.code < known && frame.line >= 0);
    }
  }
}

}  // namespace
}  // namespace edgewise

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace edgewise;
  if (size < 2) {
    return 0;
  }
  const uint8_t which = data[0];
  const std::span<const uint8_t> bytes(data + 1, size - 1);
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()),
                              bytes.size());
  switch (which % 4) {
    case 0:
      ReadFrames(bytes, python::kLayout311, which & 4);
      ReadFrames(bytes, python::kLayout312, which & 4);
      break;
    case 1: {
      const python::LineTable table(text, which);
      for (uint64_t unit = 0; unit < 16 * text.size(); ++unit) {
        Check(table.LineAt(unit) >= 0);
      }
      break;
    }
    case 2: {
      const auto read = [text](uint64_t offset, std::span<char> into) {
        if (offset > text.size() || into.size() > text.size() - offset) {
          return false;
        }
        text.copy(into.data(), into.size(), offset);
        return true;
      };
      if (const auto elf = python::ReadPythonElf(read, (which & 4) != 0)) {
        elf->Bias(0, 0);
      }
      break;
    }
    default:
      for (const auto& file : python::FindPythonFiles(text, "/bin/cat")) {
        Check(!file.path.empty());
        python::VersionInName(file.path);
      }
  }
  return 0;
}
