#include "containers/owner.h"

#include <unistd.h>

#include "base/text.h"
#include "controls/journal.h"
#include "controls/process_tree.h"

namespace edgewise {

std::string OwnerText() {
  ProcessEntry self;
  (void)ReadProcess(::getpid(), &self);
  return CurrentBootId() + "/" + CurrentPidNamespace() + "/" +
         std::to_string(self.pid) + "/" + std::to_string(self.start_ticks);
}

bool OwnerIsGone(std::string_view text) {
  const auto parts = Split(Trim(text), '/');
  if (parts.size() != 4) {
    return false;
  }
  if (parts[0] != CurrentBootId()) {
    return true;
  }
  const auto pid = ParseInt(parts[2]);
  const auto ticks = ParseUint(parts[3]);
  return parts[1] == CurrentPidNamespace() && pid && ticks &&
         !IsAlive({static_cast<pid_t>(*pid), *ticks});
}

Result<std::filesystem::path> MarkContainer(const std::filesystem::path& home,
                                            const Engine& engine,
                                            const std::string& name) {
  const std::filesystem::path folder = home / "containers";
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  const std::filesystem::path mark = folder / name;
  if (Result<void> written =
          WriteFile(mark, std::string(engine.name()) + "\n" + OwnerText());
      !written) {
    return written.error();
  }
  return mark;
}

}  // namespace edgewise
