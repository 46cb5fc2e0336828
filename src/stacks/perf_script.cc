#include "stacks/perf_script.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "base/text.h"
#include "base/units.h"
#include "stacks/perf_script_line.h"

namespace edgewise::stacks {
namespace {

constexpr std::string_view kUnknown = "[unknown]";
constexpr std::string_view kArrow = "->";
// The kernel cuts stacks at 127 frames unless told otherwise; what is deeper
// than this is no stack.
constexpr size_t kMaxDepth = 4096;

int NumberOf(std::string_view digits) {
  const auto number = ParseInt(digits);
  return number && *number <= std::numeric_limits<int>::max()
             ? static_cast<int>(*number)
             : 0;
}

// What the periods of an event count.
std::string UnitOf(std::string_view event) {
  const std::string_view name = event.substr(0, event.find(':'));
  if (name == "cpu-clock" || name == "task-clock") {
    return "ns";
  }
  return name.empty() ? "events" : std::string(name);
}

void AppendMark(std::string_view mark, std::string* name) {
  if (name->find(mark) == std::string::npos) {
    name->append(mark);
  }
}

}  // namespace

PerfScriptReader::PerfScriptReader(PerfScriptOptions options)
    : options_(std::move(options)),
      event_(options_.event),
      event_chosen_(!options_.event.empty()) {}

void PerfScriptReader::Feed(std::string_view piece) {
  lines_.Feed(piece, [this](std::string_view line) { TakeLine(line); });
}

void PerfScriptReader::TakeLine(std::string_view line) {
  if (line.empty()) {
    EndSample();
  } else if (line.front() != '#' && !TakeEvent(line) && !TakeFrame(line)) {
    ++unknown_lines_;
  }
}

bool PerfScriptReader::TakeEvent(std::string_view line) {
  const auto found = ParsePerfEventLine(line);
  if (!found) {
    return false;
  }
  if (!found->event.empty()) {
    if (!event_chosen_) {
      // Events are not mixed: instructions and cycles do not add up.
      event_ = found->event;
      event_chosen_ = true;
    } else if (found->event != event_) {
      ++other_events_;
      return true;
    }
  }
  std::string process(found->command);
  std::replace(process.begin(), process.end(), ' ', '_');
  is_java_ = process.starts_with("java");
  std::string key = process;
  key += '\0';
  key.append(found->pid).append("/").append(found->tid);
  auto thread = threads_.find(key);
  if (thread == threads_.end()) {
    const std::string pid(found->pid.empty() ? "?" : found->pid);
    StackThread made;
    made.pid = NumberOf(found->pid);
    made.tid = NumberOf(found->tid);
    made.thread = process;
    made.process = process;
    if (options_.tid) {
      made.process += "-" + pid + "/" + std::string(found->tid);
    } else if (options_.pid) {
      made.process += "-" + pid;
    }
    thread = threads_.emplace(std::move(key), builder_.AddThread(made)).first;
  }
  thread_ = thread->second;
  period_ = found->period;
  in_sample_ = true;
  return true;
}

bool PerfScriptReader::TakeFrame(std::string_view line) {
  KnownLines& known = is_java_ ? known_java_lines_ : known_lines_;
  const KnownLines::Value* value = in_sample_ ? known.Find(line) : nullptr;
  if (value != nullptr) {
    Push(value->first, value->count);
    return true;
  }
  const auto found = ParsePerfFrameLine(line);
  if (!found) {
    return false;
  }
  if (!in_sample_) {
    return true;  // of an event that is not counted
  }
  const size_t first = frames_of_lines_.size();
  AddFrames(found->address, found->symbol, found->module);
  const size_t count = frames_of_lines_.size() - first;
  Push(first, count);
  if (!known.Add(
          line, {static_cast<uint32_t>(first), static_cast<uint32_t>(count)})) {
    frames_of_lines_.resize(first);
  }
  return true;
}

void PerfScriptReader::Push(size_t first, size_t count) {
  if (stack_.size() + count <= kMaxDepth) {
    for (size_t i = count; i-- > 0;) {
      stack_.push_back(frames_of_lines_[first + i]);
    }
  }
}

void PerfScriptReader::AddFrames(std::string_view address,
                                 std::string_view symbol,
                                 std::string_view module) {
  if (symbol.empty() || symbol.front() == '(') {
    return;  // a process name
  }
  const PerfModule where = ClassifyPerfModule(module);
  bool outermost = true;
  while (true) {
    const size_t arrow = symbol.find(kArrow);
    std::string name(symbol.substr(0, arrow));
    Frame frame;
    frame.kind = where.kind;
    frame.module = where.name;
    frame.inlined = where.inlined || !outermost;
    if (name == kUnknown) {
      frame.named = false;
      const bool known_module = module != kUnknown;
      frame.kind = known_module ? where.kind : FrameKind::kMark;
      name = known_module ? std::string(module.substr(module.rfind('/') + 1))
                          : "unknown";
      name = options_.addresses
                 ? "[" + name + " <" + std::string(address) + ">]"
                 : "[" + name + "]";
    }
    frame.function = TidyPerfSymbol(name, is_java_);
    if (!outermost) {
      AppendMark("_[i]", &frame.function);
    } else if (options_.kernel_marks && where.marked_kernel) {
      AppendMark("_[k]", &frame.function);
    } else if (options_.jit_marks && where.kind == FrameKind::kJit) {
      AppendMark("_[j]", &frame.function);
    }
    frames_of_lines_.push_back(builder_.AddFrame(frame));
    outermost = false;
    if (arrow == std::string_view::npos) {
      return;
    }
    symbol.remove_prefix(arrow + kArrow.size());
    if (symbol.empty()) {
      return;  // a trailing arrow leads nowhere
    }
  }
}

void PerfScriptReader::EndSample() {
  if (in_sample_ && period_ <= std::numeric_limits<int64_t>::max() - total_) {
    reversed_.assign(stack_.rbegin(), stack_.rend());
    builder_.Add(thread_, reversed_, period_);
    total_ += period_;
    ++samples_;
    weighted_ = weighted_ || period_ != 1;
  }
  stack_.clear();
  in_sample_ = false;
}

void PerfScriptReader::AddNotes() {
  std::vector<std::string>& notes = builder_.collection().notes;
  const auto were = [](int64_t count) { return count == 1 ? "was" : "were"; };
  if (other_events_ > 0) {
    notes.push_back("only samples of the event " + event_ +
                    " are counted: " + FormatCount(other_events_) +
                    " of other events " + were(other_events_) + " left out");
  }
  if (const int64_t lines = unknown_lines_ + lines_.too_long_lines();
      lines > 0) {
    notes.push_back(FormatCount(lines, "line") +
                    " of the text did not look like perf script and " +
                    were(lines) + " left out");
  }
  if (in_sample_) {
    notes.push_back("the text ends within a sample, and that one was left out");
  }
}

Result<StackProfile> PerfScriptReader::Finish() {
  lines_.End([this](std::string_view line) { TakeLine(line); });
  AddNotes();
  if (samples_ == 0) {
    return Error{ErrorCode::kInvalid,
                 other_events_ > 0
                     ? "has no samples of the event " + event_
                     : "has no samples as `perf script` prints them"};
  }
  Collection& collection = builder_.collection();
  collection.event = event_;
  collection.unit = weighted_ ? UnitOf(event_) : "samples";
  collection.samples = samples_;
  return builder_.Take();
}

}  // namespace edgewise::stacks
