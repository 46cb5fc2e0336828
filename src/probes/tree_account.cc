#include "probes/tree_account.h"

#include <algorithm>

namespace edgewise {
namespace {

constexpr int64_t ResourceUse::*kFields[] = {
    &ResourceUse::cpu_ns,       &ResourceUse::user_ns,
    &ResourceUse::system_ns,    &ResourceUse::minor_faults,
    &ResourceUse::major_faults, &ResourceUse::read_bytes,
    &ResourceUse::write_bytes};

}  // namespace

ResourceUse& ResourceUse::operator+=(const ResourceUse& other) {
  for (const auto field : kFields) {
    this->*field += other.*field;
  }
  return *this;
}

ResourceUse& ResourceUse::operator-=(const ResourceUse& other) {
  for (const auto field : kFields) {
    this->*field -= other.*field;
  }
  return *this;
}

ResourceUse& ResourceUse::RaiseTo(const ResourceUse& least) {
  for (const auto field : kFields) {
    this->*field = std::max(this->*field, least.*field);
  }
  return *this;
}

void TreeAccount::Update(pid_t pid, pid_t parent, const ResourceUse& own,
                         const ResourceUse& waited, bool from_now) {
  const auto [at, is_new] = members_.try_emplace(pid);
  Member& member = at->second;
  member.parent = parent;
  // A counter that steps back (a look at the edge of the process's end) keeps
  // its last value.
  member.own.RaiseTo(own);
  member.waited.RaiseTo(waited);
  if (is_new && from_now) {
    member.own_before = own;
    member.waited_before = waited;
  }
}

void TreeAccount::Leave(const std::vector<pid_t>& pids) {
  for (const pid_t pid : pids) {
    const auto at = members_.find(pid);
    if (at == members_.end()) {
      continue;
    }
    const Member& member = at->second;
    ended_seen_ += member.own;
    ended_seen_ -= member.own_before;
    if (const auto parent = members_.find(member.parent);
        parent != members_.end()) {
      // Its parent's counters now hold (or will hold) all that it used, also
      // what was used before the account began.
      parent->second.waited_before += member.own_before;
      parent->second.waited_before += member.waited_before;
    } else {
      ended_waited_ += member.own;
      ended_waited_ += member.waited;
      ended_waited_ -= member.own_before;
      ended_waited_ -= member.waited_before;
    }
  }
  for (const pid_t pid : pids) {
    members_.erase(pid);
  }
}

ResourceUse TreeAccount::Total() {
  ResourceUse seen = ended_seen_;
  ResourceUse waited = ended_waited_;
  for (const auto& [pid, member] : members_) {
    ResourceUse own = member.own;
    own -= member.own_before;
    ResourceUse children = member.waited;
    children -= member.waited_before;
    children.RaiseTo({});
    seen += own;
    waited += own;
    waited += children;
  }
  last_total_.RaiseTo(seen);
  last_total_.RaiseTo(waited);
  return last_total_;
}

}  // namespace edgewise
