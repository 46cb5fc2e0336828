#include "report/fit_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "base/units.h"
#include "cards/resources.h"
#include "report/figures.h"
#include "report/fit_step.h"
#include "report/paragraphs.h"
#include "report/utf8.h"
#include "stats/quantile.h"

namespace edgewise {
namespace {

constexpr size_t kTailLines = 8;

// "0.35 of a core", "1.4 cores".
std::string OfACore(double cores) {
  return cores < 1 ? fmt::format("{:.3g} of a core", cores)
                   : FitCoresText(cores);
}

std::string TargetsText(const FitRequest& request) {
  std::vector<std::string> texts;
  for (const Target& target : request.targets) {
    texts.push_back(target.text);
  }
  return Printable(Join(texts, " and "));
}

std::string PercentOf(double share) {
  return fmt::format("{:.3g}%", 100 * share);
}

std::string SavingText(double cores) {
  const double whole = std::max(1.0, std::ceil(cores - 1e-9));
  return fmt::format("{} instead of {:.0f}: {:.0f}% saved.", OfACore(cores),
                     whole, std::floor(100 * (1 - cores / whole)));
}

// How many Runs the last look rests on.
size_t LastLook(const FitAnswer& answer) {
  size_t runs = 0;
  for (auto step = answer.steps.rbegin(); step != answer.steps.rend(); ++step) {
    if (step->purpose != answer.steps.back().purpose ||
        step->trial.limits.cpu_cores !=
            answer.steps.back().trial.limits.cpu_cores ||
        step->trial.limits.memory_bytes !=
            answer.steps.back().trial.limits.memory_bytes) {
      break;
    }
    ++runs;
  }
  return runs;
}

// What an observed maximum is worth.
void AddMaximumNote(const FitAnswer& answer, const FitRequest& request,
                    std::vector<std::string>* sentences) {
  const size_t runs = LastLook(answer);
  for (size_t i = 0; i < request.targets.size(); ++i) {
    int64_t items = 0;
    for (auto step = answer.steps.end() - static_cast<std::ptrdiff_t>(runs);
         step != answer.steps.end(); ++step) {
      if (i < step->trial.observations.size()) {
        items += step->trial.observations[i].items;
      }
    }
    if (request.targets[i].kind == TargetKind::kMax && items > 0) {
      sentences->push_back(fmt::format(
          "The maximum is that of {}: at {} confidence up to {} of further "
          "ones may exceed it.",
          FormatCount(items, "item"), PercentOf(request.confidence),
          PercentOf(stats::ProbabilityOfExceedingMaximum(items,
                                                         request.confidence))));
    }
  }
}

std::vector<std::string> FoundSentences(const FitAnswer& answer,
                                        const FitRequest& request) {
  const double cpu = *answer.target.cpu_cores;
  std::string amounts = OfACore(cpu);
  if (answer.target.memory_bytes) {
    amounts +=
        " and " + FormatBytes(static_cast<double>(*answer.target.memory_bytes));
  }
  const std::string figures =
      FitFiguresText(answer.steps.back().judgement, request);
  if (answer.outcome == FitOutcome::kUnconfirmed) {
    return {fmt::format(
        "{} could not be confirmed within {}: {} reached {}. "
        "Raise --max-runs or --duration.",
        TargetsText(request), FormatCount(std::ssize(answer.steps), "run"),
        amounts, figures)};
  }
  std::vector<std::string> sentences{
      fmt::format("{} meet {} with {} confidence.", amounts,
                  TargetsText(request), PercentOf(request.confidence)),
      SavingText(cpu),
      fmt::format("Confirmed by {} with all limits together: {}.",
                  FormatCount(static_cast<int64_t>(LastLook(answer)), "run"),
                  figures)};
  if (answer.cores) {
    sentences.push_back(
        fmt::format("It needs {} to run on.",
                    FormatCount(static_cast<int64_t>(*answer.cores), "core")));
  }
  if (answer.peak_bytes) {
    sentences.push_back(fmt::format(
        "Memory: the largest peak seen was {}; the margin on top is {}, at "
        "least {}.",
        FormatBytes(static_cast<double>(*answer.peak_bytes)),
        PercentOf(request.memory_margin),
        FormatBytes(static_cast<double>(kLeastMarginBytes))));
  }
  AddMaximumNote(answer, request, &sentences);
  return sentences;
}

std::string UnmetSentence(const FitStep& step, const FitRequest& request) {
  const std::string reached =
      fmt::format("with all of {} it reached {}.",
                  FitCoresText(step.trial.limits.cpu_cores),
                  FitFiguresText(step.judgement, request));
  if (step.judgement.standing == Standing::kNotMet) {
    return TargetsText(request) + " cannot be met here: " + reached;
  }
  return TargetsText(request) + " could not be shown to be met: " + reached +
         " Longer runs (--duration) tell more.";
}

std::string LastLines(const std::string& output) {
  std::vector<std::string> lines;
  for (const std::string_view line : Split(Trim(output), '\n')) {
    lines.push_back("  " + Printable(line));
  }
  const size_t drop = lines.size() > kTailLines ? lines.size() - kTailLines : 0;
  lines.erase(lines.begin(), lines.begin() + static_cast<std::ptrdiff_t>(drop));
  return output.empty() ? "  (nothing)\n" : Join(lines, "\n") + "\n";
}

std::string AmountText(const std::optional<double>& cores) {
  return cores ? FormatMillicores(*cores) : std::string(kUnknown);
}
std::string AmountText(const std::optional<int64_t>& bytes) {
  return bytes ? FormatMebibytes(*bytes) : std::string(kUnknown);
}

}  // namespace

std::vector<std::string> FitSentences(const FitAnswer& answer,
                                      const FitRequest& request) {
  if (answer.steps.empty() || answer.outcome == FitOutcome::kCancelled) {
    return {fmt::format("Cancelled after {}.",
                        FormatCount(std::ssize(answer.steps), "run"))};
  }
  const FitStep& last = answer.steps.back();
  std::vector<std::string> sentences;
  switch (answer.outcome) {
    case FitOutcome::kFound:
    case FitOutcome::kUnconfirmed:
      sentences = FoundSentences(answer, request);
      break;
    case FitOutcome::kAppFailed:
      sentences = {fmt::format(
          "The program fails even without limits ({}): edgewise show {} has "
          "more of its output.",
          last.trial.failure, last.trial.run_id)};
      break;
    case FitOutcome::kCannotMeet:
      sentences = {UnmetSentence(last, request)};
      break;
    case FitOutcome::kCancelled:
      break;
  }
  sentences.insert(sentences.end(), answer.notes.begin(), answer.notes.end());
  return sentences;
}

Table FitTable(const FitAnswer& answer) {
  Table table;
  if (!answer.target.cpu_cores) {
    return table;
  }
  table.columns = {
      {"", false, false}, {"cpu", true, false}, {"memory", true, false}};
  const std::pair<const char*, const Resources*> rows[] = {
      {"lower", &answer.lower},
      {"target", &answer.target},
      {"upper", &answer.upper}};
  for (const auto& [name, amounts] : rows) {
    const Tone tone = amounts == &answer.target ? Tone::kStrong : Tone::kPlain;
    table.rows.push_back({{name, tone},
                          {AmountText(amounts->cpu_cores), tone},
                          {AmountText(amounts->memory_bytes), tone}});
  }
  return table;
}

std::string KubernetesText(const FitAnswer& answer) {
  if (answer.outcome != FitOutcome::kFound) {
    return "";
  }
  const auto block = [](const char* name, const Resources& amounts) {
    std::string text = fmt::format("  {}:\n    cpu: {}\n", name,
                                   AmountText(amounts.cpu_cores));
    if (amounts.memory_bytes) {
      text += fmt::format("    memory: {}\n", AmountText(amounts.memory_bytes));
    }
    return text;
  };
  return "resources:\n" + block("requests", answer.target) +
         block("limits", answer.upper);
}

std::string FitText(const FitAnswer& answer, const FitRequest& request,
                    const TextStyle& style) {
  std::string text;
  const std::vector<std::string> sentences = FitSentences(answer, request);
  for (const std::string& sentence : sentences) {
    // A plain first line stands out in colour alone.
    const std::string lines = WrappedText("", sentence, style);
    text += &sentence == &sentences.front() && style.color
                ? Tint(Trim(lines),
                       answer.outcome == FitOutcome::kFound ? Tone::kGood
                                                            : Tone::kBad,
                       style) +
                      "\n"
                : lines;
  }
  if (answer.outcome == FitOutcome::kAppFailed) {
    text += "The last lines of its output:\n" +
            LastLines(answer.steps.back().trial.output_tail);
  }
  AppendBlock(&text, TextTable(FitTable(answer), style));
  AppendBlock(&text, KubernetesText(answer));
  return text;
}

}  // namespace edgewise
