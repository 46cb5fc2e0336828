#include "probes/python/python_files.h"

#include <algorithm>
#include <charconv>

#include "base/text.h"

namespace edgewise::python {
namespace {

// What follows "python" or "libpython" in a file's name; nullopt for other
// names.
std::optional<std::string_view> AfterPython(std::string_view path) {
  std::string_view name = path.substr(path.rfind('/') + 1);
  if (name.starts_with("lib")) {
    name.remove_prefix(3);
  }
  constexpr std::string_view kPython = "python";
  if (!name.starts_with(kPython)) {
    return std::nullopt;
  }
  return name.substr(kPython.size());
}

template <typename T>
bool TakeNumber(std::string_view* text, int base, T* value) {
  const auto [end, error] =
      std::from_chars(text->data(), text->data() + text->size(), *value, base);
  if (error != std::errc()) {
    return false;
  }
  text->remove_prefix(static_cast<size_t>(end - text->data()));
  return true;
}

// "start-end perms offset dev inode   path": the path may hold blanks.
std::optional<MappedFile> ParseMapping(std::string_view line) {
  const size_t slash = line.find('/');
  if (slash == std::string_view::npos) {
    return std::nullopt;
  }
  const std::vector<std::string_view> fields =
      SplitFields(line.substr(0, slash));
  MappedFile file;
  file.path = line.substr(slash);
  if (fields.size() != 5) {
    return std::nullopt;
  }
  file.range = fields[0];
  std::string_view start = fields[0];
  std::string_view offset = fields[2];
  if (!TakeNumber(&start, 16, &file.start) ||
      !TakeNumber(&offset, 16, &file.file_offset)) {
    return std::nullopt;
  }
  return file;
}

}  // namespace

std::optional<Version> VersionInName(std::string_view path) {
  auto rest = AfterPython(path);
  Version version;
  if (!rest || !TakeNumber(&*rest, 10, &version.major) ||
      !rest->starts_with('.')) {
    return std::nullopt;
  }
  rest->remove_prefix(1);
  if (!TakeNumber(&*rest, 10, &version.minor) || version.major < 0 ||
      version.minor < 0) {
    return std::nullopt;
  }
  return version;
}

std::vector<MappedFile> FindPythonFiles(std::string_view maps,
                                        std::string_view executable) {
  std::vector<MappedFile> files;
  std::optional<MappedFile> main_file;
  for (const std::string_view line : Split(maps, '\n')) {
    auto file = ParseMapping(line);
    if (!file) {
      continue;
    }
    if (MayHoldPython(file->path)) {
      if (std::none_of(files.begin(), files.end(), [&](const MappedFile& f) {
            return f.path == file->path;
          })) {
        files.push_back(std::move(*file));
      }
    } else if (!main_file && file->path == executable) {
      main_file = std::move(file);
    }
  }
  if (main_file) {
    files.push_back(std::move(*main_file));
  }
  return files;
}

}  // namespace edgewise::python

namespace edgewise {

bool MayHoldPython(std::string_view path) {
  return python::AfterPython(path).has_value();
}

}  // namespace edgewise
