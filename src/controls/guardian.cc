#include "controls/guardian.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "base/unique_fd.h"
#include "controls/adopted.h"
#include "controls/guardian_link.h"
#include "controls/guardian_program.h"
#include "controls/guardian_state.h"
#include "controls/journal.h"
#include "controls/launch_request.h"
#include "controls/remains.h"

namespace edgewise {
namespace {

namespace fs = std::filesystem;

// A socket's path may have 107 characters, some of them for its own name.
constexpr size_t kMaxScratchLength = 80;

fs::path ChooseScratch(const fs::path& home, const std::string& id) {
  const char* wish = getenv("TMPDIR");
  for (const fs::path& parent :
       {fs::path(wish != nullptr ? wish : ""), fs::path("/tmp"), home}) {
    fs::path folder = (parent / SessionFolderName(id)).lexically_normal();
    if (parent.is_absolute() && folder.string().size() <= kMaxScratchLength &&
        access(parent.c_str(), W_OK | X_OK) == 0) {
      return folder;
    }
  }
  return (fs::path("/tmp") / SessionFolderName(id));
}

}  // namespace

Guardian::Guardian(std::unique_ptr<State> state) : state_(std::move(state)) {}
Guardian::Guardian(Guardian&&) noexcept = default;
Guardian& Guardian::operator=(Guardian&& other) noexcept {
  if (this != &other) {
    if (state_) {
      (void)End().ok();
    }
    state_ = std::move(other.state_);
  }
  return *this;
}
Guardian::~Guardian() {
  if (state_) {
    (void)End().ok();
  }
}

Result<Guardian> Guardian::Start(const fs::path& home, const std::string& id) {
  if (!IsValidSessionId(id)) {
    return Error{ErrorCode::kInvalid,
                 "\"" + id +
                     "\" cannot name a session: use letters, digits, "
                     "'.', '_' and '-'"};
  }
  std::error_code error;
  const fs::path absolute_home = fs::absolute(home, error);
  if (!error) {
    fs::create_directories(absolute_home / "sessions", error);
  }
  if (error) {
    return Error{
        ErrorCodeFromErrno(error.value()),
        "cannot make " + (home / "sessions").string() + ": " + error.message()};
  }
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  auto started = StartGuardianProgram(absolute_home);
  if (!started) {
    return started.error();
  }
  auto state = std::make_unique<State>();
  state->pid = started->pid;
  state->command = std::move(started->command);
  state->event = std::move(started->event);
  state->journal = absolute_home / "sessions" / id;
  AddLivingGuardian(state->pid);

  JournalRecord& record = state->record;
  record.id = id;
  record.boot_id = CurrentBootId();
  record.pid_namespace = CurrentPidNamespace();
  record.scratch = ChooseScratch(absolute_home, id);
  ProcessEntry process;
  if (ReadProcess(getpid(), &process)) {
    record.session = {process.pid, process.start_ticks};
  }
  if (ReadProcess(state->pid, &process)) {
    record.guardian = {process.pid, process.start_ticks};
  }
  Guardian guardian(std::move(state));
  State& own = *guardian.state_;

  // The guardian knows of each thing before it is made.
  if (access(own.journal.c_str(), F_OK) == 0) {
    return Error{ErrorCode::kBusy,
                 "a session " + id + " exists already in " + home.string()};
  }
  if (auto told = own.Tell(guardian::Kind::kJournal, own.journal); !told) {
    return told.error();
  }
  if (auto created = CreateJournal(own.journal, own.record); !created) {
    return created.error();
  }
  if (auto told = own.Tell(guardian::Kind::kScratch, own.record.scratch);
      !told) {
    return told.error();
  }
  if (mkdir(own.record.scratch.c_str(), 0700) != 0) {
    const int reason = errno;
    const fs::path taken = std::exchange(own.record.scratch, fs::path());
    // Somebody else's folder: not ours to remove.
    (void)own.Tell(guardian::Kind::kScratch, "").ok();
    return Error{ErrorCodeFromErrno(reason),
                 "cannot make " + taken.string() + ": " + ErrnoText(reason)};
  }
  return guardian;
}

pid_t Guardian::pid() const { return state_->pid; }

const fs::path& Guardian::scratch() const { return state_->record.scratch; }

Result<CgroupFolders> Guardian::MakeCgroups(const CgroupWishes& wishes,
                                            std::vector<std::string>* refused) {
  const auto layout = FindCgroups();
  if (!layout) {
    if (wishes.cpu_quota_cores || wishes.memory_limit_bytes) {
      return layout.error();
    }
    refused->push_back(layout.error().message);
    return CgroupFolders();
  }
  State& own = *state_;
  const auto announce = [&own](const fs::path& folder) {
    return own.Announce(folder);
  };
  auto folders = CreateCgroups(
      *layout, wishes, SessionFolderName(own.record.id), announce, refused);
  if (folders) {
    own.cgroups = *folders;
  }
  return folders;
}

Result<pid_t> Guardian::Launch(const LaunchRequest& request) {
  const auto encoded = EncodeLaunchRequest(request, state_->cgroups);
  if (!encoded) {
    return encoded.error();
  }
  const int wishes[] = {encoded->get(), request.stdin_fd, request.stdout_fd,
                        request.stderr_fd, request.terminal_fd};
  std::vector<int> fds;
  int present = 0;
  for (int i = 0; i < guardian::kLaunchFds; ++i) {
    int fd = wishes[i];
    if (fd < 0 && i >= guardian::kStdin && i <= guardian::kStderr) {
      fd = i - guardian::kStdin;
    }
    // One that is closed here is /dev/null there.
    if (fd >= 0 && fcntl(fd, F_GETFD) >= 0) {
      fds.push_back(fd);
      present |= 1 << i;
    }
  }
  const auto question = MakeCommand(guardian::Kind::kLaunch, present, "");
  const auto reply = state_->Ask(*question, fds);
  if (!reply) {
    return reply.error();
  }
  if (reply->error != 0) {
    return Error{ErrorCodeFromErrno(reply->error),
                 "cannot launch " + request.argv.front() + ": " +
                     ErrnoText(reply->error)};
  }
  return pid_t{reply->number};
}

Result<void> Guardian::Release() {
  return state_->Tell(guardian::Kind::kRelease, "");
}

int Guardian::event_fd() const { return state_->event.get(); }

std::optional<GuardianEvent> Guardian::Next() {
  State& own = *state_;
  if (own.ended || own.told) {
    return std::nullopt;
  }
  guardian::Event wire{};
  switch (ReceiveEvent(own.event.get(), &wire)) {
    case Received::kNothing:
      return std::nullopt;
    case Received::kMessage:
      return EventFromWire(wire);
    case Received::kHungUp:
      break;
  }
  own.dead = true;
  own.told = true;
  // The end of file would keep the descriptor readable for ever.
  const UniqueFd silence(eventfd(0, EFD_CLOEXEC));
  if (silence.valid()) {
    dup3(silence.get(), own.event.get(), O_CLOEXEC);
  }
  GuardianEvent event;
  event.kind = GuardianEvent::Kind::kGuardianDied;
  event.pid = own.pid;
  return event;
}

Result<void> Guardian::SignalTree(int signal) {
  State& own = *state_;
  if (!own.dead) {
    const auto question = MakeCommand(guardian::Kind::kSignal, signal, "");
    if (own.Ask(*question)) {
      return {};
    }
  }
  const auto table = std::make_unique<ProcessTable>();
  const auto done = std::make_unique<ProcessTable>();
  SignalOnceEach(table.get(), done.get(), signal,
                 [&own](ProcessTable* each) { own.MarkOrphans(each); });
  return {};
}

Result<TreeUsage> Guardian::End() {
  State& own = *state_;
  if (own.ended) {
    return TreeUsage();
  }
  std::optional<guardian::Reply> reply;
  if (!own.dead) {
    const auto question = MakeCommand(guardian::Kind::kEnd, 0, "");
    if (auto answer = own.Ask(*question, {}, guardian::kEndTimeoutMs)) {
      reply = *answer;
    }
  }
  own.ended = true;
  own.command.reset();
  if (!reply) {
    kill(own.pid, SIGKILL);  // also one that is stopped or hangs
  }
  while (waitpid(own.pid, nullptr, 0) < 0 && errno == EINTR) {
  }
  RemoveLivingGuardian(own.pid);
  if (!reply) {
    return own.EndAlone();
  }
  if (reply->stuck > 0) {
    return Error{ErrorCode::kBusy,
                 std::to_string(reply->stuck) +
                     " processes could not be killed (the kernel keeps them "
                     "waiting, e.g. for a disk); the next start of edgewise "
                     "tries again"};
  }
  if (reply->left != 0) {
    return Error{ErrorCodeFromErrno(reply->left),
                 "not everything of session " + own.record.id +
                     " could be undone: " + ErrnoText(reply->left) +
                     "; the next start of edgewise tries again"};
  }
  return UsageFromWire(*reply);
}

}  // namespace edgewise
