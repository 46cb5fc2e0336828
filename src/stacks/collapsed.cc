#include "stacks/collapsed.h"

#include <algorithm>
#include <limits>
#include <map>
#include <utility>

#include "base/text.h"
#include "base/units.h"

namespace edgewise::stacks {
namespace {

constexpr std::string_view kKernelMark = "_[k]";
constexpr std::string_view kJitMark = "_[j]";
constexpr std::string_view kInlinedMark = "_[i]";
constexpr std::string_view kNothing = "[unknown]";

// A name that cannot end its element, or the line.
std::string Element(std::string_view name) {
  std::string element(name);
  for (char& c : element) {
    if (c == ';') {
      c = ':';
    } else if (c == '\n' || c == '\r') {
      c = ' ';
    }
  }
  return element;
}

std::string ElementOf(const Frame& frame,
                      const CollapsedWriteOptions& options) {
  std::string element = Element(frame.function);
  const auto mark = [&](bool wanted, std::string_view text) {
    if (wanted && element.find(text) == std::string::npos) {
      element += text;
    }
  };
  mark(options.inlined_marks && frame.inlined, kInlinedMark);
  mark(options.kernel_marks && frame.kind == FrameKind::kKernel, kKernelMark);
  mark(options.jit_marks && frame.kind == FrameKind::kJit, kJitMark);
  return element;
}

}  // namespace

void WriteCollapsed(const StackProfile& profile,
                    const CollapsedWriteOptions& options,
                    const std::function<void(std::string_view)>& sink) {
  std::vector<std::string> elements;
  for (const Frame& frame : profile.frames) {
    elements.push_back(ElementOf(frame, options));
  }
  std::map<std::string, int64_t> lines;
  std::vector<int32_t> path;
  for (const StackCount& count : profile.counts) {
    path.clear();
    for (int32_t node = count.node; node >= 0;
         node = profile.nodes[static_cast<size_t>(node)].parent) {
      path.push_back(profile.nodes[static_cast<size_t>(node)].frame);
    }
    std::string line;
    if (options.process_first) {
      line =
          Element(profile.threads[static_cast<size_t>(count.thread)].process);
    }
    for (size_t i = path.size(); i-- > 0;) {
      line += line.empty() ? "" : ";";
      line += elements[static_cast<size_t>(path[i])];
    }
    if (line.empty()) {
      line = kNothing;
    }
    lines[std::move(line)] += count.count;
  }
  std::string text;
  for (const auto& [line, count] : lines) {
    text.assign(line).append(" ").append(std::to_string(count)).append("\n");
    sink(text);
  }
}

CollapsedReader::CollapsedReader(CollapsedReadOptions options)
    : options_(std::move(options)) {}

void CollapsedReader::Feed(std::string_view piece) {
  lines_.Feed(piece, [this](std::string_view line) { TakeLine(line); });
}

int32_t CollapsedReader::FrameOf(std::string_view name) {
  if (const auto found = frames_.find(name); found != frames_.end()) {
    return found->second;
  }
  Frame frame;
  frame.function = name;
  if (name.ends_with(kKernelMark)) {
    frame.kind = FrameKind::kKernel;
  } else if (name.ends_with(kJitMark)) {
    frame.kind = FrameKind::kJit;
  } else if (name.starts_with('[') && name.ends_with(']')) {
    frame.kind = FrameKind::kMark;
    frame.named = false;
  }
  frame.inlined = name.ends_with(kInlinedMark);
  return frames_.emplace(name, builder_.AddFrame(frame)).first->second;
}

void CollapsedReader::TakeLine(std::string_view line) {
  while (line.ends_with(' ') || line.ends_with('\t')) {
    line.remove_suffix(1);
  }
  if (line.empty() || line.starts_with('#')) {
    return;
  }
  const size_t blank = line.find_last_of(" \t");
  const auto count = blank == std::string_view::npos
                         ? std::nullopt
                         : ParseInt(line.substr(blank + 1));
  // One blank separates; further ones are part of the last name.
  const std::string_view names =
      blank == std::string_view::npos ? "" : line.substr(0, blank);
  if (!count || *count < 0 || Trim(names).empty() ||
      *count > std::numeric_limits<int64_t>::max() - total_) {
    ++skipped_lines_;
    return;
  }
  std::string_view rest = names;
  std::string_view process;
  if (options_.process_first) {
    const size_t end = std::min(rest.find(';'), rest.size());
    process = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  stack_.clear();
  while (!rest.empty()) {
    const size_t end = std::min(rest.find(';'), rest.size());
    stack_.push_back(FrameOf(rest.substr(0, end)));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  auto thread = threads_.find(process);
  if (thread == threads_.end()) {
    StackThread made;
    made.process = process;
    made.thread = process;
    thread = threads_.emplace(process, builder_.AddThread(made)).first;
  }
  builder_.Add(thread->second, stack_, *count);
  total_ += *count;
  ++stacks_;
}

Result<StackProfile> CollapsedReader::Finish() {
  lines_.End([this](std::string_view line) { TakeLine(line); });
  if (stacks_ == 0) {
    return Error{ErrorCode::kInvalid,
                 "has no collapsed stacks (lines such as \"main;read 42\")"};
  }
  Collection& collection = builder_.collection();
  collection.unit = options_.unit;
  collection.samples = options_.unit == "samples" ? total_ : 0;
  if (skipped_lines() > 0) {
    collection.notes.push_back(
        FormatCount(skipped_lines(), "line") +
        " of the text had no stack with a whole number and " +
        (skipped_lines() == 1 ? "was" : "were") + " left out");
  }
  return builder_.Take();
}

}  // namespace edgewise::stacks
