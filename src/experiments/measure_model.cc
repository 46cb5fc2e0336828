#include "experiments/measure_model.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>
#include <utility>

#include "base/text.h"
#include "experiments/model_figures.h"
#include "experiments/side_by_side.h"
#include "sessions/outcome.h"
#include "stats/random.h"
#include "store/store.h"

namespace edgewise {
namespace {

constexpr int kTrialItems = 3;
constexpr double kMostItems = 100'000;

SessionSettings Quiet(std::vector<std::string> command,
                      const std::string& group) {
  SessionSettings settings;
  settings.command = std::move(command);
  settings.group = group;
  settings.read_pss = false;
  settings.pass_output = false;
  settings.grace_ns = 2 * kNsPerSecond;
  settings.linger_ns = kNsPerSecond;
  return settings;
}

// The last line that a program wrote; programs say there why they failed.
std::string LastWords(const Run& run) {
  const std::string_view text = Trim(run.output_tail);
  const size_t line = text.rfind('\n');
  return std::string(line == std::string_view::npos ? text
                                                    : text.substr(line + 1));
}

class Measure {
 public:
  Measure(const MeasureModelRequest& request,
          const MeasureModelListener& progress)
      : request_(request), progress_(progress) {
    report_.group = NewRunId();
    report_.precision = request.precision;
  }

  Result<MeasureModelReport> All() {
    if (Result<void> tried = Trial(); !tried) {
      return tried.error();
    }
    for (const int threads : request_.threads) {
      for (const double load : request_.loads_percent) {
        ModelMeasurement row;
        row.load_asked_percent = load;
        row.threads = threads;
        report_.rows.push_back(row);
      }
    }
    std::vector<bool> measured(report_.rows.size());
    const std::vector<size_t> order = Order();
    for (size_t i = 0; i < order.size() && !report_.cancelled; ++i) {
      ModelMeasurement& row = report_.rows[order[i]];
      progress_({i + 1, order.size(), TextOf(row)});
      if (Result<void> done = One(row); !done) {
        return done.error();
      }
      measured[order[i]] = !report_.cancelled;
    }
    std::vector<ModelMeasurement> whole;
    for (size_t i = 0; i < measured.size(); ++i) {
      if (measured[i]) {
        whole.push_back(std::move(report_.rows[i]));
      }
    }
    report_.rows = std::move(whole);
    return std::move(report_);
  }

 private:
  static std::string TextOf(const ModelMeasurement& row) {
    return std::to_string(std::lround(row.load_asked_percent)) + "% load, " +
           std::to_string(row.threads) +
           (row.threads == 1 ? " thread" : " threads");
  }

  std::vector<size_t> Order() const {
    std::vector<size_t> order(report_.rows.size());
    std::iota(order.begin(), order.end(), size_t{0});
    stats::Random random(request_.seed);
    for (size_t i = order.size(); i > 1; --i) {
      std::swap(order[i - 1], order[random.Below(i)]);
    }
    return order;
  }

  SessionSettings Subject(int64_t items, int threads) const {
    SessionSettings settings =
        Quiet({request_.dl, "--model", request_.model, "--precision",
               request_.precision, "--items", std::to_string(items), "--max"},
              report_.group);
    settings.conditions.threads = threads;
    settings.label = std::filesystem::path(request_.model).stem().string();
    return settings;
  }

  // Whether the network runs at all, and how long one item takes.
  Result<void> Trial() {
    SideBySideRequest alone;
    alone.home = request_.home;
    alone.subject = Subject(kTrialItems, request_.threads.front());
    if (Result<void> checked = CheckSettings(alone.subject); !checked) {
      return checked;
    }
    const auto outcome = RunSideBySide(alone);
    if (!outcome) {
      return outcome.error();
    }
    report_.cancelled = outcome->cancelled;
    if (report_.cancelled) {
      return {};
    }
    if (!outcome->subject || !outcome->failure.empty()) {
      return Error{ErrorCode::kIo,
                   request_.dl + " could not be started: " + outcome->failure};
    }
    report_.machine = outcome->subject->machine;
    if (ExitCodeOf(*outcome->subject) != 0) {
      return Error{ErrorCode::kInvalid, LastWords(*outcome->subject)};
    }
    const auto store = Store::Open(request_.home);
    if (!store) {
      return store.error();
    }
    const auto times = SpanTimes(*store, outcome->subject->id, kItemSpan);
    if (!times) {
      return times.error();
    }
    if (times->empty()) {
      return Error{ErrorCode::kUnsupported,
                   request_.dl + " recorded no span \"" + kItemSpan +
                       "\": use the sample app that comes with edgewise"};
    }
    item_ns_ = std::max(times->back(), 1000.0);
    return {};
  }

  int64_t Items() const {
    const double for_time =
        std::min(std::ceil(static_cast<double>(request_.least_ns) / item_ns_),
                 kMostItems);
    return request_.warmup +
           std::max<int64_t>(request_.repeat, static_cast<int64_t>(for_time));
  }

  Result<void> One(ModelMeasurement& row) {
    SideBySideRequest both;
    both.home = request_.home;
    both.settle_ns = request_.settle_ns;
    both.subject = Subject(Items(), row.threads);
    both.subject.group_role = TextOf(row);
    const std::string dial =
        "cpu:" + std::to_string(std::lround(row.load_asked_percent));
    const int cores = std::max(report_.machine.cores, 1);
    both.neighbours = {Quiet(
        {request_.program, "stress", dial, "--threads", std::to_string(cores)},
        report_.group)};
    both.neighbours[0].label = dial;
    const auto outcome = RunSideBySide(both);
    if (!outcome) {
      return outcome.error();
    }
    report_.cancelled = outcome->cancelled;
    if (report_.cancelled) {
      return {};
    }
    if (!outcome->complete() || outcome->neighbours[0].runs.empty()) {
      row.failure = !outcome->failure.empty()
                        ? outcome->failure
                        : "the load failed: " + outcome->neighbours[0].failure;
      return {};
    }
    if (ExitCodeOf(*outcome->subject) != 0) {
      row.failure = LastWords(*outcome->subject);
      return {};
    }
    const auto store = Store::Open(request_.home);
    return store ? FillFigures(*store, *outcome->subject,
                               outcome->neighbours[0].runs.front(),
                               request_.warmup, row)
                 : store.error();
  }

  const MeasureModelRequest& request_;
  const MeasureModelListener& progress_;
  MeasureModelReport report_;
  double item_ns_ = 0;
};

}  // namespace

Result<MeasureModelReport> MeasureModel(const MeasureModelRequest& request,
                                        const MeasureModelListener& progress) {
  return Measure(request, progress).All();
}

Result<std::string> FindSampleApp(const std::string& name,
                                  const std::string& program) {
  namespace fs = std::filesystem;
  std::vector<fs::path> folders;
  if (const char* stated = std::getenv("EDGEWISE_APPS")) {
    folders.emplace_back(stated);
  }
  const fs::path beside = fs::path(program).parent_path();
  folders.push_back(beside / "apps");
  folders.push_back(beside.parent_path() / "lib/edgewise/apps");
  if (const char* path = std::getenv("PATH")) {
    for (const std::string_view folder : Split(path, ':')) {
      if (!folder.empty()) {
        folders.emplace_back(folder);
      }
    }
  }
  for (const fs::path& folder : folders) {
    std::error_code error;
    if (fs::is_regular_file(folder / name, error)) {
      return (folder / name).string();
    }
  }
  return Error{ErrorCode::kUnsupported,
               "the sample app " + name +
                   " is not there: build the apps (script/build), or say in "
                   "$EDGEWISE_APPS which folder they are in"};
}

}  // namespace edgewise
