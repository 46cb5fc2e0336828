#include "containers/sweep_containers.h"

#include <unistd.h>

#include <map>
#include <string>
#include <vector>

#include "base/text.h"
#include "containers/container_spec.h"
#include "containers/owner.h"

namespace edgewise {
namespace {

namespace fs = std::filesystem;

// Empty if there is no such container (any more).
std::string OwnerOf(const Engine& engine, const std::string& id) {
  const auto answer = AskEngine(
      engine,
      {"inspect", "--format",
       std::string("{{index .Config.Labels \"") + kOwnerLabel + "\"}}", id});
  return answer && answer->ok() ? answer->output : "";
}

}  // namespace

Result<int> SweepContainers(const Engine& engine) {
  const auto all =
      AskEngine(engine, {"ps", "--all", "--quiet", "--no-trunc", "--filter",
                         std::string("label=") + kOwnerLabel});
  if (!all) {
    return all.error();
  }
  int swept = 0;
  for (const std::string_view field : SplitFields(all->output)) {
    const std::string id(field);
    if (!OwnerIsGone(OwnerOf(engine, id))) {
      continue;
    }
    const auto removed = AskEngine(engine, {"rm", "--force", "--volumes", id});
    if (!removed) {
      return removed.error();
    }
    // A guardian that does the same may have been faster.
    if (!removed->ok() && !OwnerOf(engine, id).empty()) {
      return Error{ErrorCode::kBusy,
                   "a container that an earlier edgewise left cannot be "
                   "removed (" +
                       removed->Complaint() + "): remove it with " +
                       engine.name() + " rm --force " + id};
    }
    ++swept;
  }
  return swept;
}

void SweepMarkedContainers(const fs::path& home) {
  std::map<std::string, std::vector<fs::path>> marks;
  std::error_code error;
  for (fs::directory_iterator entry(home / "containers", error), end;
       !error && entry != end; entry.increment(error)) {
    const std::string text = TryReadFile(entry->path()).value_or("");
    const size_t line = text.find('\n');
    if (line != std::string::npos && OwnerIsGone(text.substr(line + 1))) {
      marks[text.substr(0, line)].push_back(entry->path());
    }
  }
  for (const auto& [name, files] : marks) {
    const auto choice = ParseEngineChoice(name);
    const auto engine = choice && *choice != EngineChoice::kAuto
                            ? FindEngine(*choice)
                            : Result<Engine>(Error{});
    if (!choice || (engine && SweepContainers(*engine))) {
      for (const fs::path& file : files) {
        ::unlink(file.c_str());
      }
    }
  }
}

}  // namespace edgewise
