#include "probes/stacks/stack_sampler.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <set>

#include "base/clock.h"
#include "probes/stacks/mapped_files.h"
#include "stacks/spool.h"

namespace edgewise {
namespace {

using stacks::SpoolReader;

// A child that does nothing but use the CPU.
class SpinningChild {
 public:
  SpinningChild() : pid_(::fork()) {
    if (pid_ == 0) {
      ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // whatever becomes of the test
      volatile uint64_t spins = 0;
      while (true) {
        spins = spins + 1;
      }
    }
  }
  ~SpinningChild() {
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }
  pid_t pid() const { return pid_; }

 private:
  pid_t pid_;
};

class StackSamplerTest : public ::testing::Test {
 protected:
  void SetUp() override {
    spool_ = std::filesystem::temp_directory_path() /
             ("sampler-test-" + std::to_string(::getpid()));
  }
  void TearDown() override { std::filesystem::remove(spool_); }

  SamplingTarget Attached(pid_t pid) {
    SamplingTarget target;
    target.pid = pid;
    target.attached = true;
    target.processes = {pid};
    return target;
  }

  // Until the spool has some samples.
  void Collect(StackSampler& sampler, uint64_t bytes) {
    while (sampler.spool_bytes() < bytes) {
      ::poll(nullptr, 0, 5);
      sampler.Drain(MonotonicNs());
    }
    sampler.Stop(MonotonicNs());
  }

  std::filesystem::path spool_;
};

TEST_F(StackSamplerTest, SpinningProgramIsSampledWithItsFiles) {
  const SpinningChild child;
  StackSamplerOptions options;
  options.rate_hz = 999;
  auto sampler = StackSampler::Open(Attached(child.pid()), options, spool_);
  if (!sampler) {
    GTEST_SKIP() << sampler.error().message;
  }
  Collect(**sampler, 300000);

  auto reader = SpoolReader::Open(spool_);
  ASSERT_TRUE(reader) << reader.error().message;
  int samples = 0;
  std::set<std::string> files;
  std::set<uint32_t> mapped;
  for (auto kind = reader->Next(); kind != SpoolReader::Kind::kEnd;
       kind = reader->Next()) {
    if (kind == SpoolReader::Kind::kSample) {
      ++samples;
      EXPECT_EQ(reader->sample.pid, child.pid());
      EXPECT_EQ(reader->sample.weight, 1u);
      EXPECT_FALSE(reader->sample.registers.empty());
      EXPECT_GT(reader->sample.stack.size(), 100u);
      EXPECT_NE(reader->sample.user_ip, 0u);
    } else if (kind == SpoolReader::Kind::kFile) {
      files.insert(reader->file.path);
    } else if (kind == SpoolReader::Kind::kMap) {
      mapped.insert(reader->map.file);
    }
  }
  EXPECT_GE(samples, 20);
  EXPECT_TRUE(
      files.contains(std::filesystem::read_symlink("/proc/self/exe").string()));
  EXPECT_TRUE(files.contains("[vdso]"));
  EXPECT_EQ(files.size(), mapped.size());
  EXPECT_GE((*sampler)->Descriptors().size(), 2u);
}

TEST_F(StackSamplerTest, LongRunKeepsFewerSamplesThatCountForMore) {
  const SpinningChild child;
  StackSamplerOptions options;
  options.rate_hz = 4000;
  options.stage_bytes = 200000;
  auto sampler = StackSampler::Open(Attached(child.pid()), options, spool_);
  if (!sampler) {
    GTEST_SKIP() << sampler.error().message;
  }
  Collect(**sampler, 700000);

  auto reader = SpoolReader::Open(spool_);
  ASSERT_TRUE(reader) << reader.error().message;
  uint32_t last = 1;
  for (auto kind = reader->Next(); kind != SpoolReader::Kind::kEnd;
       kind = reader->Next()) {
    if (kind == SpoolReader::Kind::kSample) {
      EXPECT_GE(reader->sample.weight, last);
      last = reader->sample.weight;
    }
  }
  EXPECT_GE(last, 4u);
  EXPECT_THAT(
      (*sampler)->notes(),
      ::testing::Contains(::testing::HasSubstr("towards the end one in")));
}

TEST_F(StackSamplerTest, ProcessThatIsGoneIsAnError) {
  pid_t pid = 0;
  {
    const SpinningChild child;
    pid = child.pid();
  }
  SamplingTarget target;
  target.pid = pid;  // not attached: one event on the process itself
  EXPECT_FALSE(StackSampler::Open(target, {}, spool_));
}

TEST(MappedFilesTest, OwnMappingsAreFoundAndOpened) {
  std::vector<std::string> names;
  const auto maps = ReadExecutableMaps(::getpid(), &names);
  ASSERT_FALSE(maps.empty());
  const auto path = std::filesystem::temp_directory_path() /
                    ("mapped-files-" + std::to_string(::getpid()));
  auto spool = stacks::SpoolWriter::Create(path, 1 << 20);
  ASSERT_TRUE(spool);
  MappedFiles files;
  std::set<uint32_t> ids;
  for (const PerfRecord& map : maps) {
    ids.insert(files.IdOf(map, *spool));
  }
  // Asked again, nothing is opened again.
  for (const PerfRecord& map : maps) {
    EXPECT_TRUE(ids.contains(files.IdOf(map, *spool)));
  }
  EXPECT_LE(files.Descriptors().size(), ids.size());
  EXPECT_GE(files.Descriptors().size(), 2u);
  std::filesystem::remove(path);
}

TEST(SampledTreeTest, ChildrenOfMembersAreMembers) {
  SampledTree tree({10});
  PerfRecord record;
  record.kind = RecordKind::kSample;
  record.pid = 11;
  EXPECT_FALSE(tree.Takes(record));
  record.kind = RecordKind::kFork;
  record.parent_pid = 10;
  EXPECT_TRUE(tree.Takes(record));
  record.kind = RecordKind::kSample;
  EXPECT_TRUE(tree.Takes(record));
  record.kind = RecordKind::kExit;
  record.tid = 11;
  EXPECT_TRUE(tree.Takes(record));
  record.kind = RecordKind::kSample;
  EXPECT_FALSE(tree.Takes(record));
}

}  // namespace
}  // namespace edgewise
