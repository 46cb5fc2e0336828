#include "experiments/least_resources.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/units.h"
#include "experiments/trial_series.h"

namespace edgewise {
namespace {

constexpr double kAboveGuess = 1.05;
constexpr double kDown = 0.85;
constexpr double kUp = 1.3;
// Looks at a point of the search; what they leave open is a no, for the bracket
// is no finer than that.
constexpr int kSearchLooks = 2;
constexpr int64_t kMiB = 1 << 20;
constexpr double kSqueezedTo = 0.25;  // of the limit: where squeezing starts
constexpr double kMemoryStep = 0.1;

double WholeMillicores(double cores) {
  return std::ceil(cores * 1000 - 1e-6) / 1000;
}
int64_t WholeMiB(int64_t bytes) { return (bytes + kMiB - 1) / kMiB * kMiB; }

using Answer = TrialSeries::Answer;

class Search {
 public:
  Search(const FitRequest& request, const TrialRunner& run,
         const FitListener& listener)
      : request_(request),
        trials_(request, run, listener),
        all_cores_(static_cast<double>(request.cores_at_hand)),
        to_confirm_(std::max(2, request.max_runs / 3)) {}

  Result<FitAnswer> Find() {
    FindAll();
    if (trials_.error()) {
      return *trials_.error();
    }
    if (trials_.cancelled()) {
      answer_ = {};
      answer_.outcome = FitOutcome::kCancelled;
    }
    answer_.peak_bytes = trials_.peak_bytes();
    answer_.steps = trials_.TakeSteps();
    return std::move(answer_);
  }

 private:
  // Trials that the search may use for one point.
  int Looks() const {
    return std::min(kSearchLooks, trials_.runs_left() - to_confirm_);
  }

  void FindAll() {
    const Answer unlimited = trials_.Ask(
        {all_cores_, {}, {}}, TrialPurpose::kUnlimited, TrialSeries::kLooks);
    if (trials_.stopped()) {
      return;
    }
    if (trials_.steps().back().trial.end != TrialEnd::kDone) {
      answer_.outcome = FitOutcome::kAppFailed;
      return;
    }
    if (unlimited != Answer::kYes) {
      answer_.outcome = FitOutcome::kCannotMeet;
      return;
    }
    SearchCpu(GuessCores(trials_.steps().back().trial));
    SearchCores();
    ChooseMemory();
    Confirm();
  }

  // What the targets would use of the CPU, going by what the app used when it
  // had all.
  double GuessCores(const Trial& unlimited) const {
    if (!unlimited.cpu_s || !unlimited.wall_s || *unlimited.wall_s <= 0) {
      return all_cores_ / 2;
    }
    double guess = 0;
    for (size_t i = 0; i < request_.targets.size(); ++i) {
      const Target& target = request_.targets[i];
      double need = *unlimited.cpu_s / *unlimited.wall_s;
      if (target.kind == TargetKind::kRate &&
          unlimited.observations[i].items > 0) {
        need = *unlimited.cpu_s /
               static_cast<double>(unlimited.observations[i].items) *
               target.limit;
      } else if (target.kind == TargetKind::kWall) {
        need = *unlimited.cpu_s * 1e9 / target.limit;
      }
      guess = std::max(guess, need);
    }
    return guess;
  }

  bool CpuIsFine() const {
    return cpu_no_ && (cpu_yes_ / *cpu_no_ <= 1 + kCpuStep ||
                       cpu_yes_ - *cpu_no_ <= kLeastCpuCores + 1e-9);
  }

  // Leaves the least known to do in cpu_yes_, the most known not to in cpu_no_.
  void SearchCpu(double guess) {
    cpu_yes_ = all_cores_;
    double next = guess * kAboveGuess;
    // Steps out of a wrong guess grow.
    double up = kUp;
    double down = kDown;
    while (trials_.runs_left() > to_confirm_ && !CpuIsFine()) {
      next = WholeMillicores(std::clamp(next, kLeastCpuCores, all_cores_));
      if (next >= cpu_yes_ || (cpu_no_ && next <= *cpu_no_)) {
        next = cpu_no_ ? WholeMillicores(std::sqrt(*cpu_no_ * cpu_yes_))
                       : cpu_yes_ * down;
        if (cpu_no_ && (next >= cpu_yes_ || next <= *cpu_no_)) {
          return;
        }
        continue;
      }
      const Answer answer =
          trials_.Ask({next, {}, {}}, TrialPurpose::kCpu, Looks());
      if (answer == Answer::kYes) {
        cpu_yes_ = next;
        if (next <= kLeastCpuCores) {
          return;
        }
        next = cpu_no_ ? std::sqrt(*cpu_no_ * cpu_yes_) : next * down;
        down *= down;
      } else {
        cpu_no_ = next;
        const double above = next * up;
        up *= up;
        next = above < cpu_yes_ ? above : std::sqrt(next * cpu_yes_);
      }
    }
    if (!CpuIsFine()) {
      answer_.notes.push_back(fmt::format(
          "The search stopped at {} cores after {} runs, and less may do: more "
          "--max-runs narrow it.",
          cpu_yes_, trials_.steps().size()));
    }
  }

  // So that a no is due to what is searched for, not to CPU at its limit.
  double CpuToSpare() const {
    return std::min(all_cores_, WholeMillicores(cpu_yes_ * 1.2));
  }

  // Fewer cores than there are, where more than one is needed.
  void SearchCores() {
    if (cpu_yes_ <= 1) {
      return;
    }
    for (int cores = static_cast<int>(std::ceil(cpu_yes_ - 1e-9));
         cores < request_.cores_at_hand && trials_.runs_left() > to_confirm_;
         ++cores) {
      const Answer answer =
          trials_.Ask({CpuToSpare(), cores, {}}, TrialPurpose::kCores, Looks());
      if (answer == Answer::kYes) {
        answer_.cores = cores;
        return;
      }
    }
    answer_.cores = request_.cores_at_hand;
  }

  int64_t Margin(int64_t bytes) const {
    return std::max(static_cast<int64_t>(static_cast<double>(bytes) *
                                         request_.memory_margin),
                    kLeastMarginBytes);
  }

  void ChooseMemory() {
    if (!trials_.peak_bytes()) {
      answer_.notes.emplace_back(
          "The peak of memory is not known here: choose its limit by hand.");
      return;
    }
    const int64_t peak = *trials_.peak_bytes();
    memory_yes_ = WholeMiB(peak + Margin(peak));
    answer_.lower.memory_bytes = WholeMiB(peak);
    if (request_.squeeze_memory) {
      SqueezeMemory();
    }
  }

  void SqueezeMemory() {
    int64_t yes = *memory_yes_;
    auto no = static_cast<int64_t>(static_cast<double>(yes) * kSqueezedTo);
    while (trials_.runs_left() > to_confirm_ && yes - no > kMiB &&
           static_cast<double>(yes) >
               static_cast<double>(no) * (1 + kMemoryStep)) {
      const int64_t middle = WholeMiB(static_cast<int64_t>(
          std::sqrt(static_cast<double>(no) * static_cast<double>(yes))));
      if (middle >= yes || middle <= no) {
        break;
      }
      const Answer answer = trials_.Ask({CpuToSpare(), answer_.cores, middle},
                                        TrialPurpose::kMemory, Looks());
      (answer == Answer::kYes ? yes : no) = middle;
      if (answer != Answer::kYes) {
        answer_.lower.memory_bytes = middle;
      }
      if (answer == Answer::kOutOfMemory) {
        answer_.notes.push_back(
            fmt::format("With {} it was killed for want of memory.",
                        FormatBytes(static_cast<double>(middle))));
      }
    }
    memory_yes_ = yes;
    if (answer_.lower.memory_bytes > yes) {
      answer_.lower.memory_bytes.reset();
    }
  }

  // All limits together, with fresh Runs; steps up until they hold.
  void Confirm() {
    answer_.outcome = FitOutcome::kUnconfirmed;
    while (trials_.runs_left() > 0) {
      const Answer answer =
          trials_.Ask({cpu_yes_, answer_.cores, memory_yes_},
                      TrialPurpose::kConfirm, TrialSeries::kLooks);
      if (answer == Answer::kYes) {
        answer_.outcome = FitOutcome::kFound;
        break;
      }
      if (answer == Answer::kOutOfMemory) {
        const int64_t tried = *memory_yes_;
        memory_yes_ = WholeMiB(tried + Margin(tried));
        answer_.notes.push_back(fmt::format(
            "With {} it was killed for want of memory: stepped up to {}.",
            FormatBytes(static_cast<double>(tried)),
            FormatBytes(static_cast<double>(*memory_yes_))));
        continue;
      }
      if (trials_.runs_left() == 0 || cpu_yes_ >= all_cores_) {
        break;
      }
      const double tried = cpu_yes_;
      cpu_no_ = tried;
      cpu_yes_ = std::min(all_cores_,
                          WholeMillicores(std::max(tried * (1 + kCpuStep),
                                                   tried + kLeastCpuCores)));
      answer_.notes.push_back(fmt::format(
          "{} cores did not hold when all limits were tried together: stepped "
          "up to {}.",
          tried, cpu_yes_));
    }
    Fill();
  }

  void Fill() {
    answer_.lower.cpu_cores = cpu_no_;
    answer_.target = {WholeMillicores(cpu_yes_), memory_yes_};
    // As uncertain as the worst figure of the last look.
    double uncertain = kCpuStep;
    for (const Judgement& each : trials_.steps().back().judgement.each) {
      if (each.figure && each.figure->sufficient() && each.figure->value > 0) {
        uncertain =
            std::max(uncertain, (*each.figure->high - *each.figure->low) / 2 /
                                    each.figure->value);
      }
    }
    answer_.upper.cpu_cores = std::min(
        all_cores_, std::max(WholeMillicores(cpu_yes_ * (1 + uncertain)),
                             WholeMillicores(cpu_yes_ + kLeastCpuCores)));
    if (memory_yes_) {
      answer_.upper.memory_bytes =
          WholeMiB(*memory_yes_ + Margin(*memory_yes_));
    }
  }

  const FitRequest& request_;
  TrialSeries trials_;
  const double all_cores_;
  // Runs kept for the last question: does all that together hold?
  const int to_confirm_;
  FitAnswer answer_;
  double cpu_yes_ = 0;
  std::optional<double> cpu_no_;
  std::optional<int64_t> memory_yes_;
};

}  // namespace

Result<FitAnswer> FindLeastResources(const FitRequest& request,
                                     const TrialRunner& run,
                                     const FitListener& listener) {
  return Search(request, run, listener).Find();
}

}  // namespace edgewise
