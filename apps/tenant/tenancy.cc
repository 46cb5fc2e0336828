#include "tenant/tenancy.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <csignal>
#include <edgewise/edgewise.hpp>
#include <memory>
#include <thread>
#include <vector>

#include "base/clock.h"
#include "base/unique_fd.h"
#include "tenant/service.h"
#include "tenant/stop_event.h"

namespace edgewise::apps {
namespace {

// How long a request in service at the end may take before it is given up.
constexpr int64_t kPatienceNs = kNsPerSecond / 2;

Result<std::unique_ptr<Service>> MakeService(const TenantSettings& settings,
                                             size_t replica) {
  if (settings.lines) {
    return MakeLines(settings.command, *settings.lines);
  }
  if (!settings.urls.empty()) {
    return MakeHttp(settings.urls[replica % settings.urls.size()],
                    settings.command);
  }
  const auto kind = FindService(settings.service);
  if (!kind) {
    return kind.error();
  }
  auto service = (*kind)->make();
  // The first time, which allocates, is nobody's request.
  Checksum ignored;
  if (service) {
    if (const Result<void> warm = (*service)->Answer(0, ignored); !warm) {
      return warm.error();
    }
  }
  return service;
}

WaitingLine::Source ArrivalsOf(const TenantSettings& settings, size_t replica,
                               int64_t begin_ns) {
  if (settings.trace_ns.empty()) {
    // Far apart, so that replicas and neighbouring seeds share no numbers.
    constexpr uint64_t kApart = 0xD1B54A32D192ED03u;
    return PoissonArrivals(settings.rate_per_s,
                           (settings.seed * 1024 + replica + 1) * kApart,
                           begin_ns, settings.items);
  }
  const auto step = static_cast<size_t>(settings.replicas);
  const int64_t most =
      settings.items.value_or(static_cast<int64_t>(settings.trace_ns.size()));
  return [&trace = settings.trace_ns, at = replica, step, begin_ns, most,
          count = int64_t{0}]() mutable -> std::optional<int64_t> {
    if (at >= trace.size() || count >= most) {
      return std::nullopt;
    }
    ++count;
    const int64_t ns = begin_ns + trace[at];
    at += step;
    return ns;
  };
}

// Replicas with their threads, and what they wait for.
class Tenancy {
 public:
  Tenancy(const TenantSettings& settings, RequestLog log, int64_t begin_ns)
      : settings_(settings), log_(std::move(log)), begin_ns_(begin_ns) {
    over_ = UniqueFd(::eventfd(0, EFD_CLOEXEC | EFD_SEMAPHORE));
    if (settings.duration_ns) {
      closing_.Set(begin_ns + *settings.duration_ns);
    }
  }

  void Start(std::vector<std::unique_ptr<Service>> services) {
    for (size_t i = 0; i < services.size(); ++i) {
      replicas_.push_back(std::make_unique<Replica>(
          ReplicaSettings{static_cast<int>(i), settings_.queue,
                          settings_.scale},
          std::move(services[i]), ArrivalsOf(settings_, i, begin_ns_), closing_,
          log_));
    }
    for (const auto& replica : replicas_) {
      threads_.emplace_back([this, &replica] {
        replica->Live();
        const uint64_t one = 1;
        (void)!::write(over_.get(), &one, sizeof(one));
      });
    }
  }

  // Until all replicas are over, one has failed, the time is, or a signal.
  void Wait() {
    while (!all_over() && !Failure()) {
      const int64_t closing_ns = closing_.at_ns();
      const int64_t now_ns = MonotonicNs();
      if (now_ns >= closing_ns + kPatienceNs) {
        return;
      }
      WaitForNews(now_ns >= closing_ns ? closing_ns + kPatienceNs : closing_ns);
    }
  }

  Result<TenancyReport> Tell() {
    if (const auto failure = Failure()) {
      return *failure;
    }
    const int64_t end_ns = std::min(MonotonicNs(), closing_.at_ns());
    TenancyReport report;
    Checksum checksum;
    for (const auto& replica : replicas_) {
      replica->Close(end_ns);
      const Tally& tally = replica->tally();
      report.tally.arrived += tally.arrived;
      report.tally.completed += tally.completed;
      report.tally.censored += tally.censored;
      report.tally.dropped += tally.dropped;
      report.tally.service_ns += tally.service_ns;
      report.tally.queueing_ns += tally.queueing_ns;
      report.tally.response_ns += tally.response_ns;
      checksum.Add(replica->checksum());
    }
    report.checksum = checksum.value();
    report.elapsed_s = static_cast<double>(end_ns - begin_ns_) /
                       static_cast<double>(kNsPerSecond);
    Counter("censored").Add(static_cast<uint64_t>(report.tally.censored));
    Counter("dropped").Add(static_cast<uint64_t>(report.tally.dropped));
    if (const Result<void> written = log_.Flush(); !written) {
      return written.error();
    }
    return report;
  }

  // Whether all threads are gone; else this object must stay.
  bool End() {
    closing_.Set(MonotonicNs());
    for (const auto& replica : replicas_) {
      replica->Abandon();
    }
    const int64_t until_ns = MonotonicNs() + kPatienceNs;
    while (!all_over() && MonotonicNs() < until_ns) {
      WaitForNews(until_ns);
    }
    for (std::thread& thread : threads_) {
      if (all_over()) {
        thread.join();
      } else {
        thread.detach();
      }
    }
    return all_over();
  }

 private:
  std::optional<Error> Failure() const {
    for (const auto& replica : replicas_) {
      if (auto failure = replica->failure()) {
        return failure;
      }
    }
    return std::nullopt;
  }

  bool all_over() const { return over_count_ == replicas_.size(); }

  void WaitForNews(int64_t until_ns) {
    const int64_t left_ns = until_ns - MonotonicNs();
    const int64_t most_ms = 60'000;
    const int64_t left_ms =
        std::min(most_ms, std::max<int64_t>(left_ns, 0) / kNsPerMs + 1);
    pollfd waiting[] = {{StopEvent(), POLLIN, 0}, {over_.get(), POLLIN, 0}};
    if (::poll(waiting, 2, static_cast<int>(left_ms)) <= 0) {
      return;
    }
    uint64_t one;
    if (waiting[0].revents != 0) {
      (void)!::read(StopEvent(), &one, sizeof(one));
      closing_.Set(MonotonicNs());
    }
    if (waiting[1].revents != 0 &&
        ::read(over_.get(), &one, sizeof(one)) == sizeof(one)) {
      ++over_count_;
    }
  }

  const TenantSettings& settings_;
  RequestLog log_;
  int64_t begin_ns_;
  UniqueFd over_;
  Closing closing_;
  std::vector<std::unique_ptr<Replica>> replicas_;
  std::vector<std::thread> threads_;
  size_t over_count_ = 0;
};

double MeanMs(double sum_ns, int64_t count) {
  return sum_ns / static_cast<double>(count) / static_cast<double>(kNsPerMs);
}

}  // namespace

Result<TenancyReport> RunTenancy(const TenantSettings& settings) {
  CatchStopEvents();
  // Programs that we write lines to may end.
  std::signal(SIGPIPE, SIG_IGN);
  std::vector<std::unique_ptr<Service>> services;
  for (int i = 0; i < settings.replicas; ++i) {
    auto service = MakeService(settings, static_cast<size_t>(i));
    if (WaitForStop(0)) {
      return TenancyReport{};  // nobody has asked yet
    }
    if (!service) {
      return service.error();
    }
    services.push_back(std::move(*service));
  }
  const int64_t begin_ns = MonotonicNs();
  auto log = RequestLog::Open(settings.requests, settings.name,
                              settings.epoch_ns.value_or(begin_ns));
  if (!log) {
    return log.error();
  }
  auto tenancy = std::make_unique<Tenancy>(settings, std::move(*log), begin_ns);
  tenancy->Start(std::move(services));
  tenancy->Wait();
  auto report = tenancy->Tell();
  if (!tenancy->End()) {
    // Threads that hang need it to the last.
    (void)tenancy.release();
  }
  return report;
}

std::string ReportText(const TenantSettings& settings,
                       const TenancyReport& report) {
  const Tally& tally = report.tally;
  std::string text = fmt::format(
      "tenant: {}: {} requests in {:.3g} s, {} answered, {} censored, {} "
      "dropped",
      settings.name, tally.arrived, report.elapsed_s, tally.completed,
      tally.censored, tally.dropped);
  if (tally.completed > 0) {
    text += fmt::format(
        "; service {:.3g} ms, queueing {:.3g} ms, response "
        "{:.3g} ms on average",
        MeanMs(tally.service_ns, tally.completed),
        MeanMs(tally.queueing_ns, tally.completed),
        MeanMs(tally.response_ns, tally.completed));
  }
  return text + "; checksum " + FormatChecksum(report.checksum) + "\n";
}

std::string ReportJson(const TenantSettings& settings,
                       const TenancyReport& report) {
  const Tally& tally = report.tally;
  const auto mean = [&tally](double sum_ns) {
    return tally.completed > 0
               ? fmt::format("{}", MeanMs(sum_ns, tally.completed))
               : std::string("null");
  };
  return fmt::format(
      "{{\"app\":\"tenant\",\"name\":\"{}\",\"replicas\":{},\"arrived\":{},"
      "\"completed\":{},\"censored\":{},\"dropped\":{},\"elapsed_s\":{},"
      "\"service_mean_ms\":{},\"queueing_mean_ms\":{},\"response_mean_ms\":{},"
      "\"checksum\":\"{}\"}}\n",
      settings.name, settings.replicas, tally.arrived, tally.completed,
      tally.censored, tally.dropped, report.elapsed_s, mean(tally.service_ns),
      mean(tally.queueing_ns), mean(tally.response_ns),
      FormatChecksum(report.checksum));
}

}  // namespace edgewise::apps
