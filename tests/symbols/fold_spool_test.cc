// Stacks of this very process, unwound and named.
#include "symbols/fold_spool.h"

#include <dlfcn.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <thread>

#include "nested_calls.h"
#include "own_sample.h"

namespace edgewise::symbols {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::EndsWith;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

// One sample, taken inside `call`, folded with this process's maps.
stacks::StackProfile FoldOne(
    const std::function<void(const nested::Work&)>& call,
    size_t max_stack_bytes = 64 * 1024) {
  SpoolUnderTest spool;
  OwnSample sample;
  call([&] { sample = TakeOwnSample(max_stack_bytes); });
  spool.Add(ReadOwnMaps());
  spool.Add(sample);
  return spool.Fold();
}

// Those of `wanted` that are in `functions`, in the order they are there.
std::vector<std::string> Among(const std::vector<std::string>& functions,
                               const std::vector<std::string>& wanted) {
  std::vector<std::string> found;
  for (const std::string& function : functions) {
    if (std::find(wanted.begin(), wanted.end(), function) != wanted.end()) {
      found.push_back(function);
    }
  }
  return found;
}

TEST(FoldSpoolTest, NamesEveryFunctionFromTheRootOn) {
  const auto profile =
      FoldOne([](const auto& work) { nested::Outermost(work); });
  const std::vector<std::string> expected = {
      "main", "nested::Outermost", "nested::Middle<int>",
      "nested::(anonymous namespace)::Local",
      "edgewise::symbols::TakeOwnSample"};
  EXPECT_EQ(Among(FunctionsOf(profile), expected), expected);
  EXPECT_EQ(FunctionsOf(profile).back(), expected.back());
  EXPECT_EQ(profile.collection.reached_root, 1);
  EXPECT_EQ(profile.collection.samples, 1);
  EXPECT_EQ(profile.collection.truncated + profile.collection.broken, 0);
  EXPECT_THAT(profile.collection.notes, IsEmpty());
  EXPECT_GT(profile.collection.unwind_s.value_or(0), 0);
}

TEST(FoldSpoolTest, FramesKnowTheirFileAndLines) {
  const auto profile =
      FoldOne([](const auto& work) { nested::Outermost(work); });
  const auto stack = StackOf(profile);
  const auto frame = std::find_if(
      stack.begin(), stack.end(),
      [](const stacks::Frame& f) { return f.function == "nested::Outermost"; });
  ASSERT_NE(frame, stack.end());
  EXPECT_THAT(frame->module, EndsWith("symbols_test"));
  EXPECT_THAT(frame->file, EndsWith("nested_calls.cc"));
  EXPECT_GT(frame->first_line, 1);
  EXPECT_EQ(frame->line, frame->first_line + 1);
  EXPECT_EQ(frame->kind, stacks::FrameKind::kNative);
  EXPECT_TRUE(frame->named);
  EXPECT_FALSE(frame->inlined);
}

TEST(FoldSpoolTest, InlinedFunctionsAreFramesOfTheirOwn) {
  const auto profile =
      FoldOne([](const auto& work) { nested::CallsInlined(work); });
  const auto stack = StackOf(profile);
  const auto outer =
      std::find_if(stack.begin(), stack.end(), [](const stacks::Frame& f) {
        return f.function == "nested::CallsInlined";
      });
  ASSERT_GE(stack.end() - outer, 4);
  EXPECT_FALSE(outer[0].inlined);
  EXPECT_THAT(outer[1].function, HasSubstr("InlinedOuter"));
  EXPECT_TRUE(outer[1].inlined);
  EXPECT_THAT(outer[2].function, HasSubstr("InlinedInner"));
  EXPECT_TRUE(outer[2].inlined);
  EXPECT_EQ(outer[2].line, outer[2].first_line + 1);
  EXPECT_EQ(outer[1].line, outer[1].first_line + 1);
}

TEST(FoldSpoolTest, StepsThroughASignalHandler) {
  const auto profile =
      FoldOne([](const auto& work) { nested::Interrupted(work); });
  const std::vector<std::string> expected = {
      "main", "nested::Interrupted", "nested::(anonymous namespace)::Handler",
      "edgewise::symbols::TakeOwnSample"};
  EXPECT_EQ(Among(FunctionsOf(profile), expected), expected);
  EXPECT_EQ(profile.collection.reached_root, 1);
}

TEST(FoldSpoolTest, ThreadsReachTheirRoot) {
  const auto profile = FoldOne([](const auto& work) {
    std::thread([&] { nested::Outermost(work); }).join();
  });
  EXPECT_THAT(FunctionsOf(profile), Contains("nested::Outermost"));
  EXPECT_THAT(FunctionsOf(profile), Not(Contains("main")));
  EXPECT_EQ(profile.collection.reached_root, 1);
}

TEST(FoldSpoolTest, CutStackBeginsWithAMark) {
  const auto profile =
      FoldOne([](const auto& work) { nested::Outermost(work); }, 2000);
  EXPECT_EQ(profile.collection.truncated, 1);
  EXPECT_EQ(profile.collection.reached_root, 0);
  const auto stack = StackOf(profile);
  EXPECT_EQ(stack.front().function, "[truncated]");
  EXPECT_EQ(stack.front().kind, stacks::FrameKind::kMark);
  EXPECT_EQ(stack.back().function, "edgewise::symbols::TakeOwnSample");
}

TEST(FoldSpoolTest, WithoutAnyStackTheInnermostIsNamed) {
  const auto profile =
      FoldOne([](const auto& work) { nested::Outermost(work); }, 0);
  EXPECT_EQ(profile.collection.broken, 1);
  EXPECT_EQ(FunctionsOf(profile),
            (std::vector<std::string>{"[unknown]",
                                      "edgewise::symbols::TakeOwnSample"}));
}

TEST(FoldSpoolTest, TooDeepStacksAreCut) {
  SpoolUnderTest spool;
  OwnSample sample;
  nested::Outermost([&] { sample = TakeOwnSample(); });
  spool.Add(ReadOwnMaps());
  spool.Add(sample);
  FoldOptions options;
  options.max_frames = 3;
  const auto profile = spool.Fold(options);
  EXPECT_EQ(profile.collection.truncated, 1);
  EXPECT_EQ(FunctionsOf(profile).front(), "[truncated]");
}

OwnSample* library_sample = nullptr;

// Takes a sample below CallBack() of the library at `path`.
stacks::StackProfile FoldInLibrary(const char* path) {
  void* library = dlopen(path, RTLD_NOW);
  if (library == nullptr) {
    ADD_FAILURE() << dlerror();
    return {};
  }
  const auto call_back =
      reinterpret_cast<void (*)(void (*)())>(dlsym(library, "CallBack"));
  SpoolUnderTest spool;
  OwnSample sample;
  library_sample = &sample;
  call_back([] { *library_sample = TakeOwnSample(); });
  spool.Add(ReadOwnMaps());
  spool.Add(sample);
  dlclose(library);
  return spool.Fold();
}

TEST(FoldSpoolTest, LibrariesHaveNames) {
  const auto profile = FoldInLibrary(EDGEWISE_CALLBACK_LIBRARY);
  EXPECT_THAT(FunctionsOf(profile),
              AllOf(Contains("main"), Contains("CallBack"),
                    Contains("(anonymous namespace)::InsideLibrary")));
}

TEST(FoldSpoolTest, StrippedLibraryShowsOffsetsAndIsUnwound) {
  const auto profile = FoldInLibrary(EDGEWISE_STRIPPED_LIBRARY);
  const auto stack = StackOf(profile);
  EXPECT_THAT(FunctionsOf(profile),
              AllOf(Contains("main"), Contains("CallBack")));
  const auto unnamed =
      std::find_if(stack.begin(), stack.end(), [](const stacks::Frame& f) {
        return f.function.starts_with("symbols_callback_stripped.so+0x");
      });
  ASSERT_NE(unnamed, stack.end());
  EXPECT_FALSE(unnamed->named);
  EXPECT_EQ(unnamed->module, EDGEWISE_STRIPPED_LIBRARY);
  EXPECT_EQ(profile.collection.reached_root, 1);
  EXPECT_THAT(profile.collection.notes, IsEmpty());
}

}  // namespace
}  // namespace edgewise::symbols
