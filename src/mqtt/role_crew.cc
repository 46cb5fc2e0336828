#include "mqtt/role_crew.h"

#include <poll.h>

#include <algorithm>

#include "base/clock.h"
#include "base/text.h"
#include "base/units.h"

namespace edgewise::mqtt {
namespace {

constexpr int kTickMs = 20;
constexpr int64_t kReadyNs = 40 * kNsPerSecond;
constexpr int64_t kGraceNs = 3 * kNsPerSecond;

}  // namespace

RoleProcess* RoleCrew::Find(Role role) {
  const auto found =
      std::find_if(roles_.begin(), roles_.end(),
                   [role](const RoleProcess& r) { return r.role() == role; });
  return found != roles_.end() ? &*found : nullptr;
}

void RoleCrew::TakeLine(RoleProcess& role, const std::string& line) {
  if (line == kSayReady) {
    ++ready_;
  } else if (line == kSayThrough) {
    through_ = true;
  } else if (line.starts_with(kSaySent) && role.role() == Role::kProduce) {
    sent_ = ParseInt(line.substr(kSaySent.size()));
  } else if (line.starts_with(kSayFact)) {
    const std::string rest = line.substr(kSayFact.size());
    const size_t blank = rest.find(' ');
    if (blank != std::string::npos) {
      facts_[rest.substr(0, blank)] = rest.substr(blank + 1);
    }
  }
}

void RoleCrew::Look() {
  std::vector<pollfd> waits;
  for (const RoleProcess& role : roles_) {
    waits.push_back({role.fd(), POLLIN, 0});
  }
  (void)::poll(waits.data(), waits.size(), kTickMs);
  // A pipe whose writer is gone is always ready.
  if (std::any_of(waits.begin(), waits.end(),
                  [](const pollfd& wait) { return wait.revents == POLLHUP; })) {
    (void)::poll(nullptr, 0, kTickMs);
  }
  for (RoleProcess& role : roles_) {
    role.Read();
    while (const auto line = role.NextLine()) {
      TakeLine(role, *line);
    }
  }
}

std::optional<Error> RoleCrew::FailureOf(RoleProcess& role) {
  const auto status = role.Ended();
  if (!status) {
    return std::nullopt;
  }
  role.Read();
  if (role.failure()) {
    return *role.failure();
  }
  return Error{ErrorCode::kIo, "the " + std::string(RoleName(role.role())) +
                                   " ended too early (" + EndText(*status) +
                                   ")"};
}

std::optional<Error> RoleCrew::AnyFailure() {
  for (RoleProcess& role : roles_) {
    if (auto failure = FailureOf(role)) {
      return failure;
    }
  }
  return std::nullopt;
}

Result<void> RoleCrew::Start(const PipelineSettings& settings, Role role) {
  auto started = RoleProcess::Start(settings, role);
  if (!started) {
    return started.error();
  }
  roles_.push_back(std::move(*started));
  const int64_t until_ns = MonotonicNs() + kReadyNs;
  while (ready_ < roles_.size() && !control_.stopped()) {
    Look();
    if (auto failure = AnyFailure()) {
      return *failure;
    }
    if (MonotonicNs() >= until_ns) {
      return Error{ErrorCode::kIo,
                   "the " + std::string(RoleName(role)) +
                       " was not ready within " +
                       FormatDuration(static_cast<double>(kReadyNs)) +
                       ": try it alone with edgewise mqtt " +
                       std::string(RoleVerb(role))};
    }
  }
  return {};
}

void RoleCrew::Stop() {
  for (RoleProcess& role : roles_) {
    role.Terminate();
  }
  for (RoleProcess& role : roles_) {
    (void)role.Stop(kGraceNs);
  }
}

}  // namespace edgewise::mqtt
