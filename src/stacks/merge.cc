#include <algorithm>

#include "stacks/difference.h"

namespace edgewise::stacks {
namespace {

void MergeCollection(const Collection& from, bool first, Collection* into) {
  if (first) {
    *into = from;
    return;
  }
  into->event = into->event == from.event ? into->event : "";
  into->unit = into->unit == from.unit ? into->unit : "";
  into->rate_hz = into->rate_hz == from.rate_hz ? into->rate_hz : std::nullopt;
  // A sum of which a part is not known is not known.
  into->samples =
      into->samples > 0 && from.samples > 0 ? into->samples + from.samples : 0;
  into->runs += from.runs;
  into->lost += from.lost;
  into->truncated += from.truncated;
  into->broken += from.broken;
  into->reached_root += from.reached_root;
  into->python_missed += from.python_missed;
  into->spool_bytes += from.spool_bytes;
  into->unwind_s = into->unwind_s && from.unwind_s
                       ? std::optional(*into->unwind_s + *from.unwind_s)
                       : std::nullopt;
  for (const std::string& note : from.notes) {
    if (std::find(into->notes.begin(), into->notes.end(), note) ==
        into->notes.end()) {
      into->notes.push_back(note);
    }
  }
}

}  // namespace

StackProfile MergedProfile(std::span<const StackProfile> profiles) {
  ProfileBuilder builder;
  bool first = true;
  for (const StackProfile& profile : profiles) {
    std::vector<int32_t> frames;
    for (const Frame& frame : profile.frames) {
      frames.push_back(builder.AddFrame(frame));
    }
    std::vector<int32_t> path;
    for (const StackCount& count : profile.counts) {
      path.clear();
      for (int32_t node = count.node; node >= 0;
           node = profile.nodes[static_cast<size_t>(node)].parent) {
        path.push_back(frames[static_cast<size_t>(
            profile.nodes[static_cast<size_t>(node)].frame)]);
      }
      std::reverse(path.begin(), path.end());
      builder.Add(
          builder.AddThread(profile.threads[static_cast<size_t>(count.thread)]),
          path, count.count);
    }
    MergeCollection(profile.collection, first, &builder.collection());
    first = false;
  }
  return builder.Take();
}

}  // namespace edgewise::stacks
