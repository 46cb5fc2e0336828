#include "base/module.h"

#include <dlfcn.h>

#include <cstdlib>

namespace edgewise {

namespace fs = std::filesystem;

Result<void*> Module::Symbol(const char* name) const {
  if (void* const found = ::dlsym(handle_, name)) {
    return found;
  }
  return Error{ErrorCode::kUnsupported,
               path_.string() + " does not have " + name +
                   ": it is of another version; install edgewise again"};
}

std::vector<fs::path> ModuleFolders(const fs::path& program) {
  std::vector<fs::path> folders;
  if (const char* const asked = std::getenv("EDGEWISE_MODULES");
      asked != nullptr && *asked != '\0') {
    folders.emplace_back(asked);
  }
  folders.push_back(program.parent_path());
  folders.push_back(program.parent_path().parent_path() / "lib" / "edgewise");
  return folders;
}

Result<fs::path> FindModule(std::string_view name) {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  const std::string file = "libedgewise-" + std::string(name) + ".so";
  for (const fs::path& folder : ModuleFolders(program)) {
    if (fs::path path = folder / file; fs::exists(path, error)) {
      return path;
    }
  }
  return Error{ErrorCode::kUnsupported,
               file +
                   " is not there, neither beside edgewise nor in "
                   "../lib/edgewise: this edgewise was built without it"};
}

Result<Module> LoadModule(std::string_view name) {
  const auto path = FindModule(name);
  if (!path) {
    return path.error();
  }
  void* const handle = ::dlopen(path->c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) {
    const char* const why = ::dlerror();
    return Error{ErrorCode::kUnsupported,
                 "the part of edgewise in " + path->string() +
                     " cannot be loaded (" +
                     (why != nullptr ? why : "no reason given") +
                     "): install the library that it needs"};
  }
  return Module(handle, *path);
}

}  // namespace edgewise
