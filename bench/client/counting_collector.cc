#include "counting_collector.h"

#include <poll.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>

#include "base/clock.h"
#include "probes/rings/ring_collector.h"

namespace edgewise {
namespace {

constexpr int kDrainIntervalMs = 100;

class CountingSink : public RingSink {
 public:
  void OnClientStart(const RingClient&) override {
    if (first_ns_ == 0) {
      first_ns_ = MonotonicNs();
    }
  }
  void OnName(const RingClient&, uint32_t, EventKind,
              std::string_view) override {}
  void OnSpans(const RingClient&, std::span<const SpanEvent> spans) override {
    totals.spans += spans.size();
  }
  void OnMetrics(const RingClient&, std::span<const MetricEvent>) override {}
  void OnJobs(const RingClient&, std::span<const JobEvent>) override {}
  void OnClientEnd(const RingClient&, const RingAccount& account) override {
    totals.dropped += account.dropped();
    totals.wall_s = static_cast<double>(MonotonicNs() - first_ns_) / 1e9;
  }

  CollectorTotals totals;

 private:
  int64_t first_ns_ = 0;
};

[[noreturn]] void Collect(const std::string& socket_path, int ready_fd,
                          int stop_fd, int totals_fd) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  RingCollectorOptions options;
  options.socket_path = socket_path;
  auto collector = RingCollector::Create(options);
  if (!collector) {
    std::fprintf(stderr, "%s\n", collector.error().message.c_str());
    _exit(1);
  }
  CountingSink sink;
  if (write(ready_fd, "r", 1) != 1) {
    _exit(1);
  }
  for (;;) {
    pollfd fds[2] = {{(*collector)->epoll_fd(), POLLIN, 0},
                     {stop_fd, POLLIN, 0}};
    poll(fds, 2, kDrainIntervalMs);
    (*collector)->Drain(sink);
    if (fds[1].revents != 0) {
      break;
    }
  }
  (*collector)->Finish(sink);
  collector->reset();
  sink.totals.cpu_s = static_cast<double>(ProcessCpuNs()) / 1e9;
  const bool sent = write(totals_fd, &sink.totals, sizeof(sink.totals)) ==
                    sizeof(sink.totals);
  _exit(sent ? 0 : 1);
}

}  // namespace

CountingCollector::CountingCollector() {
  char directory[] = "/tmp/edgewise-bench-XXXXXX";
  int ready[2];
  int stop[2];
  int totals[2];
  if (mkdtemp(directory) == nullptr || pipe(ready) != 0 || pipe(stop) != 0 ||
      pipe(totals) != 0) {
    std::perror("starting the collector");
    std::exit(1);
  }
  directory_ = directory;
  socket_path_ = directory_ + "/socket";
  pid_ = fork();
  if (pid_ == 0) {
    close(stop[1]);
    Collect(socket_path_, ready[1], stop[0], totals[1]);
  }
  close(stop[0]);
  close(totals[1]);
  close(ready[1]);
  char byte;
  if (pid_ < 0 || read(ready[0], &byte, 1) != 1) {
    std::fprintf(stderr, "the collector did not start\n");
    std::exit(1);
  }
  close(ready[0]);
  stop_fd_ = stop[1];
  totals_fd_ = totals[0];
  setenv("EDGEWISE_SOCKET", socket_path_.c_str(), 1);
}

CollectorTotals CountingCollector::Stop() {
  CollectorTotals totals;
  if (pid_ > 0) {
    close(stop_fd_);
    if (read(totals_fd_, &totals, sizeof(totals)) != sizeof(totals)) {
      std::fprintf(stderr, "the collector died\n");
    }
    close(totals_fd_);
    waitpid(pid_, nullptr, 0);
    pid_ = -1;
  }
  return totals;
}

CountingCollector::~CountingCollector() {
  Stop();
  std::error_code ignored;
  std::filesystem::remove_all(directory_, ignored);
}

void PrintFigure(const std::string& name, double value, const std::string& unit,
                 const std::string& bar, bool pass) {
  std::printf("%s\t%.4g\t%s\t%s\t%s\n", name.c_str(), value, unit.c_str(),
              bar.c_str(), pass ? "pass" : "fail");
  std::fflush(stdout);
}

}  // namespace edgewise
