#include "probes/python/codes.h"

#include <utility>

namespace edgewise {
namespace {

// Names hold no control characters (see object_text.h), so that a newline
// keeps the parts of a key apart.
std::string Key(std::string_view function, std::string_view file,
                int32_t first_line) {
  std::string key = std::to_string(first_line);
  key.reserve(key.size() + function.size() + file.size() + 2);
  key += '\n';
  key += function;
  key += '\n';
  key += file;
  return key;
}

}  // namespace

uint32_t PythonCodes::Intern(std::string_view function, std::string_view file,
                             int32_t first_line) {
  std::string key = Key(function, file, first_line);
  if (const auto known = ids_.find(key); known != ids_.end()) {
    return known->second;
  }
  if (text_bytes_ + key.size() > kMaxTextBytes) {
    constexpr std::string_view kRest = "[more functions]";
    key = Key(kRest, "", 0);
    const auto known = ids_.find(key);
    return known != ids_.end() ? known->second
                               : Add(std::move(key), kRest, "", 0);
  }
  return Add(std::move(key), function, file, first_line);
}

uint32_t PythonCodes::Add(std::string key, std::string_view function,
                          std::string_view file, int32_t first_line) {
  const auto id = static_cast<uint32_t>(ids_.size());
  text_bytes_ += key.size();
  ids_.emplace(std::move(key), id);
  new_.push_back({.id = id,
                  .function = std::string(function),
                  .file = std::string(file),
                  .first_line = first_line});
  return id;
}

std::vector<stacks::SpooledPythonCode> PythonCodes::TakeNew() {
  return std::exchange(new_, {});
}

}  // namespace edgewise
