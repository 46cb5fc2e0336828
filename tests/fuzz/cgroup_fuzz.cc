// What describes cgroups and sessions: any /proc/PID/cgroup and mountinfo give
// a layout below the root, and any journal is a record that reads the same
// again, or an error.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "base/cgroups.h"
#include "controls/journal.h"

namespace {

void Require(bool condition) {
  if (!condition) {
    std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  // The first zero separates the two files.
  const size_t zero = text.find('\0');
  const std::string_view cgroup = text.substr(0, zero);
  const std::string_view mounts =
      zero == std::string_view::npos ? text : text.substr(zero + 1);
  const edgewise::CgroupLayout layout =
      edgewise::ParseCgroups(cgroup, mounts, "/root");
  for (const auto& [controller, folder] : layout.v1) {
    Require(!controller.empty());
    Require(folder.string().starts_with("/root"));
  }
  if (layout.unified) {
    Require(layout.unified->own.string().starts_with(
        layout.unified->mount.string()));
  }

  if (const auto record = edgewise::ParseJournal(text)) {
    const auto again = edgewise::ParseJournal(edgewise::FormatJournal(*record));
    Require(again.ok());
    Require(again->id == record->id);
    Require(again->cgroups == record->cgroups);
    Require(again->restores == record->restores);
    for (const auto& restore : record->restores) {
      Require(restore.path.is_absolute() &&
              restore.path.lexically_normal() == restore.path);
      Require(restore.path.filename() == "scaling_min_freq" ||
              restore.path.filename() == "scaling_max_freq");
      Require(restore.value > 0);
    }
    for (const auto& folder : record->cgroups) {
      Require(folder.filename() == edgewise::SessionFolderName(record->id));
    }
  }
  return 0;
}
