// CodeFiles: every file of a spool, opened when it is first met on a stack.
#ifndef EDGEWISE_SYMBOLS_CODE_FILES_H_
#define EDGEWISE_SYMBOLS_CODE_FILES_H_

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>

#include "stacks/spool.h"
#include "symbols/code_file.h"

namespace edgewise::symbols {

class CodeFiles {
 public:
  // `open_files`: descriptors by id, borrowed for as long as this lives.
  CodeFiles(const std::map<uint32_t, int>& open_files,
            std::filesystem::path debug_root)
      : open_files_(open_files), debug_root_(std::move(debug_root)) {}

  void Add(const stacks::SpooledFile& file);
  // nullptr if the spool told of no such file.
  CodeFile* Find(uint32_t id);
  // The content of a file that is no code, such as a perf map; nullopt if it
  // cannot be read.
  std::optional<std::string> ReadText(uint32_t id) const;

 private:
  struct Entry {
    stacks::SpooledFile file;
    std::unique_ptr<CodeFile> code;
  };

  std::optional<int> DescriptorOf(uint32_t id) const;

  const std::map<uint32_t, int>& open_files_;
  std::filesystem::path debug_root_;
  std::unordered_map<uint32_t, Entry> entries_;
};

}  // namespace edgewise::symbols

#endif  // EDGEWISE_SYMBOLS_CODE_FILES_H_
