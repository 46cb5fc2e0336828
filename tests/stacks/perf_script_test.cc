#include "stacks/perf_script.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "stacks/collapsed.h"

namespace edgewise::stacks {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

Result<StackProfile> Read(std::string_view text,
                          const PerfScriptOptions& options = {},
                          size_t piece_bytes = 1 << 20) {
  PerfScriptReader reader(options);
  for (size_t at = 0; at < text.size(); at += piece_bytes) {
    reader.Feed(text.substr(at, piece_bytes));
  }
  return reader.Finish();
}

std::string Folded(std::string_view text, const PerfScriptOptions& options = {},
                   size_t piece_bytes = 1 << 20) {
  const auto profile = Read(text, options, piece_bytes);
  if (!profile) {
    return profile.error().message;
  }
  std::string folded;
  WriteCollapsed(*profile, {}, [&](std::string_view line) { folded += line; });
  return folded;
}

// One sample of `command` with one frame.
std::string Sample(const std::string& frame,
                   const std::string& command = "app") {
  return command + " 12/34 [000] 1.5: cpu-clock: \n\t  7f12 " + frame + "\n\n";
}

TEST(PerfScriptTest, TheCommandIsFirstThenTheOutermostFrame) {
  EXPECT_EQ(Folded("swapper     0 [000] 158665.570607: cpu-clock: \n"
                   "        ffffffff8103ce3b native_safe_halt "
                   "([kernel.kallsyms])\n"
                   "        ffffffff8101c6a3 default_idle "
                   "([kernel.kallsyms])\n"
                   "        ffffffff81aebbfe start_kernel "
                   "([kernel.kallsyms].init.text)\n\n"),
            "swapper;start_kernel;default_idle;native_safe_halt 1\n");
}

TEST(PerfScriptTest, EqualStacksAddUpWhateverTheirAddresses) {
  EXPECT_EQ(Folded(Sample("f+0x1 (/a)") + Sample("f+0x2f (/a)")), "app;f 2\n");
}

TEST(PerfScriptTest, BlanksInACommandBecomeUnderscores) {
  EXPECT_EQ(Folded(Sample("f (/a)", "V8 WorkerThread")),
            "V8_WorkerThread;f 1\n");
}

TEST(PerfScriptTest, PidAndTidAreAddedOnRequest) {
  const std::string with_both = Sample("f (/a)");
  const std::string tid_only = "app 34 1.5: cpu-clock:\n 7f f (/a)\n\n";
  EXPECT_EQ(Folded(with_both, {.pid = true}), "app-12;f 1\n");
  EXPECT_EQ(Folded(with_both, {.tid = true}), "app-12/34;f 1\n");
  EXPECT_EQ(Folded(tid_only, {.pid = true}), "app-?;f 1\n");
  EXPECT_EQ(Folded(tid_only, {.tid = true}), "app-?/34;f 1\n");
  EXPECT_EQ(Read(with_both)->threads.front(),
            (StackThread{12, 34, "app", "app"}));
}

TEST(PerfScriptTest, KernelAndJitAreMarkedOnRequest) {
  const std::string text =
      Sample("halt ([kernel.kallsyms])") +
      Sample("send (/lib/modules/4.3/build/vmlinux)") +
      Sample("track ([nf_conntrack_ipv4])") + Sample("js (/tmp/perf-42.map)") +
      Sample("native (/bin/app)") + Sample("x ([unknown])");
  EXPECT_EQ(Folded(text),
            "app;halt 1\napp;js 1\napp;native 1\napp;send 1\napp;track 1\n"
            "app;x 1\n");
  EXPECT_EQ(Folded(text, {.kernel_marks = true}),
            "app;halt_[k] 1\napp;js 1\napp;native 1\napp;send_[k] 1\n"
            "app;track_[k] 1\napp;x 1\n");
  EXPECT_EQ(Folded(text, {.jit_marks = true}),
            "app;halt 1\napp;js_[j] 1\napp;native 1\napp;send 1\n"
            "app;track 1\napp;x 1\n");
}

TEST(PerfScriptTest, KindsAreKnownWithoutMarks) {
  const auto kernel = Read(Sample("halt ([kernel.kallsyms])"));
  EXPECT_EQ(kernel->frames.front().kind, FrameKind::kKernel);
  EXPECT_EQ(kernel->frames.front().module, "[kernel]");
  EXPECT_EQ(Read(Sample("js (/tmp/perf-42.map)"))->frames.front().kind,
            FrameKind::kJit);
  EXPECT_EQ(Read(Sample("t ([vdso])"))->frames.front().kind,
            FrameKind::kNative);
  EXPECT_TRUE(Read(Sample("f (inlined)"))->frames.front().inlined);
}

TEST(PerfScriptTest, UnknownSymbolsAreNamedByTheirModule) {
  EXPECT_EQ(Folded(Sample("[unknown] (/usr/lib/libfoo.so.1)")),
            "app;[libfoo.so.1] 1\n");
  EXPECT_EQ(Folded(Sample("[unknown] ([unknown])")), "app;[unknown] 1\n");
  EXPECT_EQ(
      Folded(Sample("[unknown] (/usr/lib/libfoo.so.1)"), {.addresses = true}),
      "app;[libfoo.so.1 <7f12>] 1\n");
}

TEST(PerfScriptTest, NamesAreTidied) {
  const auto name = [](const std::string& symbol,
                       const std::string& command = "app") {
    std::string folded = Folded(Sample(symbol + " (/m)", command));
    folded = folded.substr(folded.find(';') + 1);
    return folded.substr(0, folded.rfind(' '));
  };
  EXPECT_EQ(name("cpu_startup_entry+0x800047c022ec"), "cpu_startup_entry");
  EXPECT_EQ(name("foo;bar"), "foo:bar");
  EXPECT_EQ(name("Foo::bar(int, char const*)+0x1f"), "Foo::bar");
  // What begins with a bracket is taken for a process name.
  EXPECT_EQ(Folded(Sample("(anonymous namespace)::f (/m)")), "app 1\n");
  EXPECT_EQ(name("a::(anonymous namespace)::f(int)"),
            "a::(anonymous namespace)::f");
  EXPECT_EQ(name("net/http.(*Client).Do"), "net/http.(*Client).Do");
  EXPECT_EQ(name("RegExp:[&<>\\\"\\']"), "RegExp:[&<>\\\\]");
  EXPECT_EQ(name("LazyCompile:~foo /home/me/app.js:12"),
            "LazyCompile:~foo /home/me/app.js:12");
  EXPECT_EQ(name("Lorg/x/Factory;.call(Lorg/x/A;)Ljava/lang/Object;", "java"),
            "org/x/Factory:.call");
  EXPECT_EQ(name("Lorg/x/Member;.<init>(Ljava/M;)V", "java"),
            "org/x/Member:.<init>");
  EXPECT_EQ(name("Lorg/x/Factory;.call", "app"), "Lorg/x/Factory:.call");
  EXPECT_EQ(name("Loop", "java"), "Loop");
}

TEST(PerfScriptTest, InlinedNamesAreFramesOfTheirOwn) {
  EXPECT_EQ(Folded(Sample("a->b->c (/tmp/perf-1.map)"), {.jit_marks = true}),
            "app;a_[j];b_[i];c_[i] 1\n");
  const auto profile = Read(Sample("a->b (/m)"));
  EXPECT_FALSE(profile->frames[0].inlined);
  EXPECT_TRUE(profile->frames[1].inlined);
}

TEST(PerfScriptTest, PeriodsAreWeights) {
  const auto profile = Read(
      "app 1 1.5: 10101010 cpu-clock:u: \n 7f f (/a)\n\n"
      "app 1 1.6: 0 cpu-clock:u: \n 7f f (/a)\n\n");
  ASSERT_TRUE(profile);
  EXPECT_EQ(profile->total(), 10101011);
  EXPECT_EQ(profile->collection.samples, 2);
  EXPECT_EQ(profile->collection.unit, "ns");
  EXPECT_EQ(profile->collection.event, "cpu-clock:u");
}

TEST(PerfScriptTest, OnlyTheFirstEventCountsUnlessOneIsAskedFor) {
  const std::string text =
      "a 1 1.5: cycles: \n 7f f (/a)\n\n"
      "a 1 1.5: instructions: \n 7f g (/a)\n\n";
  const auto profile = Read(text);
  EXPECT_EQ(Folded(text), "a;f 1\n");
  EXPECT_THAT(profile->collection.notes,
              ElementsAre(HasSubstr("only samples of the event cycles")));
  EXPECT_EQ(Folded(text, {.event = "instructions"}), "a;g 1\n");
  EXPECT_EQ(Folded(text, {.event = "faults"}),
            "has no samples of the event faults");
}

TEST(PerfScriptTest, ASampleWithoutFramesCounts) {
  EXPECT_EQ(Folded("app 1 1.5: cycles: \n\n"), "app 1\n");
}

TEST(PerfScriptTest, LineEndsOfOtherSystemsAreFine) {
  EXPECT_EQ(Folded("app 1 1.5: cycles: \r\n 7f f (/a)\r\n\r\n"), "app;f 1\n");
}

TEST(PerfScriptTest, AnEndWithinASampleIsTold) {
  const auto profile =
      Read(Sample("f (/a)") + "app 1 1.5: cpu-clock:\n 7f g (");
  ASSERT_TRUE(profile);
  EXPECT_EQ(profile->total(), 1);
  EXPECT_THAT(profile->collection.notes,
              ElementsAre(HasSubstr("1 line "), HasSubstr("ends within")));
}

TEST(PerfScriptTest, PiecesOfAnySizeGiveTheSame) {
  const std::string text = Sample("a (/m)") + Sample("b->c (/m)", "java");
  for (const size_t bytes : {1U, 2U, 7U, 64U}) {
    EXPECT_EQ(Folded(text, {}, bytes), Folded(text)) << bytes;
  }
}

TEST(PerfScriptTest, GarbageIsLeftOut) {
  std::string garbage(3 << 20, 'x');
  garbage += "\n\0\xff\xfe\n";
  const auto profile = Read(garbage + Sample("f (/a)"));
  ASSERT_TRUE(profile);
  EXPECT_EQ(profile->total(), 1);
  EXPECT_FALSE(Read("no samples\n"));
  EXPECT_FALSE(Read(""));
}

TEST(PerfScriptTest, AStackWithoutEndIsCut) {
  std::string text = "app 1 1.5: cycles:\n";
  for (int i = 0; i < 10'000; ++i) {
    text += " 7f f" + std::to_string(i) + " (/a)\n";
  }
  const auto profile = Read(text + "\n");
  ASSERT_TRUE(profile);
  EXPECT_EQ(profile->nodes.size(), 4096U);
}

TEST(PerfScriptTest, PeriodsThatDoNotAddUpAreLeftOut) {
  const std::string huge =
      "a 1 1.5: 9223372036854775807 cycles:\n 7f f (/a)\n\n";
  EXPECT_EQ(Read(huge + huge)->total(), 9223372036854775807);
}

}  // namespace
}  // namespace edgewise::stacks
