// Frames of real Python programs. $EDGEWISE_TEST_PYTHONS may name further
// interpreters (separated by colons) beside the system's.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cctype>

#include "base/text.h"
#include "python_program.h"

namespace edgewise {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::IsEmpty;
using ::testing::SizeIs;

auto Is(const std::string& function, int line, bool is_entry) {
  return AllOf(Field(&NamedFrame::function, function),
               Field(&NamedFrame::line, line),
               Field(&NamedFrame::is_entry, is_entry));
}

auto Called(const std::string& function) {
  return Field(&NamedFrame::function, function);
}

std::vector<std::string> Interpreters() {
  std::vector<std::string> paths{"/usr/bin/python3"};
  if (const char* more = getenv("EDGEWISE_TEST_PYTHONS")) {
    for (const std::string_view path : Split(more, ':')) {
      paths.emplace_back(path);
    }
  }
  return paths;
}

std::string CaseName(const ::testing::TestParamInfo<std::string>& param) {
  std::string name = param.param;
  for (char& c : name) {
    c = std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  }
  return name;
}

class PythonFramesTest : public ::testing::TestWithParam<std::string> {};

INSTANTIATE_TEST_SUITE_P(Of, PythonFramesTest,
                         ::testing::ValuesIn(Interpreters()), CaseName);

TEST_P(PythonFramesTest, ThreeCallsDeepHaveNamesFilesAndLines) {
  PythonProgram program(GetParam(), R"(
def inner():
    x = 1
    wait()  # in inner
    return x

def outer():
    return inner() + 1  # in outer

outer()  # in the module
)");
  EXPECT_EQ(program->ReadLine(), "ready");
  Watcher watcher(program->pid());
  const auto frames = watcher.Read(program->pid());
  EXPECT_THAT(
      frames,
      ElementsAre(Is("wait", program.LineOf("def wait"), false),
                  Is("inner", program.LineOf("in inner"), false),
                  Is("outer", program.LineOf("in outer"), false),
                  Is("<module>", program.LineOf("in the module"), true)));
  ASSERT_THAT(frames, SizeIs(4));
  EXPECT_EQ(frames[1].first_line, program.LineOf("def inner"));
  EXPECT_EQ(frames[2].first_line, program.LineOf("def outer"));
  for (const NamedFrame& frame : frames) {
    EXPECT_EQ(frame.file, program.path());
  }
}

TEST_P(PythonFramesTest, LaterReadsFollowTheProgram) {
  PythonProgram program(GetParam(), R"(
def first():
    wait()  # in first

def second(depth):
    if depth > 0:
        return second(depth - 1)
    wait()  # in second

first()
second(40)
first()
)");
  program->ReadLine();
  Watcher watcher(program->pid());
  const auto read = [&] { return watcher.Read(program->pid()); };
  const auto in_first = ElementsAre(
      Called("wait"), Is("first", program.LineOf("in first"), false),
      Called("<module>"));
  EXPECT_THAT(read(), in_first);
  EXPECT_THAT(read(), in_first);
  program->GoOn();
  program->ReadLine();
  auto frames = read();
  ASSERT_THAT(frames, SizeIs(43));
  EXPECT_THAT(frames[1], Is("second", program.LineOf("in second"), false));
  EXPECT_THAT(frames[41], Called("second"));
  EXPECT_THAT(read(), SizeIs(43));
  program->GoOn();
  program->ReadLine();
  EXPECT_THAT(read(), in_first);
}

TEST_P(PythonFramesTest, NamesAreQualifiedAndUnicode) {
  PythonProgram program(GetParam(), R"(
class Camera:
    class Lens:
        def größe(self): wait()
    def 読む(self): self.Lens().größe()
def 𐌰(): (lambda: Camera().読む())()
𐌰()
)");
  program->ReadLine();
  Watcher watcher(program->pid());
  EXPECT_THAT(watcher.Read(program->pid()),
              ElementsAre(Called("wait"), Called("Camera.Lens.größe"),
                          Called("Camera.読む"), Called("𐌰.<locals>.<lambda>"),
                          Called("𐌰"), Called("<module>")));
}

TEST_P(PythonFramesTest, CallbackFromNativeCodeStartsAnotherEntry) {
  PythonProgram program(GetParam(), R"(
def key(item):
    return help_key(item)
def help_key(item):
    wait()
    return item
def sort():
    return sorted([1], key=key)
sort()
)");
  program->ReadLine();
  Watcher watcher(program->pid());
  const auto frames = watcher.Read(program->pid());
  std::vector<std::pair<std::string, bool>> entries;
  for (const NamedFrame& frame : frames) {
    entries.emplace_back(frame.function, frame.is_entry);
  }
  using Entry = std::pair<std::string, bool>;
  EXPECT_THAT(entries,
              ElementsAre(Entry("wait", false), Entry("help_key", false),
                          Entry("key", true), Entry("sort", false),
                          Entry("<module>", true)));
}

TEST_P(PythonFramesTest, GeneratorsAndCoroutinesAreFollowed) {
  PythonProgram program(GetParam(), R"(
def leaf():
    wait()  # in leaf
    yield 1
def branch():
    yield from leaf()
async def task():
    for x in branch():
        pass
async def main():
    await task()  # in main
try:
    main().send(None)
except StopIteration:
    pass
)");
  program->ReadLine();
  Watcher watcher(program->pid());
  const auto frames = watcher.Read(program->pid());
  EXPECT_THAT(frames,
              ElementsAre(Called("wait"), Called("leaf"), Called("branch"),
                          Called("task"), Called("main"), Called("<module>")));
  ASSERT_THAT(frames, SizeIs(6));
  EXPECT_EQ(frames[1].line, program.LineOf("in leaf"));
  EXPECT_EQ(frames[4].line, program.LineOf("in main"));
}

TEST_P(PythonFramesTest, DeepRecursionIsCut) {
  PythonProgram program(GetParam(), R"(
sys.setrecursionlimit(3000)
def down(depth):
    if depth == 0: wait()
    else: down(depth - 1)
down(1000)
)");
  program->ReadLine();
  Watcher watcher(program->pid());
  const auto frames = watcher.Read(program->pid());
  ASSERT_THAT(frames, SizeIs(python::FrameReader::kMaxFrames + 1));
  EXPECT_EQ(frames[0].function, "wait");
  for (size_t i = 1; i < python::FrameReader::kMaxFrames; ++i) {
    EXPECT_EQ(frames[i].function, "down");
  }
  EXPECT_THAT(frames.back(), Is("[deeper]", 0, true));
}

TEST_P(PythonFramesTest, EachThreadHasItsOwnFrames) {
  PythonProgram program(GetParam(), R"(
import faulthandler
faulthandler.dump_traceback_later(1e6)  # a thread that never runs Python
gate = threading.Lock()
gate.acquire()
def work(): os.write(1, b'%d\n' % threading.get_native_id()), gate.acquire()
threading.Thread(target=work, daemon=True).start()
wait('main')
)");
  std::string first = program->ReadLine();
  const std::string second = program->ReadLine();
  if (first == "main") {
    first = second;
  }
  const auto worker = ParseInt(first);
  ASSERT_TRUE(worker) << first;
  Watcher watcher(program->pid());
  EXPECT_THAT(watcher.Read(program->pid()),
              ElementsAre(Called("wait"), Called("<module>")));
  for (int again = 0; again < 2; ++again) {
    EXPECT_THAT(
        watcher.Read(static_cast<pid_t>(*worker)),
        ElementsAre(AllOf(Called("work"),
                          Field(&NamedFrame::line, program.LineOf("def work"))),
                    Called("Thread.run"), Called("Thread._bootstrap_inner"),
                    Field(&NamedFrame::is_entry, true)));
  }
  int without = 0;
  for (const auto& task : std::filesystem::directory_iterator(
           "/proc/" + std::to_string(program->pid()) + "/task")) {
    const auto tid = ParseInt(task.path().filename().string());
    if (tid && *tid != program->pid() && *tid != *worker) {
      ++without;
      EXPECT_THAT(watcher.Read(static_cast<pid_t>(*tid)), IsEmpty());
    }
  }
  EXPECT_EQ(without, 1);
}

TEST_P(PythonFramesTest, ThreadStartedLaterIsFound) {
  PythonProgram program(GetParam(), R"(
wait()
def work(): wait(threading.get_native_id())
threading.Thread(target=work, daemon=True).start()
threading.Event().wait()
)");
  program->ReadLine();
  Watcher watcher(program->pid());
  EXPECT_THAT(watcher.Read(program->pid()), SizeIs(2));
  program->GoOn();
  const auto worker = ParseInt(program->ReadLine());
  ASSERT_TRUE(worker);
  const auto frames = watcher.Read(static_cast<pid_t>(*worker));
  ASSERT_THAT(frames, SizeIs(5));
  EXPECT_EQ(frames[1].function, "work");
}

TEST_P(PythonFramesTest, ReusedCodeAddressGetsItsNewName) {
  PythonProgram program(GetParam(), R"(
for i in range(20):
    names = {'wait': wait}
    exec(f'def made_{i}(): wait()\nmade_{i}()', names)
)");
  std::optional<Watcher> watcher;
  for (int i = 0; i < 20; ++i) {
    program->ReadLine();
    if (!watcher) {
      watcher.emplace(program->pid());
    }
    EXPECT_THAT(watcher->Read(program->pid()),
                ElementsAre(Called("wait"), Called("made_" + std::to_string(i)),
                            Called("<module>"), Called("<module>")));
    program->GoOn();
  }
}

TEST_P(PythonFramesTest, ForkedChildIsReadWithoutLookingAgain) {
  PythonProgram program(GetParam(), R"(
wait()
def in_child(): wait(os.getpid())
if os.fork() == 0:
    in_child()
    os._exit(0)
os.wait()
)");
  program->ReadLine();
  Watcher watcher(program->pid());
  EXPECT_THAT(watcher.Read(program->pid()), SizeIs(2));
  program->GoOn();
  const auto child = ParseInt(program->ReadLine());
  ASSERT_TRUE(child);
  PythonProcess forked = watcher.process().ForFork(static_cast<pid_t>(*child));
  EXPECT_THAT(
      watcher.ReadOf(forked, static_cast<pid_t>(*child)),
      ElementsAre(Called("wait"), Called("in_child"), Called("<module>")));
  program->GoOn();
}

TEST_P(PythonFramesTest, ProcessOfAnotherPidNamespaceIsRead) {
  if (geteuid() != 0) {
    GTEST_SKIP() << "needs root for a pid namespace";
  }
  PythonProgram program(GetParam(), R"(
def inside(): wait(os.getpid())
inside()
)",
                        /*new_pid_namespace=*/true);
  EXPECT_EQ(program->ReadLine(), "1");
  Watcher watcher(program->pid());
  EXPECT_THAT(
      watcher.Read(program->pid()),
      ElementsAre(Called("wait"), Called("inside"), Called("<module>")));
}

TEST_P(PythonFramesTest, EndedProgramIsNotRead) {
  auto program = std::make_unique<PythonProgram>(GetParam(), "wait()\n");
  (*program)->ReadLine();
  const pid_t pid = (*program)->pid();
  Watcher watcher(pid);
  EXPECT_THAT(watcher.Read(pid), SizeIs(2));
  program.reset();
  EXPECT_FALSE(watcher.process().Read(pid));
}

// Frames of a thread that runs on meanwhile are right or absent, never wrong.
TEST_P(PythonFramesTest, RunningThreadIsReadRightOrNotAtAll) {
  PythonProgram program(GetParam(), R"(
def leaf(n): return n + 1
def left(n): return leaf(n) + sum(leaf(i) for i in range(3))
def right(n): return max([n, 2], key=leaf)
def spin():
    wait()
    while True: left(1); right(1)
spin()
)");
  program->ReadLine();
  Watcher watcher(program->pid());
  program->GoOn();
  int read = 0;
  for (int i = 0; i < 2000; ++i) {
    const auto frames = watcher.process().Read(program->pid());
    if (!frames) {
      continue;
    }
    ++read;
    ASSERT_GE(frames->size(), 2u);  // the module and spin, always
    ASSERT_LE(frames->size(), 6u);
    ASSERT_NE(frames->back().is_entry, 0u);
  }
  EXPECT_GT(read, 1000);
  RecordProperty("read_of_2000", read);
  for (const auto& code : watcher.codes().TakeNew()) {
    EXPECT_THAT(code.function,
                ::testing::AnyOf("leaf", "left", "right", "spin", "wait",
                                 "left.<locals>.<genexpr>", "<module>"));
  }
}

}  // namespace
}  // namespace edgewise
