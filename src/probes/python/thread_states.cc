#include "probes/python/thread_states.h"

#include <array>
#include <cstddef>

namespace edgewise::python {
namespace {

// Longer lists are taken for rubbish.
constexpr size_t kMaxInterpreters = 64;
constexpr size_t kMaxThreads = 4096;

// As they lie in PyInterpreterState.
struct ThreadList {
  uint64_t made = 0;
  uint64_t head = 0;
};

// As they lie in PyThreadState.
struct Links {
  uint64_t prev = 0;
  uint64_t next = 0;
};

}  // namespace

std::optional<uint64_t> ThreadStates::Find(const ReadPieces& read,
                                           pid_t native_tid) {
  if (const auto known = found_.find(native_tid); known != found_.end()) {
    return known->second;
  }
  if (walked_ && Unchanged(read)) {
    return 0;
  }
  walked_ = Walk(read);
  if (!walked_) {
    found_.clear();
    return std::nullopt;
  }
  const auto known = found_.find(native_tid);
  return known != found_.end() ? known->second : 0;
}

bool ThreadStates::Unchanged(const ReadPieces& read) const {
  uint64_t head = 0;
  std::array<uint64_t, kMaxInterpreters> made{};
  std::array<RemotePiece, kMaxInterpreters + 1> pieces;
  const auto bytes_of = [](uint64_t& value) {
    return std::span(reinterpret_cast<char*>(&value), sizeof value);
  };
  size_t count = 0;
  pieces[count++] = {runtime_ + layout_->runtime_interpreters_head,
                     bytes_of(head)};
  for (const Interpreter& interpreter : interpreters_) {
    pieces[count] = {interpreter.address + layout_->interpreter_threads,
                     bytes_of(made[count - 1])};
    ++count;
  }
  if (read(std::span(pieces).first(count)) != count) {
    return false;
  }
  // New interpreters become the head.
  if (head != (interpreters_.empty() ? 0 : interpreters_.front().address)) {
    return false;
  }
  for (size_t i = 0; i < interpreters_.size(); ++i) {
    if (made[i] != interpreters_[i].made_thread_states) {
      return false;
    }
  }
  return true;
}

bool ThreadStates::Walk(const ReadPieces& read) {
  found_.clear();
  interpreters_.clear();
  uint64_t interpreter = 0;
  if (!ReadValue(read, runtime_ + layout_->runtime_interpreters_head,
                 &interpreter)) {
    return false;
  }
  while (interpreter != 0) {
    ThreadList list;
    if (interpreters_.size() == kMaxInterpreters ||
        !ReadValue(read, interpreter + layout_->interpreter_threads, &list) ||
        !WalkThreads(read, list.head)) {
      return false;
    }
    interpreters_.push_back({interpreter, list.made});
    if (!ReadValue(read, interpreter + layout_->interpreter_next,
                   &interpreter)) {
      return false;
    }
  }
  return true;
}

bool ThreadStates::WalkThreads(const ReadPieces& read, uint64_t head) {
  uint64_t last = 0;
  for (uint64_t thread = head; thread != 0;) {
    Links links;
    uint64_t native_tid = 0;
    const std::array<RemotePiece, 2> pieces{
        {{thread + layout_->thread_prev,
          std::span(reinterpret_cast<char*>(&links), sizeof links)},
         {thread + layout_->thread_native_thread_id,
          std::span(reinterpret_cast<char*>(&native_tid), sizeof native_tid)}}};
    // The way back shows that the list was not changed meanwhile, and is no
    // circle.
    if (found_.size() == kMaxThreads || read(pieces) != pieces.size() ||
        links.prev != last) {
      return false;
    }
    // Of a thread that is in several interpreters the outermost counts, which
    // stands last.
    found_[static_cast<pid_t>(native_tid)] = thread;
    last = thread;
    thread = links.next;
  }
  return true;
}

}  // namespace edgewise::python
