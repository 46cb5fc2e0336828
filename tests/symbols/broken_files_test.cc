// Files that are gone, replaced, or not what they seem.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "base/text.h"
#include "nested_calls.h"
#include "own_sample.h"
#include "symbols/elf_file.h"
#include "symbols/symbol_table.h"
#include "symbols/unwind_table.h"

namespace edgewise::symbols {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

uint64_t InodeOf(const std::string& path) {
  struct stat status {};
  return stat(path.c_str(), &status) == 0 ? status.st_ino : 0;
}

// A sample of this program, which the spool says runs from a copy of it.
class BrokenFilesTest : public ::testing::Test {
 protected:
  BrokenFilesTest() : copy_(spool_.path() + ".copy") {
    const std::string own = std::filesystem::read_symlink("/proc/self/exe");
    std::filesystem::copy_file(own, copy_);
    maps_ = ReadOwnMaps();
    program_ = std::find_if(
        maps_.files.begin(), maps_.files.end(),
        [&](const stacks::SpooledFile& file) { return file.path == own; });
    program_->path = copy_;
    program_->inode = InodeOf(copy_);
    nested::Outermost([&] { sample_ = TakeOwnSample(); });
  }
  ~BrokenFilesTest() override { std::filesystem::remove(copy_); }

  stacks::StackProfile Fold() {
    spool_.Add(maps_);
    spool_.Add(sample_);
    return spool_.Fold(options_);
  }

  SpoolUnderTest spool_;
  std::string copy_;
  OwnMaps maps_;
  std::vector<stacks::SpooledFile>::iterator program_;
  OwnSample sample_;
  FoldOptions options_;
};

TEST_F(BrokenFilesTest, DeletedFileIsReadThroughItsDescriptor) {
  const UniqueFd fd(open(copy_.c_str(), O_RDONLY | O_CLOEXEC));
  options_.open_files[program_->id] = fd.get();
  std::filesystem::remove(copy_);
  program_->path += " (deleted)";
  const auto profile = Fold();
  EXPECT_THAT(FunctionsOf(profile), Contains("nested::Outermost"));
  EXPECT_EQ(profile.collection.reached_root, 1);
  EXPECT_THAT(profile.collection.notes, IsEmpty());
}

TEST_F(BrokenFilesTest, ReplacedFileGivesOffsetsAndOneNote) {
  program_->inode += 1;
  const auto profile = Fold();
  EXPECT_THAT(
      FunctionsOf(profile),
      AllOf(Not(Contains("nested::Outermost")),
            Contains(StartsWith(
                std::filesystem::path(copy_).filename().string() + "+0x"))));
  EXPECT_FALSE(StackOf(profile).back().named);
  EXPECT_EQ(StackOf(profile).back().module, copy_);
  EXPECT_THAT(profile.collection.notes,
              ElementsAre(AllOf(HasSubstr(copy_), HasSubstr("replaced"))));
}

TEST_F(BrokenFilesTest, AFileThatCouldNotBeOpenedSaysWhy) {
  std::filesystem::remove(copy_);
  program_->why_not = "its mount namespace is gone";
  EXPECT_THAT(Fold().collection.notes,
              ElementsAre(AllOf(HasSubstr(copy_),
                                HasSubstr("its mount namespace is gone"))));
}

TEST_F(BrokenFilesTest, AFileThatIsNoElfGivesOffsets) {
  std::ofstream(copy_, std::ios::trunc) << "#!/bin/sh\n";
  const auto profile = Fold();
  EXPECT_THAT(profile.collection.notes, ElementsAre(HasSubstr("ELF")));
}

TEST_F(BrokenFilesTest, APipeOfThatNameIsNotWaitedFor) {
  std::filesystem::remove(copy_);
  ASSERT_EQ(mkfifo(copy_.c_str(), 0600), 0);
  program_->inode = InodeOf(copy_);
  EXPECT_THAT(Fold().collection.notes,
              ElementsAre(HasSubstr("not a regular file")));
}

// Every byte of the library's headers and tables, changed one at a time.
TEST(HostileElfTest, NoChangedByteDoesHarm) {
  const std::string whole = TryReadFile(EDGEWISE_STRIPPED_LIBRARY).value_or("");
  ASSERT_GT(whole.size(), 1000U);
  size_t readable = 0;
  for (size_t at = 0; at < whole.size(); at += 3) {
    std::string bytes = whole;
    bytes[at] = static_cast<char>(~bytes[at]);
    auto elf = ElfFile::Read(FileBytes(bytes), "library");
    if (!elf) {
      continue;
    }
    ++readable;
    const UnwindTable unwind(*elf);
    const SymbolTable symbols(*elf, nullptr);
    for (uint64_t va = 0x1000; va < 0x1200; va += 16) {
      (void)unwind.RowAt(va);
      (void)symbols.NameAt(va);
    }
  }
  EXPECT_GT(readable, whole.size() / 4);
}

TEST(HostileElfTest, NoCutFileDoesHarm) {
  const std::string whole = TryReadFile(EDGEWISE_CALLBACK_LIBRARY).value_or("");
  for (size_t size = 0; size < whole.size(); size += 97) {
    auto elf = ElfFile::Read(FileBytes(whole.substr(0, size)), "library");
    if (elf) {
      (void)UnwindTable(*elf).RowAt(0x1100);
      (void)SymbolTable(*elf, nullptr).NameAt(0x1100);
    }
  }
}

TEST(ElfFileTest, OtherFilesAreRefusedByName) {
  const auto elf = ElfFile::Read(FileBytes("MZ"), "setup.exe");
  ASSERT_FALSE(elf.ok());
  EXPECT_EQ(elf.error().message, "setup.exe is not a 64-bit ELF file.");
}

TEST(ElfFileTest, TheKernelsOwnCodeIsRead) {
  const auto vdso = ElfFile::OwnVdso();
  ASSERT_TRUE(vdso);
  const UnwindTable unwind(*vdso);
  EXPECT_GT(SymbolTable(*vdso, nullptr).size(), 0U);
  EXPECT_GT(unwind.functions(), 0U);
}

}  // namespace
}  // namespace edgewise::symbols
