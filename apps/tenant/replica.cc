#include "tenant/replica.h"

#include <algorithm>
#include <chrono>
#include <edgewise/edgewise.hpp>
#include <utility>

#include "base/clock.h"

namespace edgewise::apps {
namespace {

void RecordSpan(Name& name, int64_t begin_ns, int64_t end_ns, int64_t cpu_ns) {
  edgewise_span_record(name.id(), static_cast<uint64_t>(begin_ns),
                       static_cast<uint64_t>(end_ns - begin_ns),
                       static_cast<uint64_t>(cpu_ns), nullptr, 0);
}

}  // namespace

void Closing::Set(int64_t at_ns) {
  const std::scoped_lock lock(mutex_);
  at_ns_ = std::min(at_ns_.load(), at_ns);
  changed_.notify_all();
}

void Closing::WaitUntil(int64_t ns) {
  std::unique_lock lock(mutex_);
  const int64_t until_ns = std::min(ns, at_ns_.load());
  const std::chrono::steady_clock::time_point until{
      std::chrono::nanoseconds(until_ns)};
  changed_.wait_until(lock, until, [this, until_ns] {
    return at_ns_ < until_ns && at_ns_ <= MonotonicNs();
  });
}

Replica::Replica(const ReplicaSettings& settings,
                 std::unique_ptr<Service> service, WaitingLine::Source arrivals,
                 Closing& closing, RequestLog& log)
    : settings_(settings),
      service_(std::move(service)),
      closing_(closing),
      log_(log),
      line_(std::move(arrivals), settings.queue,
            [this](const Request& request) {
              ++tally_.dropped;
              log_.Add(settings_.index, request, Fate::kDropped, std::nullopt,
                       std::nullopt);
            }) {}

std::optional<Error> Replica::failure() const {
  const std::scoped_lock lock(mutex_);
  return failure_;
}

void Replica::Live() {
  while (const auto serving = Next()) {
    const int64_t cpu_start_ns = ThreadCpuNs();
    const Result<void> answered = Answer(serving->request);
    if (!Finish(*serving, ThreadCpuNs() - cpu_start_ns, answered)) {
      return;
    }
  }
}

std::optional<Replica::Serving> Replica::Next() {
  for (;;) {
    std::unique_lock lock(mutex_);
    const int64_t now_ns = MonotonicNs();
    if (closed_ || now_ns >= closing_.at_ns()) {
      return std::nullopt;
    }
    line_.AdmitUntil(now_ns);
    if (const auto request = line_.Serve()) {
      serving_ = Serving{*request, now_ns};
      return serving_;
    }
    const auto arrival_ns = line_.NextArrivalNs();
    if (!arrival_ns) {
      return std::nullopt;
    }
    lock.unlock();
    closing_.WaitUntil(*arrival_ns);
  }
}

Result<void> Replica::Answer(const Request& request) {
  const auto scale = static_cast<uint64_t>(settings_.scale);
  for (uint64_t i = 0; i < scale; ++i) {
    if (Result<void> answered =
            service_->Answer(request.number * scale + i, checksum_);
        !answered) {
      return answered;
    }
  }
  return {};
}

bool Replica::Finish(const Serving& serving, int64_t cpu_ns,
                     const Result<void>& answered) {
  static Name service("service");
  static Name queueing("queueing");
  static Name response("response");
  const std::scoped_lock lock(mutex_);
  const int64_t end_ns = MonotonicNs();
  if (closed_ || end_ns > closing_.at_ns()) {
    return false;  // stays in service: censored
  }
  if (!answered) {
    failure_ = answered.error();
    return false;
  }
  const int64_t arrival_ns = serving.request.arrival_ns;
  RecordSpan(service, serving.start_ns, end_ns, cpu_ns);
  RecordSpan(queueing, arrival_ns, serving.start_ns, 0);
  RecordSpan(response, arrival_ns, end_ns, cpu_ns);
  log_.Add(settings_.index, serving.request, Fate::kAnswered, serving.start_ns,
           end_ns);
  ++tally_.completed;
  tally_.service_ns += static_cast<double>(end_ns - serving.start_ns);
  tally_.queueing_ns += static_cast<double>(serving.start_ns - arrival_ns);
  tally_.response_ns += static_cast<double>(end_ns - arrival_ns);
  serving_.reset();
  line_.Finish(end_ns);
  return true;
}

void Replica::Close(int64_t end_ns) {
  const std::scoped_lock lock(mutex_);
  if (std::exchange(closed_, true)) {
    return;
  }
  line_.AdmitUntil(end_ns - 1);
  const auto censor = [this](const Request& request,
                             std::optional<int64_t> start_ns) {
    ++tally_.censored;
    log_.Add(settings_.index, request, Fate::kCensored, start_ns, std::nullopt);
  };
  if (serving_) {
    censor(serving_->request, serving_->start_ns);
  }
  while (const auto request = line_.TakeLeft()) {
    censor(*request, std::nullopt);
  }
  tally_.arrived = line_.arrived();
}

}  // namespace edgewise::apps
