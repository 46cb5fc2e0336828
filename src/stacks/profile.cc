#include "stacks/profile.h"

#include <algorithm>
#include <utility>

namespace edgewise::stacks {
namespace {

uint64_t Pair(int32_t a, int32_t b) {
  return static_cast<uint64_t>(static_cast<uint32_t>(a)) << 32 |
         static_cast<uint32_t>(b);
}

std::string KeyOf(const Frame& frame) {
  std::string key;
  key.reserve(frame.function.size() + frame.module.size() + frame.file.size() +
              32);
  for (const std::string* text :
       {&frame.function, &frame.module, &frame.file}) {
    key += *text;
    key += '\0';
  }
  key += std::to_string(frame.line) + ":" + std::to_string(frame.first_line);
  key += static_cast<char>('a' + static_cast<int>(frame.kind));
  key += frame.inlined ? 'i' : '-';
  key += frame.named ? 'n' : '-';
  return key;
}

bool InRange(int32_t index, size_t size) {
  return index >= 0 && static_cast<size_t>(index) < size;
}

}  // namespace

int64_t StackProfile::total() const {
  int64_t sum = 0;
  for (const StackCount& count : counts) {
    sum += count.count;
  }
  return sum;
}

bool StackProfile::Valid() const {
  for (size_t i = 0; i < nodes.size(); ++i) {
    if (nodes[i].parent < -1 || nodes[i].parent >= static_cast<int64_t>(i) ||
        !InRange(nodes[i].frame, frames.size())) {
      return false;
    }
  }
  return std::all_of(counts.begin(), counts.end(), [&](const StackCount& c) {
    return (c.node == -1 || InRange(c.node, nodes.size())) &&
           InRange(c.thread, threads.size()) && c.count >= 0;
  });
}

int32_t ProfileBuilder::AddFrame(const Frame& frame) {
  const auto [place, is_new] = frame_ids_.try_emplace(
      KeyOf(frame), static_cast<int32_t>(profile_.frames.size()));
  if (is_new) {
    profile_.frames.push_back(frame);
  }
  return place->second;
}

int32_t ProfileBuilder::AddThread(const StackThread& thread) {
  const auto [place, is_new] = thread_ids_.try_emplace(
      std::to_string(thread.pid) + ":" + std::to_string(thread.tid) + ":" +
          thread.process + '\0' + thread.thread,
      static_cast<int32_t>(profile_.threads.size()));
  if (is_new) {
    profile_.threads.push_back(thread);
  }
  return place->second;
}

void ProfileBuilder::Add(int32_t thread, std::span<const int32_t> frames,
                         int64_t count) {
  int32_t node = -1;
  for (const int32_t frame : frames) {
    const auto [place, is_new] = node_ids_.try_emplace(
        Pair(node, frame), static_cast<int32_t>(profile_.nodes.size()));
    if (is_new) {
      profile_.nodes.push_back({node, frame});
    }
    node = place->second;
  }
  const auto [place, is_new] =
      count_places_.try_emplace(Pair(node, thread), profile_.counts.size());
  if (is_new) {
    profile_.counts.push_back({node, thread, 0});
  }
  profile_.counts[place->second].count += count;
}

StackProfile ProfileBuilder::Take() {
  StackProfile taken = std::move(profile_);
  *this = ProfileBuilder();
  return taken;
}

}  // namespace edgewise::stacks
