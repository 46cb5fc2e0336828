#include "mqtt/role_records.h"

#include <unistd.h>

#include <chrono>

#include "edgewise/edgewise.h"
#include "mqtt/names.h"
#include "mqtt/process_use.h"

namespace edgewise::mqtt {
namespace {

constexpr auto kEvery = std::chrono::milliseconds(500);

}  // namespace

RoleRecords::RoleRecords(std::string_view name) { Watch(name, ::getpid()); }

RoleRecords::Count& RoleRecords::Counter(const std::string& name) {
  Counted& counted = counters_.emplace_back();
  counted.name = edgewise_intern(name.c_str());
  // So that a count of 0 is known, too.
  edgewise_counter_add(counted.name, 0);
  return counted.count;
}

void RoleRecords::Gauge(const std::string& name, std::function<double()> read) {
  gauges_.push_back({edgewise_intern(name.c_str()), std::move(read)});
}

void RoleRecords::Watch(std::string_view name, pid_t pid) {
  const std::string prefix = std::string(name) + " ";
  Watched watched;
  watched.pid = pid;
  watched.cpu_name = edgewise_intern((prefix + kCpu).c_str());
  watched.memory_name = edgewise_intern((prefix + kMemory).c_str());
  const std::lock_guard lock(mutex_);
  watched_.push_back(watched);
}

void RoleRecords::Start() {
  thread_ = std::thread([this] {
    std::unique_lock lock(mutex_);
    while (!leaving_) {
      Tell();
      changed_.wait_for(lock, kEvery, [this] { return leaving_; });
    }
  });
}

void RoleRecords::Tell() {
  for (Counted& counted : counters_) {
    const int64_t now = counted.count.load(std::memory_order_relaxed);
    if (now != counted.told) {
      edgewise_counter_add(counted.name, now - counted.told);
      counted.told = now;
    }
  }
  for (const Gauged& gauge : gauges_) {
    edgewise_gauge(gauge.name, gauge.read());
  }
  for (Watched& watched : watched_) {
    if (const auto use = UseOf(watched.pid)) {
      // A process that was there before counts from now on.
      if (!watched.seen && watched.pid != ::getpid()) {
        watched.told_us = use->cpu_us;
      }
      watched.seen = true;
      edgewise_counter_add(watched.cpu_name, use->cpu_us - watched.told_us);
      watched.told_us = use->cpu_us;
      edgewise_gauge(watched.memory_name, static_cast<double>(use->rss_bytes));
    }
  }
}

void RoleRecords::Finish() {
  if (!thread_.joinable()) {
    return;
  }
  {
    const std::lock_guard lock(mutex_);
    leaving_ = true;
  }
  changed_.notify_all();
  thread_.join();
  const std::lock_guard lock(mutex_);
  Tell();
}

}  // namespace edgewise::mqtt
