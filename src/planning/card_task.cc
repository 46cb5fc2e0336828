#include "planning/card_task.h"

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "base/units.h"

namespace edgewise {
namespace {

constexpr double kMostMs = 3.2e10;  // as plans are read
constexpr double kBytesPerMb = 1024.0 * 1024;

std::string Text(int64_t ns) { return FormatDuration(static_cast<double>(ns)); }

int WholeCores(const Card& card) {
  int cores = 0;
  if (card.cpu_share_percent) {
    const auto percent = std::lround(std::min(*card.cpu_share_percent, 1e6));
    cores = percent > 100 ? static_cast<int>((percent + 99) / 100) : 0;
  }
  const int fewest = card.resources ? card.resources->cores.value_or(0) : 0;
  return fewest > 1 ? std::max(cores, fewest) : cores;
}

Result<std::vector<std::string>> CommandOf(const Card& card) {
  if (card.command.empty()) {
    return std::vector<std::string>{};
  }
  auto words = ShellSplit(card.command);
  if (!words) {
    return Error{ErrorCode::kInvalid,
                 "`command` is no command line: " + words.error().message};
  }
  return words;
}

}  // namespace

std::optional<int64_t> TaskTimeNs(double ms) {
  if (!(ms > 0) || ms > kMostMs) {
    return std::nullopt;
  }
  // A figure such as 4.9 is not exact; what rounds to it is meant.
  const double ns = ms * 1e6;
  const double nearest = std::round(ns);
  return std::max<int64_t>(
      1, static_cast<int64_t>(std::abs(ns - nearest) < 1e-3 ? nearest
                                                            : std::ceil(ns)));
}

Result<scheduling::TaskWish> WishFrom(const Card& card, const std::string& file,
                                      const WcetChoices& choices,
                                      std::vector<std::string>* notes) {
  const auto refuse = [&file](const std::string& what) {
    return Error{ErrorCode::kInvalid, file + ": " + what};
  };
  scheduling::TaskWish wish;
  PlannedTask& task = wish.task;
  task.name = card.name;
  task.card = file;
  if (!card.period_ms) {
    return refuse(
        "the card has no period_ms, so nobody knows how often its jobs come: "
        "add it, or make the card with --period");
  }
  const auto period_ns = TaskTimeNs(*card.period_ms);
  const auto deadline_ns =
      TaskTimeNs(card.deadline_ms.value_or(*card.period_ms));
  if (!period_ns || !deadline_ns) {
    return refuse(
        "period_ms and deadline_ms must be above 0 and at most a "
        "year");
  }
  task.period_ns = *period_ns;
  task.deadline_ns = *deadline_ns;
  const auto wcet = AssumeWcet(card, choices);
  if (!wcet) {
    return refuse(wcet.error().message);
  }
  task.wcet_ns = wcet->ns;
  task.wcet_source = file + ": " + wcet->source;
  if (task.wcet_ns > task.deadline_ns) {
    return refuse("a job takes " + Text(task.wcet_ns) + " (" + wcet->source +
                  ") and is due after " + Text(task.deadline_ns) +
                  ": give it a longer deadline_ms or less to do");
  }
  auto command = CommandOf(card);
  if (!command) {
    return refuse(command.error().message);
  }
  task.command = std::move(*command);
  if (card.rss_mb && *card.rss_mb < 1e9) {
    task.memory_bytes =
        static_cast<int64_t>(std::ceil(*card.rss_mb * kBytesPerMb));
  }
  task.process_per_job = card.evidence && card.evidence->span.empty();
  wish.whole_cores = WholeCores(card);
  if (!card.falsified.empty()) {
    notes->push_back(file + " was spoken against (" + card.falsified +
                     "): measure it again");
  }
  if (task.command.empty()) {
    notes->push_back(file +
                     " has no command, so `edgewise exec` cannot start it");
  }
  if (card.wcet_time == "cpu") {
    notes->push_back(file +
                     " counts CPU time: what a job waits for (files, devices, "
                     "the network) is not in its wcet_ms");
  }
  return wish;
}

}  // namespace edgewise
