#include "contention/fit_sharing.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "contention/alone.h"
#include "contention/least_squares.h"
#include "contention/outcome_residuals.h"
#include "contention/processor_time.h"

namespace edgewise::contention {
namespace {

using Eigen::Index;
using Eigen::VectorXd;

constexpr int kMostSteps = 25;
constexpr int kRefitSteps = 3;
// How far parameters may be from the usual (standard deviations of logarithms).
constexpr double kServicePrior = 0.2;
constexpr double kSpreadPrior = 0.5;
// Cores do the same work however they are shared.
constexpr double kEvenPrior = 0.05;
constexpr double kTakenPrior = 0.15;
constexpr double kColdPrior = 0.7;
constexpr double kUsualCold = 0.15;
constexpr double kFeelsPrior = 0.5;
constexpr double kIntensityPrior = 0.25;
constexpr double kCommonPrior = 0.5;
constexpr double kSlicePrior = 1.0;
constexpr double kUsualSliceMs = 0.5;
constexpr double kDepthPrior = 0.5;
constexpr double kUsualDepth = 0.5;
constexpr double kUsualFeels = 0.03;
constexpr double kLeastSpread = 0.05;

// Where the parameters of a Sharing lie in a vector; each is the logarithm of
// its ratio to the usual.
class Layout {
 public:
  Layout(const Campaign& campaign, const Sharing& usual)
      : apps_(static_cast<Index>(campaign.apps.size())),
        resources_(static_cast<Index>(usual.apps.front().feels.size())),
        stressors_(static_cast<Index>(usual.stressor_share.size())) {}

  Index size() const { return Stressor(stressors_); }
  static constexpr Index kTaken = 0;
  static constexpr Index kUneven = 1;
  static constexpr Index kWait = 2;
  static constexpr Index kSkew = 3;
  static constexpr Index kSlice = 4;
  static constexpr Index kDepth = 5;
  static constexpr Index kGroup = 6;
  static constexpr Index kCommon = 7;
  Index App(Index app) const { return kCommon + app * (4 + 2 * resources_); }
  Index Stressor(Index stressor) const { return App(apps_) + stressor; }
  // Whose parameter it is; as many as there are apps: a stressor's.
  size_t AppOf(Index parameter) const {
    return static_cast<size_t>(
        std::min(apps_, (parameter - kCommon) / (4 + 2 * resources_)));
  }

  Sharing Apply(const Sharing& usual, const VectorXd& at) const {
    Sharing sharing = usual;
    sharing.uneven *= std::exp(at(kUneven));
    sharing.wait *= std::exp(at(kWait));
    sharing.slice_ms *= std::exp(at(kSlice));
    sharing.quota_depth *= std::exp(at(kDepth));
    sharing.own_group *= std::exp(at(kGroup));
    sharing.skew =
        std::min(orchestration::kMostSkew, sharing.skew * std::exp(at(kSkew)));
    for (Index i = 0; i < apps_; ++i) {
      AppTraits& app = sharing.apps[static_cast<size_t>(i)];
      Index k = App(i);
      app.service_ms *= std::exp(at(k++));
      app.spread *= std::exp(at(k++));
      app.share_taken *= std::exp(at(kTaken) + at(k++));
      app.cold *= std::exp(at(k++));
      for (Index r = 0; r < resources_; ++r) {
        app.feels[static_cast<size_t>(r)] *= std::exp(at(k++));
        app.intensity[static_cast<size_t>(r)] *= std::exp(at(k++));
      }
    }
    for (Index s = 0; s < stressors_; ++s) {
      sharing.stressor_share[static_cast<size_t>(s)] *=
          std::exp(at(Stressor(s)));
    }
    return sharing;
  }

  VectorXd PriorDeviations() const {
    VectorXd deviations(size());
    deviations.head(kCommon) << kEvenPrior, kCommonPrior, kCommonPrior,
        kCommonPrior, kSlicePrior, kDepthPrior, kCommonPrior;
    for (Index i = 0; i < apps_; ++i) {
      Index k = App(i);
      deviations(k++) = kServicePrior;
      deviations(k++) = kSpreadPrior;
      deviations(k++) = kTakenPrior;
      deviations(k++) = kColdPrior;
      for (Index r = 0; r < resources_; ++r) {
        deviations(k++) = kFeelsPrior;
        deviations(k++) = kIntensityPrior;
      }
    }
    deviations.tail(stressors_).setConstant(kCommonPrior);
    return deviations;
  }

 private:
  Index apps_;
  Index resources_;
  Index stressors_;
};

// A row of the selection and where its residuals begin.
struct Placed {
  const Observation* observation;
  Index first;
};

// By parameter: whose residuals it has a part in.
class Dependents {
 public:
  Dependents(const Campaign& campaign, const Selection& selection)
      : by_app_(campaign.apps.size()) {
    for (const size_t index : selection) {
      const Observation& observation = campaign.observations[index];
      const Placed placed{&observation, count_};
      all_.push_back(placed);
      for (const Tenant& tenant : observation.deployment.tenants) {
        by_app_[tenant.app].push_back(placed);
      }
      if (observation.deployment.stress) {
        stressed_.push_back(placed);
      }
      count_ +=
          kResidualsOfRow * static_cast<Index>(observation.outcomes.size());
    }
  }

  Index count() const { return count_; }  // of residuals
  const std::vector<Placed>& all() const { return all_; }
  const std::vector<Placed>& Of(const Layout& layout, Index parameter) const {
    if (parameter < Layout::kCommon) {
      return all_;
    }
    const auto app = layout.AppOf(parameter);
    return app < by_app_.size() ? by_app_[app] : stressed_;
  }

 private:
  Index count_ = 0;
  std::vector<Placed> all_;
  std::vector<std::vector<Placed>> by_app_;
  std::vector<Placed> stressed_;
};

Sharing Minimise(const Campaign& campaign, const Selection& selection,
                 const Sharing& usual, int steps) {
  const Layout layout(campaign, usual);
  const VectorXd deviations = layout.PriorDeviations();
  const Dependents dependents(campaign, selection);
  const auto write = [&](const VectorXd& at, const std::vector<Placed>& some,
                         VectorXd& to) {
    const Sharing sharing = layout.Apply(usual, at);
    for (const Placed& placed : some) {
      const auto served = ServeAll(sharing, placed.observation->deployment);
      double* next = to.data() + placed.first;
      for (size_t t = 0; t < served.size(); ++t) {
        WriteResiduals(served[t], placed.observation->outcomes[t], next);
        next += kResidualsOfRow;
      }
    }
    to.tail(at.size()) = at.cwiseQuotient(deviations);
  };
  const Residuals residuals = [&](const VectorXd& at, VectorXd& to) {
    to.resize(dependents.count() + at.size());
    write(at, dependents.all(), to);
  };
  const MovedResiduals moved = [&](const VectorXd& at, Index k, VectorXd& to) {
    write(at, dependents.Of(layout, k), to);
  };
  return layout.Apply(
      usual,
      MinimiseSquares(residuals, VectorXd::Zero(layout.size()), steps, moved));
}

}  // namespace

Result<Sharing> FitSharing(const Campaign& campaign, const Selection& rows) {
  Sharing usual;
  const auto alone = FindAlone(campaign, rows);
  if (!alone) {
    return alone.error();
  }
  const auto times = FindProcessorTimes(campaign, rows);
  if (!times) {
    return times.error();
  }
  usual.speeds = alone->speeds;
  usual.slice_ms = kUsualSliceMs;
  usual.quota_depth = kUsualDepth;
  usual.cores = campaign.servers.front().cores;
  // The CPU is what all share; each stressor beside it is a resource.
  size_t resources = 0;
  for (const std::string& stressor : campaign.stressors) {
    usual.stressor_share.push_back(1);
    usual.stressor_resource.push_back(
        stressor == "cpu" ? std::nullopt : std::optional(resources++));
  }
  resources = std::max<size_t>(resources, 1);
  for (const AloneApp& app : alone->apps) {
    usual.apps.push_back(
        {app.service_ms, std::max(kLeastSpread, app.spread), 1, kUsualCold,
         std::vector<double>(resources, kUsualFeels),
         std::vector<double>(resources, 1), (*times)[usual.apps.size()]});
  }
  return Minimise(campaign, rows, usual, kMostSteps);
}

Sharing RefitSharing(const Campaign& campaign, const Selection& rows,
                     const Sharing& start) {
  return Minimise(campaign, rows, start, kRefitSteps);
}

}  // namespace edgewise::contention
