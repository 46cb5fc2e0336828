// JobRecord: what became of one job, and JobQueue, through which dispatchers
// hand them over.
#ifndef EDGEWISE_EXECUTION_JOB_RECORD_H_
#define EDGEWISE_EXECUTION_JOB_RECORD_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace edgewise {

// Times are CLOCK_MONOTONIC nanoseconds.
struct JobRecord {
  uint32_t task = 0;    // index in the plan
  uint32_t number = 0;  // of the task's jobs, from 1
  int64_t release_ns = 0;
  int64_t deadline_ns = 0;    // absolute
  int64_t dispatched_ns = 0;  // when the executor let it go
  int64_t start_ns = 0;       // as the program says, checked
  int64_t end_ns = 0;
  int64_t cpu_ns = -1;  // -1: not known
  // How often its thread gave up the core by itself, or had to.
  uint32_t waits = 0;
  uint32_t preemptions = 0;

  int64_t response_ns() const { return end_ns - release_ns; }
  bool missed() const { return end_ns > deadline_ns; }
};

// One writer, one reader, no locks: a dispatcher with a real-time priority
// never waits for who reads. What does not fit is counted.
class JobQueue {
 public:
  // For the writer.
  void Push(const JobRecord& job) {
    const size_t head = head_.load(std::memory_order_relaxed);
    if (head - tail_.load(std::memory_order_acquire) == kCapacity) {
      dropped_.fetch_add(1, std::memory_order_relaxed);
      return;
    }
    jobs_[head % kCapacity] = job;
    head_.store(head + 1, std::memory_order_release);
  }
  // For the reader: calls take(job) for each.
  template <typename Take>
  void Drain(Take take) {
    const size_t head = head_.load(std::memory_order_acquire);
    size_t tail = tail_.load(std::memory_order_relaxed);
    for (; tail != head; ++tail) {
      take(jobs_[tail % kCapacity]);
    }
    tail_.store(tail, std::memory_order_release);
  }
  int64_t dropped() const { return dropped_.load(std::memory_order_relaxed); }

 private:
  static constexpr size_t kCapacity = 1 << 14;

  std::unique_ptr<JobRecord[]> jobs_ = std::make_unique<JobRecord[]>(kCapacity);
  std::atomic<size_t> head_{0};
  std::atomic<size_t> tail_{0};
  std::atomic<int64_t> dropped_{0};
};

}  // namespace edgewise

#endif  // EDGEWISE_EXECUTION_JOB_RECORD_H_
