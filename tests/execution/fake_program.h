// A program's side of a slot, in a thread of the test: runs jobs as told.
#ifndef EDGEWISE_TESTS_EXECUTION_FAKE_PROGRAM_H_
#define EDGEWISE_TESTS_EXECUTION_FAKE_PROGRAM_H_

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>

#include <functional>
#include <string>
#include <thread>

#include "base/clock.h"
#include "base/unique_fd.h"
#include "client/futex.h"
#include "client/release_layout.h"
#include "execution/release_file.h"

namespace edgewise {

class FakeProgram {
 public:
  // `job` is called for each release, with its number; false: the job never
  // ends.
  FakeProgram(ReleaseFile& file, uint32_t slot,
              std::function<bool(uint32_t)> job)
      : job_(std::move(job)) {
    const std::string variable = file.VariableOf(slot);
    const std::string path = variable.substr(variable.find(':') + 1);
    const UniqueFd fd(::open(path.c_str(), O_RDWR | O_CLOEXEC));
    EXPECT_TRUE(fd.valid()) << path;
    header_ = static_cast<client::ReleasesHeader*>(
        ::mmap(nullptr, client::ReleasesBytes(slot + 1), PROT_READ | PROT_WRITE,
               MAP_SHARED, fd.get(), 0));
    slot_ = reinterpret_cast<client::ReleaseSlot*>(header_ + 1) + slot;
    slot_->tid.store(1);
    thread_ = std::thread([this] { Loop(); });
  }
  ~FakeProgram() {
    slot_->stop.store(1);
    slot_->released.fetch_add(1);
    client::FutexWake(slot_->released);
    thread_.join();
  }
  FakeProgram(const FakeProgram&) = delete;
  FakeProgram& operator=(const FakeProgram&) = delete;

 private:
  void Loop() {
    uint32_t seen = 0;
    while (slot_->stop.load() == 0) {
      const uint32_t released = slot_->released.load();
      if (released == seen) {
        const int64_t until_ns = MonotonicNs() + kNsPerSecond;
        (void)client::FutexWaitUntil(
            slot_->released, released,
            {until_ns / kNsPerSecond, until_ns % kNsPerSecond});
        continue;
      }
      seen = released;
      if (slot_->stop.load() != 0) {
        return;
      }
      slot_->start_ns.store(static_cast<uint64_t>(MonotonicNs()));
      slot_->started.store(released);
      if (!job_(released)) {
        continue;
      }
      slot_->end_ns.store(static_cast<uint64_t>(MonotonicNs()));
      slot_->cpu_ns.store(1000);
      slot_->done.store(released);
      header_->doorbell.fetch_add(1);
      client::FutexWake(header_->doorbell);
    }
  }

  std::function<bool(uint32_t)> job_;
  client::ReleasesHeader* header_ = nullptr;
  client::ReleaseSlot* slot_ = nullptr;
  std::thread thread_;
};

}  // namespace edgewise

#endif  // EDGEWISE_TESTS_EXECUTION_FAKE_PROGRAM_H_
