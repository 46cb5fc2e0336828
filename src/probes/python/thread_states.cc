#include "probes/python/thread_states.h"

#include <algorithm>
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

bool ThreadStates::Unchanged(const ReadPieces& read) {
  values_.resize(met_.size());
  pieces_.clear();
  for (size_t i = 0; i < met_.size(); ++i) {
    pieces_.push_back(
        {met_[i].address,
         std::span(reinterpret_cast<char*>(&values_[i]), sizeof values_[i])});
  }
  return read(pieces_) == pieces_.size() &&
         std::equal(
             met_.begin(), met_.end(), values_.begin(),
             [](const Met& met, uint64_t now) { return met.value == now; });
}

bool ThreadStates::Walk(const ReadPieces& read) {
  found_.clear();
  met_.clear();
  const uint64_t head = runtime_ + layout_->runtime_interpreters_head;
  uint64_t interpreter = 0;
  if (!ReadValue(read, head, &interpreter)) {
    return false;
  }
  met_.push_back({head, interpreter});  // new interpreters become the head
  size_t interpreters = 0;
  while (interpreter != 0) {
    const uint64_t threads = interpreter + layout_->interpreter_threads;
    ThreadList list;
    if (++interpreters > kMaxInterpreters || !ReadValue(read, threads, &list)) {
      return false;
    }
    met_.push_back({threads, list.made});
    if (!WalkThreads(read, list.head) ||
        !ReadValue(read, interpreter + layout_->interpreter_next,
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
    if (met_.size() > kMaxThreads || read(pieces) != pieces.size() ||
        links.prev != last) {
      return false;
    }
    met_.push_back({pieces[1].address, native_tid});
    // Of a thread that is in several interpreters the outermost counts, which
    // stands last; so do the thread's own state among those it has made for
    // threads that have not started.
    found_[static_cast<pid_t>(native_tid)] = thread;
    last = thread;
    thread = links.next;
  }
  return true;
}

}  // namespace edgewise::python
