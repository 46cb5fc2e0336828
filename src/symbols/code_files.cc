#include "symbols/code_files.h"

#include <fcntl.h>

#include "base/file_bytes.h"
#include "base/unique_fd.h"

namespace edgewise::symbols {

void CodeFiles::Add(const stacks::SpooledFile& file) {
  entries_.try_emplace(file.id, Entry{file, nullptr});
}

std::optional<int> CodeFiles::DescriptorOf(uint32_t id) const {
  const auto found = open_files_.find(id);
  if (found == open_files_.end() || found->second < 0) {
    return std::nullopt;
  }
  return found->second;
}

CodeFile* CodeFiles::Find(uint32_t id) {
  const auto found = entries_.find(id);
  if (found == entries_.end()) {
    return nullptr;
  }
  Entry& entry = found->second;
  if (entry.code == nullptr) {
    entry.code =
        std::make_unique<CodeFile>(entry.file, DescriptorOf(id), debug_root_);
  }
  return entry.code.get();
}

std::optional<std::string> CodeFiles::ReadText(uint32_t id) const {
  const auto found = entries_.find(id);
  if (found == entries_.end()) {
    return std::nullopt;
  }
  UniqueFd opened;
  std::optional<int> fd = DescriptorOf(id);
  if (!fd) {
    opened.reset(::open(found->second.file.path.c_str(),
                        O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
    fd = opened.get();
  }
  Result<FileBytes> bytes = FileBytes::Map(*fd, found->second.file.path);
  if (!bytes) {
    return std::nullopt;
  }
  return std::string(bytes->view());
}

}  // namespace edgewise::symbols
