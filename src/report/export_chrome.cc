#include "report/export_chrome.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "report/json_text.h"
#include "report/outcome.h"

namespace edgewise {
namespace {

constexpr size_t kPieceBytes = 1 << 18;

// The trace as it grows: commas between events, large pieces to the sink.
class Events {
 public:
  explicit Events(const TextSink& sink) : sink_(sink) {}
  Events(const Events&) = delete;
  Events& operator=(const Events&) = delete;

  void Add(std::string_view event) {
    text_ += first_ ? "\n" : ",\n";
    text_ += event;
    first_ = false;
    if (text_.size() >= kPieceBytes) {
      Pass();
    }
  }
  void Raw(std::string_view text) { text_ += text; }
  void Pass() {
    sink_(text_);
    text_.clear();
  }

 private:
  const TextSink& sink_;
  std::string text_;
  bool first_ = true;
};

// Spans know their thread alone; the Run's list of threads has the process.
class Processes {
 public:
  explicit Processes(const Run& run) {
    for (const ThreadUse& thread : run.threads) {
      of_thread_.emplace(thread.tid, thread.pid);
    }
    main_ = run.threads.empty() ? 1 : run.threads.front().pid;
  }
  int main() const { return main_; }
  int Of(int tid) const {
    const auto found = of_thread_.find(tid);
    return found == of_thread_.end() ? main_ : found->second;
  }

 private:
  std::map<int, int> of_thread_;
  int main_ = 1;
};

void AddNames(const Run& run, const Processes& processes, Events* events) {
  const auto name = [&](std::string_view what, int pid, int tid,
                        std::string_view text) {
    events->Add(fmt::format(
        R"({{"ph":"M","name":"{}","pid":{},"tid":{},"args":{{"name":{}}}}})",
        what, pid, tid, JsonString(text)));
  };
  std::vector<int> named;
  for (const ThreadUse& thread : run.threads) {
    if (std::find(named.begin(), named.end(), thread.pid) == named.end()) {
      named.push_back(thread.pid);
      const bool is_main = thread.pid == processes.main();
      name("process_name", thread.pid, thread.pid,
           is_main && !run.command.empty() ? run.command.front() : thread.name);
    }
    name("thread_name", thread.pid, thread.tid, thread.name);
  }
  if (run.threads.empty()) {
    name("process_name", processes.main(), 0, CommandText(run));
  }
}

// ns as the format's microseconds.
std::string Us(int64_t ns) { return JsonThousandths(ns); }

std::string CpuArgument(int64_t cpu_ns) {
  return cpu_ns < 0 ? "" : fmt::format("\"cpu_us\":{}", Us(cpu_ns));
}

std::string Slice(const std::string& name_json, const char* category,
                  int64_t start_ns, int64_t wall_ns, int pid, int tid,
                  const std::string& arguments) {
  return fmt::format(
      R"({{"ph":"X","name":{},"cat":"{}","ts":{},"dur":{},"pid":{},"tid":{})"
      R"(,"args":{{{}}}}})",
      name_json, category, Us(start_ns), Us(std::max<int64_t>(0, wall_ns)), pid,
      tid, arguments);
}

Result<void> AddSpans(const Store& store, const Run& run,
                      const SeriesInfo& info, const Processes& processes,
                      Events* events) {
  const std::string name = JsonString(info.name);
  std::map<uint32_t, std::string> metas;
  Result<void> meta_read;
  auto read = store.ReadSpans(info.id, [&](std::span<const Span> spans) {
    for (const Span& span : spans) {
      std::string arguments = CpuArgument(span.cpu_ns);
      if (span.meta != 0) {
        const auto [meta, is_new] = metas.try_emplace(span.meta);
        if (is_new) {
          const auto text = store.MetaText(run.id, span.meta);
          meta_read = text ? meta_read : Result<void>(text.error());
          meta->second = JsonString(text ? *text : "");
        }
        arguments +=
            (arguments.empty() ? "\"meta\":" : ",\"meta\":") + meta->second;
      }
      events->Add(Slice(name, "span", span.start_ns, span.wall_ns,
                        processes.Of(span.tid), span.tid, arguments));
    }
  });
  return read ? meta_read : read;
}

Result<void> AddJobs(const Store& store, const SeriesInfo& info,
                     const Processes& processes, Events* events) {
  const auto jobs = store.Jobs(info.id);
  if (!jobs) {
    return jobs.error();
  }
  const std::string name = JsonString(info.name);
  for (const Job& job : *jobs) {
    std::string arguments = fmt::format(
        R"("release_us":{},"deadline_us":{},"missed":{})", Us(job.release_ns),
        Us(job.deadline_ns), job.end_ns > job.deadline_ns);
    if (job.cpu_ns >= 0) {
      arguments += "," + CpuArgument(job.cpu_ns);
    }
    events->Add(Slice(name, "job", job.start_ns, job.end_ns - job.start_ns,
                      processes.Of(job.tid), job.tid, arguments));
  }
  return {};
}

Result<void> AddPoints(const Store& store, const SeriesInfo& info, int pid,
                       Events* events) {
  const auto points = store.Points(info.id);
  if (!points) {
    return points.error();
  }
  const std::string name = JsonString(info.name);
  const std::string unit = JsonString(info.unit.empty() ? "value" : info.unit);
  for (const Point& point : *points) {
    if (std::isfinite(point.value)) {
      events->Add(fmt::format(
          R"({{"ph":"C","name":{},"ts":{},"pid":{},"tid":0,"args":{{{}:{}}}}})",
          name, Us(point.t_ns), pid, unit, JsonNumber(point.value)));
    }
  }
  return {};
}

}  // namespace

Result<void> ExportChrome(const Store& store, const Run& run,
                          const TextSink& sink) {
  const auto all = store.SeriesOf(run.id);
  if (!all) {
    return all.error();
  }
  if (std::none_of(all->begin(), all->end(),
                   [](const SeriesInfo& info) { return info.count > 0; })) {
    return Error{ErrorCode::kInvalid,
                 "Run " + run.id +
                     " has no spans, jobs or series to draw over time; stacks "
                     "go to --format speedscope or pprof"};
  }
  const Processes processes(run);
  Events events(sink);
  events.Raw("{\"displayTimeUnit\":\"ms\",\"otherData\":{\"run\":" +
             JsonString(run.id) + ",\"command\":" +
             JsonString(CommandText(run)) + "},\n\"traceEvents\":[");
  AddNames(run, processes, &events);
  for (const SeriesInfo& info : *all) {
    Result<void> added;
    if (info.kind == SeriesKind::kSpan) {
      added = AddSpans(store, run, info, processes, &events);
    } else if (info.kind == SeriesKind::kJob) {
      added = AddJobs(store, info, processes, &events);
    } else {
      added = AddPoints(store, info, processes.main(), &events);
    }
    if (!added) {
      return added;
    }
  }
  events.Raw("]}\n");
  events.Pass();
  return {};
}

}  // namespace edgewise
