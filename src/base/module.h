// Module: a part of edgewise in a shared library of its own, loaded when it is
// needed, so that what it links (a messaging library, a solver) costs nothing
// elsewhere.
#ifndef EDGEWISE_BASE_MODULE_H_
#define EDGEWISE_BASE_MODULE_H_

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace edgewise {

// Stays loaded for the life of the process: what it made may outlive this
// object.
class Module {
 public:
  // What the module exports under `name`; the error says that it is of another
  // version of edgewise.
  Result<void*> Symbol(const char* name) const;
  const std::filesystem::path& path() const { return path_; }

 private:
  friend Result<Module> LoadModule(std::string_view name);
  Module(void* handle, std::filesystem::path path)
      : handle_(handle), path_(std::move(path)) {}

  void* handle_;
  std::filesystem::path path_;
};

// Where libedgewise-NAME.so is looked for, best first: $EDGEWISE_MODULES where
// that is set, beside the program (as built), and in ../lib/edgewise from it
// (as installed).
std::vector<std::filesystem::path> ModuleFolders(
    const std::filesystem::path& program);

// Where libedgewise-NAME.so lies. kUnsupported where it is not there.
Result<std::filesystem::path> FindModule(std::string_view name);

// Loads libedgewise-NAME.so. kUnsupported where it is not there or lacks a
// library of its own; the error says which.
Result<Module> LoadModule(std::string_view name);

}  // namespace edgewise

#endif  // EDGEWISE_BASE_MODULE_H_
