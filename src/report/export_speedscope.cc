#include "report/export_speedscope.h"

#include <fmt/format.h>

#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "report/json_text.h"
#include "report/run_stacks.h"

namespace edgewise {
namespace {

using stacks::Frame;
using stacks::StackCount;
using stacks::StackProfile;
using stacks::StackThread;

// Lines of one function are one frame of the viewer.
struct ViewerFrames {
  std::vector<size_t> of_frame;
  std::vector<const Frame*> frames;
};

ViewerFrames MergeLines(const StackProfile& profile) {
  ViewerFrames merged;
  std::map<std::tuple<std::string_view, std::string_view, int>, size_t> ids;
  for (const Frame& frame : profile.frames) {
    const std::string_view where =
        frame.file.empty() ? frame.module : frame.file;
    const auto [place, is_new] = ids.try_emplace(
        {frame.function, where, frame.first_line}, merged.frames.size());
    if (is_new) {
      merged.frames.push_back(&frame);
    }
    merged.of_frame.push_back(place->second);
  }
  return merged;
}

std::string FrameJson(const Frame& frame) {
  std::string json = "{\"name\":" + JsonString(frame.function);
  if (!frame.file.empty() || !frame.module.empty()) {
    json += ",\"file\":" +
            JsonString(frame.file.empty() ? frame.module : frame.file);
  }
  if (frame.first_line > 0) {
    json += fmt::format(",\"line\":{}", frame.first_line);
  }
  return json + "}";
}

struct Weights {
  const char* unit;
  double each;  // of a count
};

Weights WeightsOf(const stacks::Collection& collection) {
  if (collection.unit == "samples" && collection.rate_hz &&
      *collection.rate_hz > 0) {
    return {"seconds", 1 / *collection.rate_hz};
  }
  if (collection.unit == "ns") {
    return {"nanoseconds", 1};
  }
  return {collection.unit == "bytes" ? "bytes" : "none", 1};
}

std::string ThreadName(const StackThread& thread) {
  std::string name = thread.process.empty() ? "stacks" : thread.process;
  if (thread.thread != thread.process && !thread.thread.empty()) {
    name += " " + thread.thread;
  }
  if (thread.tid != 0) {
    name += fmt::format(" ({}/{})", thread.pid, thread.tid);
  }
  return name;
}

void WriteThread(const StackProfile& profile, const ViewerFrames& frames,
                 const std::vector<const StackCount*>& counts,
                 const std::string& name, const TextSink& sink) {
  const Weights weights = WeightsOf(profile.collection);
  int64_t sum = 0;
  for (const StackCount* count : counts) {
    sum += count->count;
  }
  sink(
      fmt::format("{{\"type\":\"sampled\",\"name\":{},\"unit\":\"{}\","
                  "\"startValue\":0,\"endValue\":{},\"samples\":[",
                  JsonString(name), weights.unit,
                  JsonNumber(static_cast<double>(sum) * weights.each)));
  std::vector<int32_t> path;
  std::string text;
  for (const StackCount* count : counts) {
    text = count == counts.front() ? "\n[" : ",\n[";
    PathOf(profile, count->node, &path);
    for (size_t i = 0; i < path.size(); ++i) {
      text += i == 0 ? "" : ",";
      text += std::to_string(frames.of_frame[static_cast<size_t>(path[i])]);
    }
    sink(text += "]");
  }
  text = "],\"weights\":[";
  for (const StackCount* count : counts) {
    text += count == counts.front() ? "" : ",";
    text += JsonNumber(static_cast<double>(count->count) * weights.each);
  }
  sink(text += "]}");
}

}  // namespace

Result<void> ExportSpeedscope(const Store& store, const Run& run,
                              const TextSink& sink) {
  const auto profile = StacksOfRun(store, run);
  if (!profile) {
    return profile.error();
  }
  const ViewerFrames frames = MergeLines(*profile);
  sink(
      "{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\",\n"
      "\"exporter\":\"edgewise\",\"name\":" +
      JsonString(run.label.empty() ? run.id : run.label) +
      ",\n\"activeProfileIndex\":0,\"shared\":{\"frames\":[");
  for (size_t i = 0; i < frames.frames.size(); ++i) {
    sink((i == 0 ? "\n" : ",\n") + FrameJson(*frames.frames[i]));
  }
  sink("]},\n\"profiles\":[");
  std::vector<std::vector<const StackCount*>> of_thread(
      profile->threads.size());
  for (const StackCount& count : profile->counts) {
    of_thread[static_cast<size_t>(count.thread)].push_back(&count);
  }
  bool first = true;
  for (size_t i = 0; i < of_thread.size(); ++i) {
    if (of_thread[i].empty()) {
      continue;
    }
    sink(first ? "\n" : ",\n");
    first = false;
    WriteThread(*profile, frames, of_thread[i], ThreadName(profile->threads[i]),
                sink);
  }
  sink("]}\n");
  return {};
}

}  // namespace edgewise
