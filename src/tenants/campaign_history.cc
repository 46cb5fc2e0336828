#include "tenants/campaign_history.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "base/text.h"

namespace edgewise::tenants {
namespace {

constexpr size_t kRepeatEvery = 10;

std::string PointOf(const Deployment& deployment) {
  std::set<std::string> names;
  for (const Share& share : deployment.shares) {
    names.insert(share.tenant.name);
  }
  std::string point(KindName(deployment.kind));
  for (const std::string& name : names) {
    point += " " + name;
  }
  return deployment.stress ? point + " " + FormatStressSpec(*deployment.stress)
                           : point;
}

// What ids begin with.
std::string KindLetter(Kind kind) {
  return std::string(KindName(kind).substr(0, 1));
}

// Of the first tenants: 0 where they are the same.
double RatesApart(const Deployment& a, const Deployment& b) {
  return std::abs(
      std::log(a.shares.front().rate_per_s / b.shares.front().rate_per_s));
}

void Count(const Deployment& deployment, CampaignHistory::Before* before) {
  ++before->times;
  if (!before->first) {
    before->first = deployment;
  }
}

}  // namespace

CampaignHistory::CampaignHistory(const std::vector<Measured>& rows,
                                 const std::vector<Tenant>& tenants)
    : tenants_(tenants) {
  std::vector<const Measured*> together;
  for (size_t i = 0; i < rows.size(); ++i) {
    together.push_back(&rows[i]);
    if (i + 1 == rows.size() || rows[i + 1].deployment != rows[i].deployment) {
      Add(FromRows(together));
      together.clear();
    }
  }
}

const Tenant* CampaignHistory::TenantOf(const std::string& name) const {
  const auto found = std::find_if(
      tenants_.begin(), tenants_.end(),
      [&name](const Tenant& tenant) { return tenant.name == name; });
  return found == tenants_.end() ? nullptr : &*found;
}

Deployment CampaignHistory::FromRows(
    const std::vector<const Measured*>& rows) const {
  const Measured& first = *rows.front();
  Deployment deployment;
  deployment.id = first.deployment;
  deployment.kind = first.kind;
  deployment.repeat_of = first.repeat_of;
  const auto kind = ParseStressKind(first.stressor);
  if (!first.stressor.empty() && kind) {
    deployment.stress = StressSpec{*kind, first.dial.value_or(100)};
  }
  for (const Measured* row : rows) {
    Share share;
    share.tenant.name = row->tenant;
    if (const Tenant* tenant = TenantOf(row->tenant)) {
      share.tenant = *tenant;
    }
    share.replicas = row->replicas;
    share.rate_per_s = row->rate_per_s;
    share.quota_cores = row->quota_cores;
    deployment.shares.push_back(std::move(share));
  }
  return deployment;
}

CampaignHistory::Before CampaignHistory::SameAs(
    const Deployment& deployment) const {
  const std::string point = PointOf(deployment);
  Before before;
  for (const Deployment& each : planned_) {
    if (PointOf(each) == point) {
      Count(each, &before);
    }
  }
  return before;
}

CampaignHistory::Before CampaignHistory::BaselinesLike(
    const std::vector<Deployment>& plan, size_t which) const {
  const std::string point = PointOf(plan.front());
  Before before;
  for (const Deployment& each : planned_) {
    const auto nearest =
        std::min_element(plan.begin(), plan.end(),
                         [&each](const Deployment& a, const Deployment& b) {
                           return RatesApart(each, a) < RatesApart(each, b);
                         });
    if (PointOf(each) == point && nearest == plan.begin() + which) {
      Count(each, &before);
    }
  }
  return before;
}

void CampaignHistory::UseUp(const std::string& id) {
  int64_t& last = last_[id.substr(0, 1)];
  last = std::max(
      last, ParseInt(id.substr(std::min<size_t>(1, id.size()))).value_or(0));
}

void CampaignHistory::Add(const Deployment& deployment) {
  UseUp(deployment.id);
  if (deployment.kind != Kind::kRandom) {
    planned_.push_back(deployment);
    return;
  }
  ++random_count_;
  if (deployment.repeat_of.empty()) {
    firsts_.push_back(deployment);
  } else {
    ++repeats_[deployment.repeat_of];
  }
}

void CampaignHistory::AddFailed(const std::string& id,
                                const std::string& repeat_of) {
  UseUp(id);
  if (!id.starts_with(KindLetter(Kind::kRandom))) {
    return;
  }
  ++random_failures_;
  if (!repeat_of.empty()) {
    ++repeats_[repeat_of];  // not again and again
  }
}

std::string CampaignHistory::NewId(Kind kind) {
  const std::string letter = KindLetter(kind);
  return fmt::format("{}{:04}", letter, ++last_[letter]);
}

std::optional<Deployment> CampaignHistory::ToRepeat(int repeat) const {
  for (size_t i = kRepeatEvery / 2; i + kRepeatEvery / 2 < firsts_.size();
       i += kRepeatEvery) {
    const Deployment& first = firsts_[i];
    const bool ours = std::all_of(
        first.shares.begin(), first.shares.end(), [this](const Share& share) {
          return TenantOf(share.tenant.name) != nullptr;
        });
    const auto again = repeats_.find(first.id);
    if (ours && (again == repeats_.end() ? 0 : again->second) + 1 < repeat) {
      Deployment deployment = first;
      deployment.repeat_of = first.id;
      return deployment;
    }
  }
  return std::nullopt;
}

}  // namespace edgewise::tenants
