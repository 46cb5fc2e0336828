#include "containers/container.h"

#include <fcntl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <utility>

#include "base/text.h"
#include "containers/cgroup_parent.h"
#include "containers/owner.h"
#include "controls/journal.h"
#include "controls/remains.h"

namespace edgewise {
namespace {

namespace fs = std::filesystem;

constexpr int kSignalBase = 128;
constexpr int kLookEveryUs = 2000;
constexpr int64_t kStartsNs = 30 * kNsPerSecond;

std::string ProgramOf(pid_t pid) {
  std::error_code error;
  return fs::read_symlink("/proc/" + std::to_string(pid) + "/exe", error)
      .string();
}

fs::path GroupOf(const CgroupFolders& folders) {
  return !folders.unified.empty() ? folders.unified : folders.cpuacct;
}

// Engines name a container's group after it. Without the right to make one
// they leave the container in the group of who started it, with whatever else
// is there.
bool IsOwnGroup(const fs::path& group, const std::string& id) {
  return !id.empty() && group.native().find(id) != std::string::npos;
}

Error Refused(const Engine& engine, const std::string& what,
              const EngineAnswer& answer) {
  return {ErrorCode::kInvalid, std::string(engine.name()) + " cannot " + what +
                                   ": " + answer.Complaint()};
}

}  // namespace

Result<ImageFacts> FindImage(const Engine& engine, const std::string& image) {
  const bool podman = engine.kind == Engine::Kind::kPodman;
  const auto answer =
      AskEngine(engine, {"image", "inspect", "--format",
                         podman ? "{{.Digest}}" : "{{.Id}}", image});
  if (!answer) {
    return answer.error();
  }
  if (!answer->ok()) {
    return Error{ErrorCode::kNotFound, std::string(engine.name()) +
                                           " has no image " + image +
                                           ": get it with `" + engine.name() +
                                           " pull " + image + "`, or build it"};
  }
  return ImageFacts{std::string(Trim(answer->output))};
}

Container::Container(Guardian& guardian, Engine engine, ContainerSpec spec,
                     fs::path mark)
    : guardian_(&guardian),
      engine_(std::move(engine)),
      spec_(std::move(spec)),
      mark_(std::move(mark)) {}

Container::~Container() {
  if (!mark_.empty()) {
    ::unlink(mark_.c_str());
  }
}

std::vector<std::string> Container::RemoveWords() const {
  std::vector<std::string> words = {"rm", "--force", "--volumes"};
  if (engine_.kind == Engine::Kind::kPodman) {
    words.insert(words.end(), {"--ignore", "--time", "0"});
  }
  words.push_back(spec_.name);
  return words;
}

Result<Container> Container::Create(Guardian& guardian, const Engine& engine,
                                    ContainerSpec spec, const fs::path& home,
                                    const std::string& id) {
  spec.name = SessionFolderName(id);
  spec.labels[kRunLabel] = id;
  spec.labels[kOwnerLabel] = OwnerText();
  if (engine.takes_cgroup_parent) {
    if (const auto parent = FindCgroupParent(id)) {
      if (Result<void> told = guardian.ExpectCgroups(parent->folders); !told) {
        return told.error();
      }
      spec.cgroup_parent = parent->path;
    }
  }
  auto mark = MarkContainer(home, engine, spec.name);
  if (!mark) {
    return mark.error();
  }
  Container container(guardian, engine, std::move(spec), std::move(*mark));
  if (Result<void> told =
          guardian.RunAtEnd(EngineRequest(engine, container.RemoveWords(), ""));
      !told) {
    return told.error();
  }
  const auto made =
      AskEngine(guardian, engine, CreateWords(engine, container.spec_),
                container.spec_.folder);
  if (!made) {
    return made.error();
  }
  if (!made->ok()) {
    return Refused(engine, "make a container of " + container.spec_.image,
                   *made);
  }
  container.id_ = Trim(made->output);
  return container;
}

Result<pid_t> Container::AskPid() const {
  const auto answer =
      AskEngine(engine_, {"inspect", "--format", "{{.State.Pid}}", spec_.name});
  if (!answer) {
    return answer.error();
  }
  const auto pid = ParseInt(Trim(answer->output));
  if (!answer->ok() || !pid) {
    return Refused(engine_, "tell the process of a container", *answer);
  }
  return static_cast<pid_t>(*pid);
}

Result<void> Container::FindProcess() {
  const auto pid = AskPid();
  if (!pid) {
    return pid.error();
  }
  if (*pid <= 0) {
    return {};
  }
  pidfd_.reset(static_cast<int>(::syscall(SYS_pidfd_open, *pid, 0)));
  if (pidfd_.valid()) {
    pid_ = *pid;
    // Where it is not held it may be the app already.
    const std::string program = ProgramOf(pid_);
    if (program.find("runc") != std::string::npos ||
        program.find("crun") != std::string::npos) {
      engine_image_ = program;
    }
  }
  return {};
}

Result<bool> Container::Hold() {
  if (engine_.kind != Engine::Kind::kPodman) {
    return false;
  }
  const auto made = AskEngine(*guardian_, engine_, {"init", spec_.name}, "");
  if (!made) {
    return made.error();
  }
  if (!made->ok()) {
    return Refused(engine_, "start " + spec_.image, *made);
  }
  if (Result<void> found = FindProcess(); !found) {
    return found.error();
  }
  if (pid_ > 0) {
    engine_image_ = ProgramOf(pid_);
  }
  return pid_ > 0;
}

Result<void> Container::Start(int stdout_fd, int stderr_fd) {
  std::vector<std::string> words = {"start", "--attach"};
  if (engine_.kind == Engine::Kind::kPodman) {
    words.emplace_back("--sig-proxy=false");
  }
  words.push_back(spec_.name);
  LaunchRequest request = EngineRequest(engine_, words, "");
  request.env.push_back(std::string(kRunIdVariable) + "=" +
                        spec_.labels.at(kRunLabel));
  const UniqueFd nothing(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  request.stdin_fd = nothing.get();
  request.stdout_fd = stdout_fd;
  request.stderr_fd = stderr_fd;
  const auto client = guardian_->Launch(request);
  if (!client) {
    return client.error();
  }
  if (Result<void> released = guardian_->Release(); !released) {
    return released;
  }
  // The client is its guardian's child; one that has ended stays one until the
  // guardian's word is read, so its own state is asked.
  const int64_t deadline_ns = MonotonicNs() + kStartsNs;
  const auto client_lives = [&client] { return ::kill(*client, 0) == 0; };
  while (pid_ == 0 && client_lives() && MonotonicNs() < deadline_ns) {
    if (Result<void> found = FindProcess(); !found) {
      return found;
    }
    ::usleep(kLookEveryUs);
  }
  return {};
}

CgroupFolders Container::Cgroups() const {
  if (pid_ == 0) {
    return {};
  }
  auto folders = CgroupFoldersOf(std::to_string(pid_));
  return folders && IsOwnGroup(GroupOf(*folders), id_) ? std::move(*folders)
                                                       : CgroupFolders();
}

bool Container::BeforeExec() const {
  return pid_ > 0 && !engine_image_.empty() && ProgramOf(pid_) == engine_image_;
}

void Container::Signal(int signal) const {
  bool refused = pid_ == 0;
  const auto members =
      TryReadFile(GroupOf(Cgroups()) / "cgroup.procs").value_or("");
  const auto send = [&](int64_t pid) {
    if (pid > 0 && ::kill(static_cast<pid_t>(pid), signal) != 0) {
      refused = refused || errno == EPERM;
    }
  };
  for (const std::string_view line : Split(members, '\n')) {
    if (const auto pid = ParseInt(Trim(line)); pid && *pid != pid_) {
      send(*pid);
    }
  }
  // Last, because all others end with it.
  send(pid_);
  if (refused) {
    (void)AskEngine(engine_,
                    {"kill", "--signal", std::to_string(signal), spec_.name});
  }
}

ContainerEnd Container::End(int status) const {
  ContainerEnd end;
  const auto answer = AskEngine(
      engine_,
      {"inspect", "--format",
       "{{.State.ExitCode}} {{.State.Status}} {{.State.Error}}", spec_.name});
  const auto facts = answer && answer->ok() ? SplitFields(answer->output)
                                            : std::vector<std::string_view>();
  std::optional<int64_t> code;
  if (facts.size() >= 2) {
    end.never_ran = facts[1] != "exited" && facts[1] != "stopped";
    code = ParseInt(facts[0]);
    if (end.never_ran) {
      end.complaint = Trim(answer->output);
    }
  } else if (WIFEXITED(status)) {
    code = WEXITSTATUS(status);
  }
  if (code && *code > kSignalBase && *code <= kSignalBase + SIGRTMAX) {
    end.signal = static_cast<int>(*code - kSignalBase);
  } else if (code) {
    end.exit_code = static_cast<int>(*code);
  }
  return end;
}

void Container::Remove() const { (void)AskEngine(engine_, RemoveWords()); }

}  // namespace edgewise
