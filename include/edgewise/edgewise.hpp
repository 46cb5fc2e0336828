// edgewise: measure an application from the inside. C++17 and later.
//
//   void ProcessFrame() {
//     EDGEWISE_MEASURE("frame");                       // wall and CPU time
//     EDGEWISE_MEASURE("frame", {{"src", "camera"}});  // with metadata
//     edgewise::Timer timer("decode");                 // wall time, cheaper
//   }
//   edgewise::Gauge temperature("temperature_c");   temperature.Set(41.5);
//   edgewise::Counter detections("detections");     detections.Add();
//   edgewise::Rate fps("fps");                      fps.Tick();
//   edgewise::Knob<int> stride("stride", 1, 1, 8);  if (i % stride == 0) { ...
//   } edgewise::Periodic control("control", std::chrono::milliseconds(10));
//   while (auto job = control.Next()) { ... }
//
// Link with libedgewise_client. The notes in edgewise.h hold here too.
#ifndef EDGEWISE_EDGEWISE_HPP_
#define EDGEWISE_EDGEWISE_HPP_

#include <errno.h>
#include <time.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string_view>
#include <utility>

#include "edgewise/edgewise.h"
#include "edgewise/knob.hpp"

namespace edgewise {

// A name that is looked up once, on first use; meant to be static. The text
// must outlive it, as a literal does.
class Name {
 public:
  constexpr explicit Name(const char* text) : text_(text) {}
  edgewise_name id() {
    edgewise_name id = id_.load(std::memory_order_relaxed);
    if (__builtin_expect(id == 0, 0)) {
      id = edgewise_intern(text_);
      id_.store(id, std::memory_order_relaxed);
    }
    return id;
  }

 private:
  const char* text_;
  std::atomic<edgewise_name> id_{0};
};

// Metadata of one span: key=value lines in a buffer of the size that is kept.
// Line breaks in keys and values become blanks, '=' in a key becomes '_'.
class Meta {
 public:
  using Pair = std::pair<std::string_view, std::string_view>;

  Meta() = default;
  Meta(std::initializer_list<Pair> pairs) {
    for (const Pair& pair : pairs) {
      Add(pair.first, pair.second);
    }
  }
  void Add(std::string_view key, std::string_view value) {
    if (size_ > 0) {
      Append('\n');
    }
    for (char c : key) {
      Append(c == '\n' ? ' ' : c == '=' ? '_' : c);
    }
    Append('=');
    for (char c : value) {
      Append(c == '\n' ? ' ' : c);
    }
  }
  const char* data() const { return data_; }
  std::size_t size() const { return size_; }

 private:
  // One byte beyond what is kept, so that the library sees and counts a cut.
  static constexpr std::size_t kCapacity = 225;

  void Append(char c) {
    if (size_ < kCapacity) {
      data_[size_++] = c;
    }
  }

  char data_[kCapacity];
  std::size_t size_ = 0;
};

namespace internal {
// Ends the arguments of EDGEWISE_MEASURE, so that metadata is optional.
struct EndOfArguments {};
}  // namespace internal

// Measures wall and thread CPU time from here to the end of the scope.
class Measure {
 public:
  explicit Measure(Name& name, internal::EndOfArguments = {}) {
    edgewise_span_begin(&span_, name.id());
  }
  Measure(Name& name, std::initializer_list<Meta::Pair> pairs,
          internal::EndOfArguments = {})
      : meta_(pairs) {
    edgewise_span_begin(&span_, name.id());
  }
  // For names that are made at run time.
  explicit Measure(const char* name,
                   std::initializer_list<Meta::Pair> pairs = {})
      : meta_(pairs) {
    edgewise_span_begin(&span_, edgewise_intern(name));
  }
  ~Measure() { edgewise_span_end_meta(&span_, meta_.data(), meta_.size()); }
  Measure(const Measure&) = delete;
  Measure& operator=(const Measure&) = delete;

  // Metadata that is known only later.
  Meta& meta() { return meta_; }

 private:
  Meta meta_;
  edgewise_span span_;
};

// Measures wall time from here to Stop() or the end of the scope.
class Timer {
 public:
  explicit Timer(Name& name) { edgewise_timer_begin(&span_, name.id()); }
  explicit Timer(const char* name) {
    edgewise_timer_begin(&span_, edgewise_intern(name));
  }
  ~Timer() { edgewise_span_end(&span_); }
  Timer(const Timer&) = delete;
  Timer& operator=(const Timer&) = delete;

  void Stop() { edgewise_span_end(&span_); }
  // Forgets the measurement.
  void Cancel() { edgewise_span_cancel(&span_); }

 private:
  edgewise_span span_;
};

// A value that goes up and down.
class Gauge {
 public:
  explicit Gauge(const char* name) : name_(edgewise_intern(name)) {}
  void Set(double value) { edgewise_gauge(name_, value); }

 private:
  edgewise_name name_;
};

// A count of events. All Counters of one name in a process share one total.
class Counter {
 public:
  explicit Counter(const char* name) : name_(edgewise_intern(name)) {}
  void Add(std::int64_t delta = 1) { edgewise_counter_add(name_, delta); }

 private:
  edgewise_name name_;
};

// How often something happens: each Tick() records one over the time since
// the one before. For one thread; give each thread its own.
class Rate {
 public:
  explicit Rate(const char* name) : name_(edgewise_intern(name)) {}
  void Tick() {
    const std::uint64_t now_ns = edgewise_now_ns();
    if (last_ns_ != 0 && now_ns > last_ns_) {
      edgewise_rate(name_, 1e9 / static_cast<double>(now_ns - last_ns_));
    }
    last_ns_ = now_ns;
  }

 private:
  edgewise_name name_;
  std::uint64_t last_ns_ = 0;
};

// Releases jobs at fixed times: first + k × period, without drift. When a job
// overruns, the next ones are late but keep their intended release times, and
// latency counts from those. Not thread-safe.
//
// Under `edgewise exec` the executor releases the jobs of the first Periodic
// that a process uses, at the period of its plan, and says when it is over:
//
//   while (auto job = control.Next()) { ... }
class Periodic {
 public:
  // One job: from the end of Next() to the end of this object.
  class Job {
   public:
    // All members are numbers: copying is moving.
    // NOLINTNEXTLINE(performance-move-constructor-init)
    Job(Job&& other) noexcept : Job(other) { other.over_ = true; }
    Job& operator=(Job&&) = delete;
    ~Job() {
      if (over_) {
        return;
      }
      const std::uint64_t end_ns = edgewise_now_ns();
      const std::uint64_t cpu_ns = edgewise_thread_cpu_ns() - cpu_start_ns_;
      edgewise_job(name_, release_ns_, start_ns_, end_ns, deadline_ns_, cpu_ns);
      if (driven_) {
        edgewise_release_done(end_ns, cpu_ns);
      }
    }
    std::uint64_t release_ns() const { return release_ns_; }
    std::uint64_t deadline_ns() const { return deadline_ns_; }
    // False once an executor says that there are no more jobs: the program is
    // to end, and this is none. Always true without an executor.
    explicit operator bool() const { return !over_; }

   private:
    friend class Periodic;
    Job(edgewise_name name, std::uint64_t release_ns, std::uint64_t deadline_ns,
        bool driven)
        : name_(name),
          driven_(driven),
          release_ns_(release_ns),
          deadline_ns_(deadline_ns),
          cpu_start_ns_(edgewise_thread_cpu_ns()),
          start_ns_(edgewise_now_ns()) {}
    Job() = default;
    Job(const Job&) = default;

    edgewise_name name_ = 0;
    bool driven_ = false;
    bool over_ = false;
    std::uint64_t release_ns_ = 0;
    std::uint64_t deadline_ns_ = 0;
    std::uint64_t cpu_start_ns_ = 0;
    std::uint64_t start_ns_ = 0;
  };

  // The deadline is relative to each release; by default it is the period.
  // The first release is the first call of Next().
  Periodic(const char* name, std::chrono::nanoseconds period,
           std::chrono::nanoseconds deadline = std::chrono::nanoseconds(0))
      : name_(edgewise_intern(name)),
        period_ns_(static_cast<std::uint64_t>(period.count())),
        deadline_ns_(static_cast<std::uint64_t>(
            deadline.count() > 0 ? deadline.count() : period.count())) {}

  // Sleeps until the next release (not at all if it has passed) and starts
  // the job.
  [[nodiscard]] Job Next() {
    if (next_release_ns_ == 0) {
      next_release_ns_ = edgewise_now_ns();
      driven_ = edgewise_claim_releases() == 1;
    }
    if (driven_) {
      std::uint64_t release_ns = 0;
      std::uint64_t deadline_ns = 0;
      int answer;
      do {
        answer = edgewise_next_release(&release_ns, &deadline_ns);
      } while (answer == -2);
      if (answer == 1) {
        return Job(name_, release_ns, deadline_ns, true);
      }
      if (answer == -1) {
        return End();
      }
      driven_ = false;  // a forked child of the process that is driven
    }
    const std::uint64_t release_ns = next_release_ns_;
    next_release_ns_ += period_ns_;
    SleepUntil(release_ns);
    return Job(name_, release_ns, release_ns + deadline_ns_, false);
  }

 private:
  // No job. A loop that does not look is at least no hot one.
  Job End() {
    if (told_end_) {
      SleepUntil(edgewise_now_ns() + period_ns_);
    }
    told_end_ = true;
    Job job;
    job.over_ = true;
    return job;
  }
  static void SleepUntil(std::uint64_t monotonic_ns) {
    timespec until;
    until.tv_sec = static_cast<time_t>(monotonic_ns / 1000000000);
    until.tv_nsec = static_cast<long>(monotonic_ns % 1000000000);
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, nullptr) ==
           EINTR) {
    }
  }

  edgewise_name name_;
  std::uint64_t period_ns_;
  std::uint64_t deadline_ns_;
  std::uint64_t next_release_ns_ = 0;
  bool driven_ = false;
  bool told_end_ = false;
};

}  // namespace edgewise

#define EDGEWISE_JOIN_(a, b) a##b
#define EDGEWISE_JOIN(a, b) EDGEWISE_JOIN_(a, b)
#define EDGEWISE_MEASURE_AT_(counter, name, ...)                        \
  static ::edgewise::Name EDGEWISE_JOIN(edgewise_name_, counter)(name); \
  ::edgewise::Measure EDGEWISE_JOIN(edgewise_measure_, counter)(        \
      EDGEWISE_JOIN(edgewise_name_, counter), __VA_ARGS__)

// EDGEWISE_MEASURE("name") or EDGEWISE_MEASURE("name", {{"key", value}, ...}):
// measures the rest of the scope. The name must be a literal.
#define EDGEWISE_MEASURE(...)                    \
  EDGEWISE_MEASURE_AT_(__COUNTER__, __VA_ARGS__, \
                       ::edgewise::internal::EndOfArguments())

#endif  // EDGEWISE_EDGEWISE_HPP_
