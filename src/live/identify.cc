#include "live/identify.h"

#include "base/text.h"
#include "probes/rings/event_names.h"

namespace edgewise::live {
namespace {

constexpr size_t kShortIdDigits = 12;
constexpr size_t kMostKnownContainers = 4096;

std::string Clean(std::string text) {
  CleanText(text, /*keep_newlines=*/false);
  return text;
}

// Programs whose name says nothing of the app.
bool IsNameless(std::string_view program) {
  return program.empty() || program.starts_with("python") ||
         program == "node" || program == "java" || program == "perl" ||
         program == "ruby" || program == "bash" || program == "sh" ||
         program == "dash";
}

}  // namespace

std::string Identifier::CommandName(int32_t pid) const {
  const auto cmdline =
      TryReadFile(host_root_ / "proc" / std::to_string(pid) / "cmdline");
  return cmdline ? Clean(NameFromCommand(*cmdline)) : std::string();
}

void Identifier::AddContainer(int32_t pid, AppIdentity* identity) {
  const auto cgroup =
      TryReadFile(host_root_ / "proc" / std::to_string(pid) / "cgroup");
  if (!cgroup) {
    return;
  }
  const ContainerIds ids = ParseContainerIds(*cgroup);
  if (ids.container.empty()) {
    return;
  }
  auto known = names_.find(ids.container);
  if (known == names_.end()) {
    if (names_.size() >= kMostKnownContainers) {
      names_.clear();
    }
    known =
        names_
            .emplace(ids.container, FindEngineNames(ids.container, host_root_))
            .first;
  }
  identity->container = known->second.container.empty()
                            ? ids.container.substr(0, kShortIdDigits)
                            : Clean(known->second.container);
  identity->pod =
      known->second.pod.empty() ? ids.pod : Clean(known->second.pod);
}

Newcomer Identifier::Identify(int32_t pid, uint32_t uid) {
  Newcomer newcomer;
  newcomer.pid = pid;
  newcomer.uid = uid;
  newcomer.identity.name = CommandName(pid);
  AddContainer(pid, &newcomer.identity);
  if (newcomer.identity.name.empty()) {
    newcomer.identity.name = "unnamed";
  }
  return newcomer;
}

Newcomer Identifier::Identify(const RingClient& client) {
  ClaimedIdentity claimed = ParseIdentity(client.identity);
  Newcomer newcomer;
  newcomer.pid = client.pid;
  newcomer.uid = client.uid;
  newcomer.detached_ns = claimed.detached_ns;
  AppIdentity& identity = newcomer.identity;
  identity.name = std::move(claimed.app);
  identity.instance = std::move(claimed.instance);
  identity.labels = std::move(claimed.labels);
  if (identity.name.empty() && IsNameless(client.program)) {
    identity.name = CommandName(client.pid);
  }
  if (identity.name.empty()) {
    identity.name = client.program.empty() ? "unnamed" : client.program;
  }
  AddContainer(client.pid, &identity);
  return newcomer;
}

}  // namespace edgewise::live
