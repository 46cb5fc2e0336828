// A collector for tests in other languages: prints one line per event.
//
//   ring_dump SOCKET      prints "ready", then events, until stdin closes
//
// Fields are separated by tabs: kind, pid, name and then what the kind has.
// Unknown values are "--", line breaks in metadata are "|".
#include <poll.h>

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "probes/rings/ring_collector.h"

namespace edgewise {
namespace {

std::string OrUnknown(const std::optional<int64_t>& value) {
  return value ? std::to_string(*value) : "--";
}

class PrintingSink : public RingSink {
 public:
  void OnClientStart(const RingClient& client) override {
    std::printf("start\t%d\t%s\n", client.pid, client.program.c_str());
  }
  void OnName(const RingClient&, uint32_t, EventKind kind,
              std::string_view name) override {
    names_.push_back({kind, std::string(name)});
  }
  void OnSpans(const RingClient& client,
               std::span<const SpanEvent> spans) override {
    for (const SpanEvent& span : spans) {
      std::string meta(span.meta);
      std::replace(meta.begin(), meta.end(), '\n', '|');
      std::printf("span\t%d\t%s\t%lld\t%s\t%s\n", client.pid, Name(span.name),
                  static_cast<long long>(span.wall_ns),
                  OrUnknown(span.cpu_ns).c_str(), meta.c_str());
    }
  }
  void OnMetrics(const RingClient& client,
                 std::span<const MetricEvent> metrics) override {
    static const char* const kKinds[] = {"span", "gauge", "counter", "rate",
                                         "job"};
    for (const MetricEvent& metric : metrics) {
      const auto kind = static_cast<size_t>(names_[metric.name].kind);
      std::printf("%s\t%d\t%s\t%.17g\n", kKinds[kind], client.pid,
                  Name(metric.name), metric.value);
    }
  }
  void OnJobs(const RingClient& client,
              std::span<const JobEvent> jobs) override {
    for (const JobEvent& job : jobs) {
      std::printf("job\t%d\t%s\t%lld\t%lld\t%lld\t%lld\n", client.pid,
                  Name(job.name), static_cast<long long>(job.release_ns),
                  static_cast<long long>(job.start_ns),
                  static_cast<long long>(job.end_ns),
                  static_cast<long long>(job.deadline_ns));
    }
  }
  void OnClientEnd(const RingClient& client,
                   const RingAccount& account) override {
    std::printf("end\t%d\t%s\t%llu\n", client.pid, client.program.c_str(),
                static_cast<unsigned long long>(account.dropped()));
  }

 private:
  struct KnownName {
    EventKind kind;
    std::string text;
  };
  const char* Name(uint32_t id) const { return names_[id].text.c_str(); }

  std::vector<KnownName> names_;
};

}  // namespace
}  // namespace edgewise

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: ring_dump SOCKET\n");
    return 2;
  }
  edgewise::RingCollectorOptions options;
  options.socket_path = argv[1];
  auto collector = edgewise::RingCollector::Create(options);
  if (!collector) {
    std::fprintf(stderr, "%s\n", collector.error().message.c_str());
    return 3;
  }
  std::printf("ready\n");
  std::fflush(stdout);
  edgewise::PrintingSink sink;
  for (;;) {
    pollfd fds[2] = {{(*collector)->epoll_fd(), POLLIN, 0}, {0, POLLIN, 0}};
    poll(fds, 2, 50);
    (*collector)->Drain(sink);
    if (fds[1].revents != 0) {
      break;
    }
  }
  (*collector)->Finish(sink);
}
