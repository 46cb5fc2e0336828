#include "symbols/python_merge.h"

#include <algorithm>

namespace edgewise::symbols {
namespace {

using Role = FrameNamer::Role;

bool OfInterpreter(Role role) {
  return role == Role::kEvaluator || role == Role::kInterpreter ||
         role == Role::kBuiltin;
}

// Python frames outermost first, one group for each call of the evaluator.
std::vector<std::vector<int32_t>> Groups(std::span<const PythonFrame> python) {
  std::vector<std::vector<int32_t>> groups;
  for (size_t i = python.size(); i-- > 0;) {
    const PythonFrame& frame = python[i];
    if (groups.empty() || frame.is_entry) {
      groups.emplace_back();
    }
    groups.back().push_back(frame.id);
  }
  return groups;
}

}  // namespace

std::vector<int32_t> MergePython(
    std::span<const FrameNamer::Frames* const> native,
    std::span<const PythonFrame> python, bool complete) {
  const std::vector<std::vector<int32_t>> groups = Groups(python);
  const auto evaluators = static_cast<size_t>(std::count_if(
      native.begin(), native.end(), [](const FrameNamer::Frames* frames) {
        return frames->role == Role::kEvaluator;
      }));
  std::vector<int32_t> merged;
  size_t next_group = 0;
  const auto take_group = [&] {
    if (next_group < groups.size()) {
      merged.insert(merged.end(), groups[next_group].begin(),
                    groups[next_group].end());
      ++next_group;
    }
  };
  if (!complete) {
    while (next_group + evaluators < groups.size()) {
      take_group();
    }
  }
  // Innermost frames of the interpreter and of the evaluator, as indices into
  // `native`, which is innermost first.
  const auto last = [&](auto is_wanted) {
    const auto found = std::find_if(native.begin(), native.end(), is_wanted);
    return static_cast<size_t>(found - native.begin());
  };
  const size_t last_evaluator =
      last([](const auto* frames) { return frames->role == Role::kEvaluator; });
  const size_t last_interpreter =
      last([](const auto* frames) { return OfInterpreter(frames->role); });
  const auto take_rest = [&] {
    while (next_group < groups.size()) {
      take_group();
    }
  };
  if (last_interpreter == native.size()) {
    take_rest();
  }
  size_t evaluators_seen = 0;
  for (size_t i = native.size(); i-- > 0;) {
    const FrameNamer::Frames& frames = *native[i];
    bool shown = false;
    switch (frames.role) {
      case Role::kEvaluator:
        take_group();
        ++evaluators_seen;
        break;
      case Role::kInterpreter:
        break;
      case Role::kBuiltin:
        shown = i < last_evaluator && last_evaluator < native.size();
        break;
      case Role::kStartUp:
        shown = evaluators_seen > 0 || i < last_interpreter;
        break;
      case Role::kOther:
        shown = true;
        break;
    }
    // Whatever is left was called by the innermost part of the interpreter, or
    // has ended since.
    if (i == last_interpreter && frames.role != Role::kBuiltin) {
      take_rest();
    }
    if (shown) {
      merged.insert(merged.end(), frames.ids.begin(), frames.ids.end());
    }
    if (i == last_interpreter) {
      take_rest();
    }
  }
  return merged;
}

}  // namespace edgewise::symbols
