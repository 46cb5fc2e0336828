#include "controls/guardian.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/text.h"
#include "controls/process_tree.h"
#include "temporary_home.h"

namespace edgewise {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

using Kind = GuardianEvent::Kind;

class GuardianTest : public ::testing::Test {
 protected:
  void SetUp() override {
    auto started = Guardian::Start(home_.path(), home_.id());
    ASSERT_TRUE(started.ok()) << started.error().message;
    guardian_.emplace(std::move(*started));
  }
  void TearDown() override {
    guardian_.reset();
    EXPECT_THAT(home_.Left(), IsEmpty());
  }
  LaunchRequest Helper(std::vector<std::string> arguments) {
    return HelperRequest(home_.id(), std::move(arguments));
  }
  LaunchRequest Shell(const std::string& script) {
    LaunchRequest request = Helper({});
    request.argv = {"/bin/sh", "-c", script};
    return request;
  }
  pid_t Run(const LaunchRequest& request) {
    const auto pid = guardian_->Launch(request);
    EXPECT_TRUE(pid.ok()) << pid.error().message;
    EXPECT_TRUE(guardian_->Release().ok());
    return pid.ok() ? *pid : 0;
  }
  // Runs to its end and gives what it printed.
  std::string Output(LaunchRequest request) {
    Pipe pipe;
    request.stdout_fd = pipe.write_end.get();
    Run(request);
    const std::string text = pipe.Drain();
    EXPECT_EQ(Next().kind, Kind::kExited);
    EXPECT_EQ(Next().kind, Kind::kTreeEmpty);
    return text;
  }
  GuardianEvent Next() {
    const auto event = WaitForEvent(&*guardian_);
    EXPECT_TRUE(event) << "no event came";
    return event.value_or(GuardianEvent());
  }
  void ExpectLaunchFails(const LaunchRequest& request, const char* stage,
                         int error) {
    Run(request);
    const GuardianEvent event = Next();
    EXPECT_EQ(event.kind, Kind::kLaunchFailed);
    EXPECT_EQ(event.stage, stage);
    EXPECT_EQ(event.error_number, error) << strerror(event.error_number);
  }

  TemporaryHome home_;
  std::optional<Guardian> guardian_;
};

TEST_F(GuardianTest, AProgramRunsAndItsEndIsTold) {
  const pid_t pid = Run(Shell("exit 7"));
  const GuardianEvent exited = Next();
  EXPECT_EQ(exited.kind, Kind::kExited);
  EXPECT_EQ(exited.pid, pid);
  EXPECT_TRUE(WIFEXITED(exited.status));
  EXPECT_EQ(WEXITSTATUS(exited.status), 7);
  EXPECT_EQ(Next().kind, Kind::kTreeEmpty);
  EXPECT_TRUE(guardian_->End().ok());
}

TEST_F(GuardianTest, TheProgramIsHeldUntilReleased) {
  Pipe pipe;
  LaunchRequest request = Shell("echo ran");
  request.stdout_fd = pipe.write_end.get();
  const auto pid = guardian_->Launch(request);
  ASSERT_TRUE(pid.ok());
  EXPECT_EQ(fs::read_symlink("/proc/" + std::to_string(*pid) + "/exe")
                .string()
                .find("/bin"),
            std::string::npos)
      << "it is not the program yet";
  EXPECT_FALSE(guardian_->Next());
  ASSERT_TRUE(guardian_->Release().ok());
  EXPECT_EQ(pipe.Drain(), "ran\n");
}

TEST_F(GuardianTest, SeveralProgramsRunOneAfterAnother) {
  for (const char* text : {"one", "two", "three"}) {
    EXPECT_EQ(Output(Shell(std::string("echo ") + text)),
              std::string(text) + "\n");
  }
}

TEST_F(GuardianTest, TwoProgramsAtOnceAreRefused) {
  Run(Shell("sleep 1000"));
  const auto second = guardian_->Launch(Shell("true"));
  ASSERT_FALSE(second.ok());
  EXPECT_EQ(second.error().code, ErrorCode::kBusy);
}

TEST_F(GuardianTest, TheProgramLeadsItsOwnProcessGroup) {
  const std::string text = Output(Helper({"group"}));
  const auto fields = SplitFields(text);
  ASSERT_EQ(fields.size(), 2u);
  EXPECT_EQ(fields[0], fields[1]);
}

TEST_F(GuardianTest, TheGuardianShowsItsName) {
  const std::string parent = Output(Shell("echo $PPID"));
  const auto line = ReadFile("/proc/" + std::string(Trim(parent)) + "/cmdline");
  ASSERT_TRUE(line.ok());
  EXPECT_EQ(line->c_str(), std::string("edgewise-guardian"));
}

TEST_F(GuardianTest, OnlyTheThreeStandardFilesAreOpen) {
  // ls itself opens one more: the folder.
  EXPECT_EQ(Output(Shell("ls /proc/self/fd | wc -l")), "4\n");
}

TEST_F(GuardianTest, SignalsAreAsInAFreshProcess) {
  EXPECT_EQ(Output(Helper({"signals"})), "blocked 0 ignored 0\n");
}

TEST_F(GuardianTest, FolderEnvironmentAndCpusAreAsAsked) {
  LaunchRequest request = Shell("pwd; echo $COLOUR; " + HelperPath() +
                                " nice; "
                                "grep Cpus_allowed_list /proc/self/status");
  request.cwd = "/usr";
  request.env.push_back("COLOUR=blue");
  request.cpus = {0};
  request.nice = 5;
  EXPECT_EQ(Output(request), "/usr\nblue\n5\nCpus_allowed_list:\t0\n");
}

TEST_F(GuardianTest, ThePolicyIsAsAsked) {
  LaunchRequest request = Shell("read line");
  request.policy = SchedulingPolicy{SCHED_BATCH, 0};
  Pipe input;
  request.stdin_fd = input.read_end.get();
  const pid_t pid = Run(request);
  EXPECT_EQ(sched_getscheduler(pid), SCHED_BATCH) << "no RESET_ON_FORK";
}

TEST_F(GuardianTest, AClosedInputIsAnEmptyOne) {
  // Opened before number 0 is free: it would take its place.
  Pipe pipe;
  LaunchRequest request = Shell("cat; echo end");
  request.stdout_fd = pipe.write_end.get();
  const int saved = fcntl(0, F_DUPFD_CLOEXEC, 3);
  close(0);
  const auto pid = guardian_->Launch(request);
  if (saved >= 0) {
    dup2(saved, 0);
    close(saved);
  }
  ASSERT_TRUE(pid.ok()) << pid.error().message;
  ASSERT_TRUE(guardian_->Release().ok());
  EXPECT_EQ(pipe.Drain(), "end\n");
}

TEST_F(GuardianTest, AMissingProgramIsNotFound) {
  LaunchRequest request = Helper({});
  request.argv = {"no-such-program-anywhere"};
  ExpectLaunchFails(request, "exec", ENOENT);
  request.argv = {"/no/such/program"};
  ExpectLaunchFails(request, "exec", ENOENT);
  request.argv = {""};
  ExpectLaunchFails(request, "exec", ENOENT);
  EXPECT_EQ(Output(Shell("echo fine")), "fine\n") << "and the next one runs";
}

TEST_F(GuardianTest, AFileThatIsNoProgramIsRefused) {
  LaunchRequest request = Helper({});
  request.argv = {"/etc/passwd"};
  ExpectLaunchFails(request, "exec", EACCES);
  request.argv = {"/"};
  ExpectLaunchFails(request, "exec", EACCES);
}

TEST_F(GuardianTest, AProgramOfAnotherMachineIsAFormatError) {
  const fs::path file = home_.path() / "foreign";
  ASSERT_TRUE(WriteFile(file, std::string("\x7f"
                                          "ELF\0\0\0rubbish",
                                          14))
                  .ok());
  fs::permissions(file, fs::perms(0755));
  LaunchRequest request = Helper({});
  request.argv = {file};
  ExpectLaunchFails(request, "exec", ENOEXEC);
}

TEST_F(GuardianTest, AScriptWithoutInterpreterRunsInTheShell) {
  const fs::path file = home_.path() / "script";
  ASSERT_TRUE(WriteFile(file, "echo \"$0 $1\"\n").ok());
  fs::permissions(file, fs::perms(0755));
  LaunchRequest request = Helper({});
  request.argv = {file, "argument"};
  EXPECT_EQ(Output(request), file.string() + " argument\n");
  request.argv = {"script", "again"};
  request.env = {"PATH=/nowhere:" + home_.path().string()};
  EXPECT_EQ(Output(request), file.string() + " again\n");
}

TEST_F(GuardianTest, ThePathOfTheGivenEnvironmentIsSearched) {
  const fs::path folder = home_.path() / "bin";
  fs::create_directories(folder);
  ASSERT_TRUE(WriteFile(folder / "my-program", "#!/bin/sh\necho found\n").ok());
  fs::permissions(folder / "my-program", fs::perms(0755));
  LaunchRequest request = Helper({});
  request.argv = {"my-program"};
  request.env = {"PATH=/nowhere::" + folder.string()};
  EXPECT_EQ(Output(request), "found\n");
  request.env = {};
  ExpectLaunchFails(request, "exec", ENOENT);
}

TEST_F(GuardianTest, SettingsThatFailNameTheirStage) {
  LaunchRequest request = Shell("true");
  request.cwd = "/no/such/folder";
  ExpectLaunchFails(request, "chdir", ENOENT);
  request = Shell("true");
  request.cpus = {1000};
  ExpectLaunchFails(request, "affinity", EINVAL);
  request = Shell("true");
  request.policy = SchedulingPolicy{SCHED_OTHER, 5};
  ExpectLaunchFails(request, "policy", EINVAL);
}

TEST_F(GuardianTest, AnEmptyCommandIsInvalid) {
  const auto pid = guardian_->Launch(LaunchRequest());
  ASSERT_FALSE(pid.ok());
  EXPECT_EQ(pid.error().code, ErrorCode::kInvalid);
}

TEST_F(GuardianTest, AHugeEnvironmentArrives) {
  LaunchRequest request = Helper({"environment-bytes"});
  request.env.clear();
  size_t bytes = 0;
  // Twenty of 100 kB: one string may have at most 128 KiB.
  for (int i = 0; i < 20; ++i) {
    request.env.push_back("BIG" + std::to_string(i) + "=" +
                          std::string(100'000, 'x'));
    bytes += request.env.back().size() + 1;
  }
  rlimit stack{};
  getrlimit(RLIMIT_STACK, &stack);
  if (stack.rlim_cur != RLIM_INFINITY && stack.rlim_cur / 4 < bytes + 4096) {
    GTEST_SKIP() << "the stack limit allows no such environment";
  }
  EXPECT_EQ(Output(request), std::to_string(bytes) + "\n");
}

TEST_F(GuardianTest, ACommandTooLongForTheKernelSaysSo) {
  LaunchRequest request = Shell("true");
  request.argv.push_back(std::string(1 << 20, 'x'));
  ExpectLaunchFails(request, "exec", E2BIG);
}

TEST_F(GuardianTest, DaemonsAreCountedAndEnded) {
  const std::string pid_file = home_.path() / "daemon";
  Run(Helper({"daemonise", pid_file}));
  EXPECT_EQ(Next().kind, Kind::kExited);
  while (!fs::exists(pid_file)) {
    PauseMs(1);
  }
  EXPECT_FALSE(guardian_->Next()) << "the tree is not empty";
  const auto pid = ParseInt(Trim(*ReadFile(pid_file)));
  ASSERT_TRUE(pid);
  EXPECT_EQ(kill(static_cast<pid_t>(*pid), 0), 0);
  const auto usage = guardian_->End();
  ASSERT_TRUE(usage.ok()) << usage.error().message;
  EXPECT_EQ(usage->killed_leftovers, 1);
  EXPECT_TRUE(WaitUntilGone(static_cast<pid_t>(*pid)));
}

TEST_F(GuardianTest, SignalsReachEveryProcessOfTheTree) {
  const std::string pid_file = home_.path() / "daemon";
  Run(Helper({"daemonise", pid_file}));
  EXPECT_EQ(Next().kind, Kind::kExited);
  while (!fs::exists(pid_file)) {
    PauseMs(1);
  }
  ASSERT_TRUE(guardian_->SignalTree(SIGTERM).ok());
  EXPECT_EQ(Next().kind, Kind::kTreeEmpty);
}

TEST_F(GuardianTest, SignalsSpareWhatAnEarlierLaunchLeft) {
  LaunchRequest server = Shell("sleep 1000 >/dev/null & echo $!");
  server.in_cgroup = false;
  Pipe pipe;
  server.stdout_fd = pipe.write_end.get();
  Run(server);
  const auto left = ParseInt(Trim(pipe.ReadLine()));
  ASSERT_TRUE(left);
  EXPECT_EQ(Next().kind, Kind::kExited);
  Run(Shell("sleep 1000"));
  ASSERT_TRUE(guardian_->SignalTree(SIGTERM).ok());
  const GuardianEvent exited = Next();
  EXPECT_EQ(exited.kind, Kind::kExited);
  EXPECT_EQ(WTERMSIG(exited.status), SIGTERM);
  EXPECT_EQ(Next().kind, Kind::kTreeEmpty);
  EXPECT_EQ(kill(static_cast<pid_t>(*left), 0), 0) << "the server still runs";
}

TEST_F(GuardianTest, ProgramsThatIgnoreSignalsAreKilledAtTheEnd) {
  Pipe pipe;
  LaunchRequest request = Helper({"stubborn"});
  request.stdout_fd = pipe.write_end.get();
  Run(request);
  EXPECT_EQ(pipe.ReadLine(), "ready\n");
  ASSERT_TRUE(guardian_->SignalTree(SIGTERM).ok());
  const auto usage = guardian_->End();
  ASSERT_TRUE(usage.ok()) << usage.error().message;
  EXPECT_EQ(usage->killed_leftovers, 1);
}

TEST_F(GuardianTest, ASignalToAHeldProgramIsNotLost) {
  ASSERT_TRUE(guardian_->Launch(Shell("sleep 1000")).ok());
  ASSERT_TRUE(guardian_->SignalTree(SIGTERM).ok());
  ASSERT_TRUE(guardian_->Release().ok());
  const GuardianEvent exited = Next();
  EXPECT_EQ(exited.kind, Kind::kExited);
  EXPECT_EQ(WTERMSIG(exited.status), SIGTERM);
}

TEST_F(GuardianTest, AHeldProgramIsEndedToo) {
  ASSERT_TRUE(guardian_->Launch(Shell("echo never > /dev/null")).ok());
  EXPECT_TRUE(guardian_->End().ok());
}

TEST_F(GuardianTest, AForkBombIsEndedWithoutACgroup) {
  Pipe pipe;
  LaunchRequest request = Helper({"fork-bomb", "300"});
  request.stdout_fd = pipe.write_end.get();
  Run(request);
  EXPECT_EQ(pipe.ReadLine(), "ready\n");
  const auto usage = guardian_->End();
  EXPECT_TRUE(usage.ok()) << usage.error().message;
}

TEST_F(GuardianTest, ManyChildrenAreFine) {
  Run(Helper({"children", "500"}));
  EXPECT_EQ(Next().kind, Kind::kExited);
  EXPECT_EQ(Next().kind, Kind::kTreeEmpty);
}

TEST_F(GuardianTest, ProcessorTimeAndMemoryAreTheProgramsOwn) {
  Run(Shell(HelperPath() + " burn 100; " + HelperPath() + " touch 50000000"));
  const GuardianEvent exited = Next();
  ASSERT_EQ(exited.kind, Kind::kExited);
  EXPECT_GE(exited.cpu_user_s + exited.cpu_system_s, 0.1);
  EXPECT_GE(exited.max_rss_bytes, 50'000'000);
  EXPECT_EQ(Next().kind, Kind::kTreeEmpty);
  const auto usage = guardian_->End();
  ASSERT_TRUE(usage.ok());
  EXPECT_DOUBLE_EQ(usage->cpu_user_s, exited.cpu_user_s);
  EXPECT_EQ(usage->max_rss_bytes, exited.max_rss_bytes);
  EXPECT_GT(usage->guardian_max_rss_bytes, 0);
  EXPECT_LE(usage->guardian_max_rss_bytes, 1 << 20);
}

TEST_F(GuardianTest, PreparationsDoNotCount) {
  LaunchRequest prepare = Helper({"burn", "100"});
  prepare.in_cgroup = false;
  Run(prepare);
  EXPECT_EQ(Next().kind, Kind::kExited);
  EXPECT_EQ(Next().kind, Kind::kTreeEmpty);
  const auto usage = guardian_->End();
  ASSERT_TRUE(usage.ok());
  EXPECT_EQ(usage->cpu_user_s, 0);
  EXPECT_EQ(usage->max_rss_bytes, 0);
}

TEST_F(GuardianTest, TheSessionsMemoryDoesNotShowInTheProgram) {
  constexpr size_t kLarge = 64 << 20;
  std::string ballast(kLarge, 'x');
  Guardian second = std::move(*guardian_);
  guardian_.reset();
  ASSERT_TRUE(second.End().ok());
  auto large = Guardian::Start(home_.path(), home_.id());
  ASSERT_TRUE(large.ok()) << large.error().message;
  guardian_.emplace(std::move(*large));
  Run(Shell("true"));
  EXPECT_LT(Next().max_rss_bytes, 16 << 20);
  EXPECT_EQ(ballast[kLarge - 1], 'x');
}

TEST_F(GuardianTest, TheScratchFolderIsPrivateAndGoesAtTheEnd) {
  const fs::path scratch = guardian_->scratch();
  EXPECT_EQ(fs::status(scratch).permissions(), fs::perms(0700));
  EXPECT_LE(scratch.string().size(), 80u);
  fs::create_directories(scratch / "deep/er");
  ASSERT_TRUE(WriteFile(scratch / "deep/er/file", "x").ok());
  ASSERT_TRUE(guardian_->End().ok());
  EXPECT_FALSE(fs::exists(scratch));
}

TEST_F(GuardianTest, EndingTwiceDoesNothing) {
  EXPECT_TRUE(guardian_->End().ok());
  EXPECT_TRUE(guardian_->End().ok());
  EXPECT_FALSE(guardian_->Next());
}

TEST_F(GuardianTest, AnIdInUseIsRefused) {
  const auto second = Guardian::Start(home_.path(), home_.id());
  ASSERT_FALSE(second.ok());
  EXPECT_EQ(second.error().code, ErrorCode::kBusy);
  EXPECT_TRUE(fs::exists(guardian_->scratch())) << "the first one is unharmed";
  EXPECT_FALSE(Guardian::Start(home_.path(), "../up").ok());
}

TEST_F(GuardianTest, TwoGuardiansLiveSideBySide) {
  const TemporaryHome other_home;
  auto other = Guardian::Start(other_home.path(), other_home.id());
  ASSERT_TRUE(other.ok());
  Run(Shell("sleep 1000"));
  ASSERT_TRUE(
      other->Launch(HelperRequest(other_home.id(), {"burn", "1"})).ok());
  ASSERT_TRUE(other->Release().ok());
  EXPECT_EQ(WaitForEvent(&*other)->kind, Kind::kExited);
  EXPECT_TRUE(other->End().ok());
  EXPECT_FALSE(guardian_->Next()) << "the first one's program still runs";
  EXPECT_THAT(other_home.Left(), IsEmpty());
}

TEST_F(GuardianTest, AnUnwritableHomeIsAnErrorThatNamesIt) {
  const auto guardian = Guardian::Start("/proc/nowhere", "x");
  ASSERT_FALSE(guardian.ok());
  EXPECT_THAT(guardian.error().message, HasSubstr("/proc/nowhere"));
}

}  // namespace
}  // namespace edgewise
