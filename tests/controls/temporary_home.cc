#include "temporary_home.h"

#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <unistd.h>

#include <atomic>
#include <memory>

#include "base/cgroups.h"
#include "controls/process_tree.h"
#include "controls/remains.h"

namespace edgewise {
namespace {

namespace fs = std::filesystem;

constexpr int kHangMs = 30'000;

// Every folder called edgewise-ID in the hierarchies, at or above our own.
void FindCgroupsOf(const std::string& id, std::vector<std::string>* left) {
  const auto layout = FindCgroups();
  if (!layout) {
    return;
  }
  std::vector<fs::path> places;
  if (layout->unified) {
    for (fs::path folder = layout->unified->own;
         folder != layout->unified->mount.parent_path();
         folder = folder.parent_path()) {
      places.push_back(folder);
    }
  }
  for (const auto& [controller, folder] : layout->v1) {
    places.push_back(folder);
  }
  for (const fs::path& place : places) {
    if (fs::exists(place / SessionFolderName(id))) {
      left->push_back("cgroup " + (place / SessionFolderName(id)).string());
    }
  }
}

}  // namespace

TemporaryHome::TemporaryHome() {
  static std::atomic<int> count = 0;
  std::string name = (fs::temp_directory_path() / "home-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) {
    abort();
  }
  path_ = name;
  id_ = "test-" + std::to_string(getpid()) + "-" + std::to_string(++count);
}

TemporaryHome::~TemporaryHome() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

std::vector<pid_t> TemporaryHome::Processes() const {
  const auto table = std::make_unique<ProcessTable>();
  table->Scan();
  table->MarkEnvironment((std::string(kRunIdVariable) + "=" + id_).c_str(), 0);
  std::vector<pid_t> pids;
  for (const ProcessEntry& process : *table) {
    if (process.marked && !process.dead) {
      pids.push_back(process.pid);
    }
  }
  return pids;
}

std::vector<std::string> TemporaryHome::Left() const {
  std::vector<std::string> left;
  for (const pid_t pid : Processes()) {
    left.push_back("process " + std::to_string(pid));
  }
  FindCgroupsOf(id_, &left);
  if (fs::exists(fs::temp_directory_path() / SessionFolderName(id_))) {
    left.push_back("scratch folder");
  }
  std::error_code ignored;
  for (const auto& entry :
       fs::directory_iterator(path_ / "sessions", ignored)) {
    left.push_back(entry.path());
  }
  return left;
}

std::string HelperPath() {
  return fs::read_symlink("/proc/self/exe").parent_path() / "guarded_program";
}

LaunchRequest HelperRequest(const std::string& id,
                            std::vector<std::string> arguments) {
  LaunchRequest request;
  request.argv = std::move(arguments);
  request.argv.insert(request.argv.begin(), HelperPath());
  request.env = {"PATH=/usr/bin:/bin", std::string(kRunIdVariable) + "=" + id};
  return request;
}

std::optional<GuardianEvent> WaitForEvent(Guardian* guardian) {
  pollfd readable{guardian->event_fd(), POLLIN, 0};
  while (poll(&readable, 1, kHangMs) > 0) {
    if (auto event = guardian->Next()) {
      return event;
    }
  }
  return std::nullopt;
}

Pipe::Pipe() {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) {
    abort();
  }
  read_end.reset(ends[0]);
  write_end.reset(ends[1]);
}

std::string Pipe::Drain() {
  write_end.reset();
  std::string text;
  char buffer[4096];
  ssize_t got = 0;
  while ((got = read(read_end.get(), buffer, sizeof(buffer))) > 0) {
    text.append(buffer, static_cast<size_t>(got));
  }
  return text;
}

std::string Pipe::ReadLine() {
  write_end.reset();
  std::string text;
  char byte = 0;
  while (!text.ends_with('\n') && read(read_end.get(), &byte, 1) == 1) {
    text += byte;
  }
  return text;
}

bool WaitUntilGone(pid_t pid) {
  const int64_t deadline_ns = NowNs() + int64_t{kHangMs} * 1'000'000;
  ProcessEntry process;
  while (ReadProcess(pid, &process) && !process.dead) {
    if (NowNs() > deadline_ns) {
      return false;
    }
    PauseMs(1);
  }
  return true;
}

std::optional<std::string> WhyNoCgroups() {
  const TemporaryHome home;
  auto guardian = Guardian::Start(home.path(), home.id());
  if (!guardian) {
    return guardian.error().message;
  }
  std::vector<std::string> refused;
  const auto folders = guardian->MakeCgroups({}, &refused);
  if (!folders) {
    return folders.error().message;
  }
  if (folders->empty()) {
    return refused.empty() ? "there are no cgroups here" : refused.front();
  }
  return std::nullopt;
}

}  // namespace edgewise
