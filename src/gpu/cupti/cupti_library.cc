#include "gpu/cupti/cupti_library.h"

#include <dlfcn.h>
#include <link.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>

namespace edgewise::cupti {
namespace {

constexpr int kNewestMajor = 14;
constexpr int kOldestMajor = 10;

// Major versions of CUDA to try: the driver's, older ones, newer ones.
std::vector<int> Majors() {
  int version = 0;
  if (void* const driver = ::dlopen("libcuda.so.1", RTLD_LAZY | RTLD_NOLOAD)) {
    const auto get =
        reinterpret_cast<int (*)(int*)>(::dlsym(driver, "cuDriverGetVersion"));
    if (get == nullptr || get(&version) != 0) {
      version = 0;
    }
  }
  const int own = version > 0 ? version / 1000 : kNewestMajor;
  std::vector<int> majors;
  for (int major = own; major >= kOldestMajor; --major) {
    majors.push_back(major);
  }
  for (int major = own + 1; major <= kNewestMajor; ++major) {
    majors.push_back(major);
  }
  return majors;
}

// Folders of the CUDA libraries that this process has loaded.
int AddFolder(dl_phdr_info* info, size_t, void* list) {
  const std::string_view path =
      info->dlpi_name != nullptr ? info->dlpi_name : "";
  const size_t slash = path.rfind('/');
  if (slash == std::string_view::npos ||
      (path.find("/libcu", slash) == std::string_view::npos &&
       path.find("/libnv", slash) == std::string_view::npos)) {
    return 0;
  }
  auto& folders = *static_cast<std::vector<std::string>*>(list);
  const std::string folder(path.substr(0, slash));
  for (const std::string& place : {folder, folder + "/../../cuda_cupti/lib",
                                   folder + "/../../nvidia/cuda_cupti/lib"}) {
    if (std::find(folders.begin(), folders.end(), place) == folders.end()) {
      folders.push_back(place);
    }
  }
  return 0;
}

// "libcupti.so.13", and as CUDA 10 to 12 named it.
std::vector<std::string> Names() {
  std::vector<std::string> names;
  for (const int major : Majors()) {
    const std::string text = std::to_string(major);
    names.push_back("libcupti.so." + text);
    if (major == 11 || major == 10) {
      for (const char* minor :
           {".8", ".7", ".6", ".5", ".4", ".3", ".2", ".1", ".0"}) {
        names.push_back("libcupti.so." + text + minor);
      }
    }
  }
  names.emplace_back("libcupti.so");
  return names;
}

template <typename Function>
bool Resolve(void* library, const char* name, Function* function) {
  *function = reinterpret_cast<Function>(::dlsym(library, name));
  return *function != nullptr;
}

std::optional<Api> ResolveAll(void* library) {
  Api api;
  (void)Resolve(library, "cuptiActivityGetNumDroppedRecords", &api.dropped);
  if (Resolve(library, "cuptiGetVersion", &api.get_version) &&
      Resolve(library, "cuptiGetTimestamp", &api.get_timestamp) &&
      Resolve(library, "cuptiActivityEnable", &api.enable) &&
      Resolve(library, "cuptiActivityRegisterCallbacks",
              &api.register_callbacks) &&
      Resolve(library, "cuptiActivityGetNextRecord", &api.next_record) &&
      Resolve(library, "cuptiActivityFlushAll", &api.flush_all) &&
      Resolve(library, "cuptiGetCallbackName", &api.callback_name)) {
    return api;
  }
  return std::nullopt;
}

}  // namespace

std::vector<std::string> Candidates() {
  std::vector<std::string> candidates;
  if (const char* const asked = std::getenv("EDGEWISE_CUPTI");
      asked != nullptr && *asked != '\0') {
    candidates.emplace_back(asked);
  }
  std::vector<std::string> folders = {"/usr/local/cuda/lib64",
                                      "/usr/local/cuda/extras/CUPTI/lib64",
                                      "/opt/cuda/extras/CUPTI/lib64"};
  ::dl_iterate_phdr(AddFolder, &folders);
  for (const std::string& name : Names()) {
    candidates.push_back(name);
    for (const std::string& folder : folders) {
      candidates.push_back(folder + "/" + name);
    }
  }
  return candidates;
}

std::optional<Api> LoadCupti() {
  for (const std::string& candidate : Candidates()) {
    if (void* const library =
            ::dlopen(candidate.c_str(), RTLD_NOW | RTLD_LOCAL)) {
      if (auto api = ResolveAll(library)) {
        return api;
      }
    }
  }
  return std::nullopt;
}

}  // namespace edgewise::cupti
