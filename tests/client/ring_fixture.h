// A collector in the test's own process, and a sink that remembers everything.
#ifndef EDGEWISE_TESTS_CLIENT_RING_FIXTURE_H_
#define EDGEWISE_TESTS_CLIENT_RING_FIXTURE_H_

#include <gtest/gtest.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "edgewise/edgewise.h"
#include "probes/rings/ring_collector.h"

namespace edgewise {

struct SeenSpan {
  std::string name;
  int32_t pid = 0;
  SpanEvent event;
  std::string meta;
};
struct SeenMetric {
  std::string name;
  EventKind kind;
  MetricEvent event;
};
struct SeenJob {
  std::string name;
  JobEvent event;
};
struct SeenEnd {
  RingClient client;
  RingAccount account;
};

class RememberingSink : public RingSink {
 public:
  void OnClientStart(const RingClient& client) override {
    started.push_back(client);
  }
  void OnName(const RingClient&, uint32_t id, EventKind kind,
              std::string_view name) override {
    EXPECT_EQ(id, names.size());
    names.emplace_back(kind, name);
  }
  void OnSpans(const RingClient& client,
               std::span<const SpanEvent> events) override {
    for (const SpanEvent& event : events) {
      EXPECT_EQ(names.at(event.name).first, EventKind::kSpan);
      spans.push_back({names.at(event.name).second, client.pid, event,
                       std::string(event.meta)});
    }
  }
  void OnMetrics(const RingClient&,
                 std::span<const MetricEvent> events) override {
    for (const MetricEvent& event : events) {
      metrics.push_back(
          {names.at(event.name).second, names.at(event.name).first, event});
    }
  }
  void OnJobs(const RingClient&, std::span<const JobEvent> events) override {
    for (const JobEvent& event : events) {
      jobs.push_back({names.at(event.name).second, event});
    }
  }
  void OnClientEnd(const RingClient& client,
                   const RingAccount& account) override {
    ended.push_back({client, account});
  }

  size_t CountSpans(const std::string& name) const {
    size_t count = 0;
    for (const SeenSpan& span : spans) {
      count += span.name == name ? 1 : 0;
    }
    return count;
  }

  std::vector<RingClient> started;
  std::vector<std::pair<EventKind, std::string>> names;
  std::vector<SeenSpan> spans;
  std::vector<SeenMetric> metrics;
  std::vector<SeenJob> jobs;
  std::vector<SeenEnd> ended;
};

class RingFixture : public testing::Test {
 protected:
  RingFixture() {
    char directory[] = "/tmp/edgewise-test-XXXXXX";
    EXPECT_NE(mkdtemp(directory), nullptr);
    directory_ = directory;
    socket_path_ = directory_ + "/socket";
    setenv("EDGEWISE_SOCKET", socket_path_.c_str(), 1);
    StartCollector();
  }
  ~RingFixture() override {
    if (collector_) {
      collector_->Finish(sink_);
    }
    collector_.reset();
    std::filesystem::remove_all(directory_);
  }

  void StartCollector() {
    RingCollectorOptions options;
    options.socket_path = socket_path_;
    auto created = RingCollector::Create(options);
    ASSERT_TRUE(created.ok()) << created.error().message;
    collector_ = std::move(*created);
  }

  void Drain() { collector_->Drain(sink_); }

  // Drains until something is so; fails after a time that no test needs.
  [[nodiscard]] bool DrainUntil(const std::function<bool()>& done) {
    const int64_t give_up_ns = MonotonicNs() + 30 * kNsPerSecond;
    while (MonotonicNs() < give_up_ns) {
      Drain();
      if (done()) {
        return true;
      }
      pollfd entry{collector_->epoll_fd(), POLLIN, 0};
      poll(&entry, 1, 20);
    }
    return false;
  }

  // Runs `body` in a forked child, which then ends without clean-up.
  pid_t Fork(const std::function<void()>& body) {
    const pid_t pid = fork();
    if (pid == 0) {
      body();
      _exit(0);
    }
    EXPECT_GT(pid, 0);
    return pid;
  }
  static void ExpectCleanExit(pid_t pid) {
    int status = 0;
    ASSERT_EQ(waitpid(pid, &status, 0), pid);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0)
        << "status " << status;
  }

  std::string directory_;
  std::string socket_path_;
  RememberingSink sink_;
  std::unique_ptr<RingCollector> collector_;
};

// One span without duration, as cheap as it gets.
inline void RecordSpan(const char* name, uint64_t start_ns = 1,
                       const std::string& meta = {}) {
  edgewise_span_record(edgewise_intern(name), start_ns, 10,
                       EDGEWISE_NO_CPU_TIME, meta.data(), meta.size());
}

}  // namespace edgewise

#endif  // EDGEWISE_TESTS_CLIENT_RING_FIXTURE_H_
