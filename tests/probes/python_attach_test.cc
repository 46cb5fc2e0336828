// Which processes are Python, and why some may not be looked into.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/text.h"
#include "probes/python/refusal.h"
#include "python_program.h"

namespace edgewise {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

constexpr char kPython[] = "/usr/bin/python3";

// Waits for the program to run: `cat` answers once it does.
void Answer(Program& program) {
  program.GoOn();
  program.ReadLine();
}

TEST(PythonAttachTest, OtherProgramsAreNotPython) {
  Program cat({"/bin/cat"});
  Answer(cat);
  PythonCodes codes;
  const auto attached = PythonProcess::Attach(cat.pid(), &codes);
  ASSERT_TRUE(attached.ok()) << attached.error().message;
  EXPECT_FALSE(attached->has_value());
}

TEST(PythonAttachTest, OldVersionIsNamed) {
  TempFolder folder;
  const fs::path old = folder.path() / "python3.6";
  fs::copy_file("/bin/cat", old);
  Program program({old});
  Answer(program);
  PythonCodes codes;
  const auto attached = PythonProcess::Attach(program.pid(), &codes);
  ASSERT_FALSE(attached.ok());
  EXPECT_EQ(attached.error().code, ErrorCode::kUnsupported);
  EXPECT_THAT(attached.error().message, HasSubstr("Python 3.6"));
}

TEST(PythonAttachTest, ProcessThatEndedIsNotFound) {
  pid_t pid = -1;
  {
    Program cat({"/bin/cat"});
    pid = cat.pid();
  }
  PythonCodes codes;
  const auto attached = PythonProcess::Attach(pid, &codes);
  ASSERT_FALSE(attached.ok());
  EXPECT_EQ(attached.error().code, ErrorCode::kNotFound);
}

TEST(PythonAttachTest, VersionIsTold) {
  PythonProgram program(kPython, "wait(sys.version_info[1])\n");
  const std::string minor = program->ReadLine();
  Watcher watcher(program->pid());
  EXPECT_EQ(std::to_string(watcher.process().version().minor), minor);
}

// By its section .PyRuntime.
TEST(PythonAttachTest, RenamedAndDeletedInterpreterIsFound) {
  TempFolder folder;
  const fs::path copy = folder.path() / "embedder";
  fs::copy_file(fs::canonical(kPython), copy);
  setenv("PYTHONHOME", "/usr", 1);
  PythonProgram program(copy, "wait()\n");
  unsetenv("PYTHONHOME");
  program->ReadLine();
  fs::remove(copy);
  Watcher watcher(program->pid());
  EXPECT_THAT(watcher.Read(program->pid()), SizeIs(2));
}

// What another user's process is told, by a child that gives up root.
std::string MessageForAnotherUser(pid_t pid) {
  int out[2];
  EXPECT_EQ(pipe(out), 0);
  const pid_t child = fork();
  if (child == 0) {
    constexpr uid_t kNobody = 65534;
    PythonCodes codes;
    std::string message = "could not give up root";
    if (setresgid(kNobody, kNobody, kNobody) == 0 &&
        setresuid(kNobody, kNobody, kNobody) == 0) {
      const auto attached = PythonProcess::Attach(pid, &codes);
      message = attached.ok() ? "attached" : attached.error().message;
    }
    _exit(write(out[1], message.data(), message.size()) > 0 ? 0 : 1);
  }
  close(out[1]);
  std::string message(1024, '\0');
  const ssize_t bytes = read(out[0], message.data(), message.size());
  message.resize(static_cast<size_t>(std::max<ssize_t>(bytes, 0)));
  close(out[0]);
  waitpid(child, nullptr, 0);
  return message;
}

TEST(PythonAttachTest, AnotherUsersProcessNamesTheUser) {
  if (geteuid() != 0) {
    GTEST_SKIP() << "needs root to become another user";
  }
  PythonProgram program(kPython, "wait()\n");
  program->ReadLine();
  EXPECT_THAT(MessageForAnotherUser(program->pid()),
              AllOf(HasSubstr("belongs to user 0"), HasSubstr("root")));
}

// /proc as far as a refusal looks at it.
class PythonRefusalTest : public ::testing::Test {
 protected:
  void Put(const fs::path& file, const std::string& text) {
    fs::create_directories((folder_.path() / file).parent_path());
    std::ofstream(folder_.path() / file) << text;
  }
  std::string Message() {
    return python::WhyRefused(7, ErrorCode::kPermission, folder_.path())
        .message;
  }
  TempFolder folder_;
};

TEST_F(PythonRefusalTest, PtraceScopeIsNamedWithItsValue) {
  Put("7/comm", "python3\n");
  Put("7/status", "Uid:\t" + std::to_string(geteuid()) + "\t0\t0\t0\n");
  Put("sys/kernel/yama/ptrace_scope", "2\n");
  EXPECT_THAT(Message(), AllOf(HasSubstr("process 7 (python3)"),
                               HasSubstr("kernel.yama.ptrace_scope is 2")));
}

TEST_F(PythonRefusalTest, WithoutASettingInTheWayTheCapabilityIsNamed) {
  Put("7/status", "Uid:\t" + std::to_string(geteuid()) + "\t0\t0\t0\n");
  Put("sys/kernel/yama/ptrace_scope", "0\n");
  EXPECT_THAT(Message(), HasSubstr("CAP_SYS_PTRACE"));
}

TEST(PythonFilesTest, NamesThatMayHoldPython) {
  EXPECT_TRUE(MayHoldPython("/usr/bin/python3.11"));
  EXPECT_TRUE(MayHoldPython("/usr/lib/libpython3.11.so.1.0"));
  EXPECT_TRUE(MayHoldPython("/opt/venv/bin/python"));
  EXPECT_FALSE(MayHoldPython("/usr/lib/python3/dist-packages/_x.so"));
  EXPECT_FALSE(MayHoldPython("/usr/bin/cat"));
  EXPECT_FALSE(MayHoldPython(""));
}

TEST(PythonFilesTest, VersionInName) {
  using python::Version;
  using python::VersionInName;
  EXPECT_EQ(VersionInName("/usr/bin/python3.11"), (Version{3, 11}));
  EXPECT_EQ(VersionInName("libpython2.7.so.1.0"), (Version{2, 7}));
  EXPECT_EQ(VersionInName("/a/python3.6m"), (Version{3, 6}));
  EXPECT_EQ(VersionInName("/a/python3"), std::nullopt);
  EXPECT_EQ(VersionInName("/a/libpython3.so"), std::nullopt);
  EXPECT_EQ(VersionInName("/a/python3.99999999999999"), std::nullopt);
}

TEST(PythonFilesTest, MappingsWithBlanksAndTheExecutableAreFound) {
  const auto files = python::FindPythonFiles(
      "00400000-0041f000 r--p 00000000 fe:00 7   /my apps/camera\n"
      "0041f000-0051f000 r-xp 0001f000 fe:00 7   /my apps/camera\n"
      "7f00000000-7f00001000 r--p 00002000 fe:00 9 /l/libpython3.11.so.1.0\n"
      "7f00001000-7f00002000 r-xp 00003000 fe:00 9 /l/libpython3.11.so.1.0\n"
      "7fff000000-7fff001000 rw-p 00000000 00:00 0 [stack]\n"
      "rubbish /python3\n",
      "/my apps/camera");
  ASSERT_THAT(files, SizeIs(2));
  EXPECT_EQ(files[0].path, "/l/libpython3.11.so.1.0");
  EXPECT_EQ(files[0].range, "7f00000000-7f00001000");
  EXPECT_EQ(files[0].start, 0x7f00000000u);
  EXPECT_EQ(files[0].file_offset, 0x2000u);
  EXPECT_EQ(files[1].path, "/my apps/camera");
  EXPECT_EQ(files[1].start, 0x400000u);
}

}  // namespace
}  // namespace edgewise
