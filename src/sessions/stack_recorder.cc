#include "sessions/stack_recorder.h"

#include <sched.h>
#include <sys/eventfd.h>

#include <chrono>
#include <system_error>
#include <utility>

#include "base/clock.h"
#include "controls/policy.h"
#include "symbols/fold_in_child.h"

namespace edgewise {
namespace {

constexpr const char* kFolder = "spool";
constexpr const char* kExtension = ".stacks";
// Unwinding takes seconds for a long run; a file made to be slow costs no more
// than this.
constexpr std::chrono::minutes kFoldLimit(5);
constexpr uint64_t kEndBit = 1;
constexpr uint64_t kSampleBit = 2;
// The lowest that is real-time: above everything ordinary, below what the user
// has made urgent.
constexpr int kSamplerPriority = 1;

Result<stacks::StackProfile> FoldFile(const std::filesystem::path& path,
                                      const symbols::FoldOptions& options) {
  auto spool = stacks::SpoolReader::Open(path);
  if (!spool) {
    return spool.error();
  }
  return symbols::FoldSpoolInChild(*spool, options, kFoldLimit);
}

}  // namespace

StackRecorder::StackRecorder(std::unique_ptr<StackSampler> sampler,
                             double rate_hz, std::filesystem::path spool)
    : sampler_(std::move(sampler)),
      rate_hz_(rate_hz),
      spool_(std::move(spool)) {}

StackRecorder::~StackRecorder() {
  EndThread();
  std::error_code ignored;
  std::filesystem::remove(spool_, ignored);
}

Result<std::unique_ptr<StackRecorder>> StackRecorder::Open(
    const SamplingTarget& target, const StackSamplerOptions& options,
    const std::filesystem::path& home, const std::string& run_id) {
  std::error_code failed;
  std::filesystem::create_directories(home / kFolder, failed);
  if (failed) {
    return Error{ErrorCode::kIo, "cannot make the folder " +
                                     (home / kFolder).string() + ": " +
                                     failed.message()};
  }
  const std::filesystem::path spool = home / kFolder / (run_id + kExtension);
  auto sampler = StackSampler::Open(target, options, spool);
  if (!sampler) {
    return sampler.error();
  }
  return std::unique_ptr<StackRecorder>(
      new StackRecorder(std::move(*sampler), options.rate_hz, spool));
}

void StackRecorder::Start() {
  end_.reset(::eventfd(0, EFD_CLOEXEC));
  thread_ = std::thread([this] { TakeSamples(); });
}

void StackRecorder::TakeSamples() {
  waits_.Add(end_.get(), kEndBit);
  sampler_->WakeThrough(waits_.epoll_fd(), kSampleBit);
  bool at_once = false;
  uint64_t ready = 0;
  while ((ready & kEndBit) == 0) {
    ready = waits_.Wait(sampler_->drain_every_ns());
    sampler_->Drain(MonotonicNs());
    if (!at_once && sampler_->reads_python()) {
      at_once = true;
      // Only where permitted; it matters on a busy machine.
      (void)SetPolicy(0, SCHED_FIFO | SCHED_RESET_ON_FORK, kSamplerPriority);
    }
  }
}

void StackRecorder::EndThread() {
  if (thread_.joinable()) {
    ::eventfd_write(end_.get(), 1);
    thread_.join();
  }
}

void StackRecorder::Stop(int64_t now_ns) {
  EndThread();
  sampler_->Stop(now_ns);
}

Result<stacks::StackProfile> StackRecorder::Fold() {
  symbols::FoldOptions options;
  options.open_files = sampler_->Descriptors();
  auto profile = FoldFile(spool_, options);
  if (!profile) {
    return profile;
  }
  stacks::Collection& collection = profile->collection;
  collection.event = "cpu-clock";
  collection.rate_hz = rate_hz_;
  collection.spool_bytes = static_cast<int64_t>(sampler_->spool_bytes());
  const std::vector<std::string> notes = sampler_->notes();
  collection.notes.insert(collection.notes.begin(), notes.begin(), notes.end());
  return profile;
}

void RecoverStacks(Store& store) {
  std::error_code failed;
  for (const auto& entry :
       std::filesystem::directory_iterator(store.home() / kFolder, failed)) {
    const std::filesystem::path& spool = entry.path();
    if (spool.extension() != kExtension) {
      continue;
    }
    const auto run = store.Find(spool.stem().string());
    if (run && run->state == RunState::kRunning) {
      continue;  // somebody is writing it
    }
    if (run) {
      auto profile = FoldFile(spool, {});
      if (profile && profile->total() > 0) {
        profile->collection.event = "cpu-clock";
        profile->collection.rate_hz = run->conditions.stack_hz;
        profile->collection.notes.emplace_back(
            "recovered after edgewise was killed");
        (void)store.SetStacks(run->id, *profile);
      }
    }
    std::error_code ignored;
    std::filesystem::remove(spool, ignored);
  }
}

}  // namespace edgewise
