#include "probes/python/frame_reader.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace edgewise::python {
namespace {

constexpr uint64_t kPageBytes = 4096;
constexpr size_t kPointerBytes = sizeof(uint64_t);
// The stack may have grown a little since the last time.
constexpr uint64_t kWindowSlackBytes = 1024;
constexpr size_t kMaxGuesses = 4096;
// A thread that runs on while it is read may have to be read again.
constexpr int kAttempts = 4;

// The end of what has to be read of a thread's state.
size_t ThreadBytes(const Layout& layout) {
  return std::max({layout.thread_native_thread_id + kPointerBytes,
                   layout.thread_cframe + kPointerBytes,
                   layout.thread_datastack_chunk + 3 * kPointerBytes});
}

// The piece of memory a thread puts its frames into, as its state says.
struct DataStack {
  uint64_t start = 0;
  uint64_t top = 0;
  uint64_t limit = 0;
};

std::pair<uint64_t, size_t> WindowOf(const DataStack& stack, size_t max_bytes) {
  if (stack.start == 0 || stack.top < stack.start || stack.limit < stack.top) {
    return {0, 0};
  }
  const uint64_t end =
      stack.top + std::min(kWindowSlackBytes, stack.limit - stack.top);
  const uint64_t bytes = std::min<uint64_t>(end - stack.start, max_bytes);
  return {end - bytes, bytes};
}

}  // namespace

RemotePiece FrameReader::Stretch::Piece(uint64_t from, size_t size) {
  address = from;
  bytes = 0;  // until it was read
  return {from, std::span(memory).first(std::min(size, kMaxBytes))};
}

std::span<const char> FrameReader::Stretch::Find(uint64_t from,
                                                 size_t size) const {
  if (from < address || from - address >= bytes ||
      size > bytes - (from - address)) {
    return {};
  }
  return std::span(memory).subspan(from - address, size);
}

FrameReader::FrameReader(ReadPieces read, const Layout& layout,
                         const RuntimePlace& place, PythonCodes* codes)
    : read_(std::move(read)),
      layout_(&layout),
      threads_(layout, place.runtime),
      cache_(layout, place.code_type, codes),
      codes_(codes),
      thread_(ThreadBytes(layout)) {}

std::optional<std::vector<stacks::SpooledPythonFrame>> FrameReader::Read(
    pid_t native_tid) {
  for (int attempt = 1; attempt < kAttempts; ++attempt) {
    if (auto frames = TryRead(native_tid)) {
      return frames;
    }
  }
  return TryRead(native_tid);
}

std::optional<std::vector<stacks::SpooledPythonFrame>> FrameReader::TryRead(
    pid_t native_tid) {
  const auto thread = threads_.Find(read_, native_tid);
  if (!thread) {
    return std::nullopt;
  }
  if (*thread == 0) {
    return std::vector<stacks::SpooledPythonFrame>();
  }
  if (guesses_.size() >= kMaxGuesses) {
    guesses_.clear();
  }
  Guess& guess = guesses_[native_tid];
  const auto current_frame = FindCurrentFrame(*thread, native_tid, &guess);
  if (!current_frame || !WalkFrames(*current_frame) || !ReadCodeHeads()) {
    guess.codes.clear();
    return std::nullopt;
  }
  Remember(&guess);
  return NameFrames();
}

std::optional<uint64_t> FrameReader::FindCurrentFrame(uint64_t thread,
                                                      pid_t native_tid,
                                                      Guess* guess) {
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    const auto read = ReadGuessed(thread, *guess);
    if (!read || ValueAt<uint64_t>(thread_, layout_->thread_native_thread_id) !=
                     static_cast<uint64_t>(native_tid)) {
      threads_.Forget(native_tid);
      *guess = Guess();
      return std::nullopt;
    }
    const auto cframe = ValueAt<uint64_t>(thread_, layout_->thread_cframe);
    if (cframe == 0) {
      return 0;
    }
    // Read in one call with the state that says so; a moment later it may lie
    // on a part of the native stack that is used for something else.
    if (cframe == guess->cframe && *read) {
      const bool idle = cframe == thread + layout_->thread_root_cframe;
      if (current_frame_ != 0 || idle) {
        return current_frame_;
      }
    }
    GuessPlaces(guess);
  }
  return std::nullopt;
}

std::optional<bool> FrameReader::ReadGuessed(uint64_t thread,
                                             const Guess& guess) {
  const size_t head_bytes = cache_.head_bytes();
  pieces_.clear();
  pieces_.push_back({thread, thread_});
  const RemotePiece window = window_.Piece(guess.window, guess.window_bytes);
  if (guess.cframe != 0) {
    pieces_.push_back({guess.cframe + layout_->cframe_current_frame,
                       std::span(reinterpret_cast<char*>(&current_frame_),
                                 sizeof current_frame_)});
    pieces_.push_back(window);
    code_heads_.resize(guess.codes.size() * head_bytes);
    for (size_t i = 0; i < guess.codes.size(); ++i) {
      pieces_.push_back(
          {guess.codes[i],
           std::span(code_heads_).subspan(i * head_bytes, head_bytes)});
    }
  }
  const size_t whole = read_(pieces_);
  elsewhere_.bytes = 0;
  window_.bytes = whole >= 3 ? window.into.size() : 0;
  guessed_codes_ = whole > 3 ? whole - 3 : 0;
  code_addresses_.assign(
      guess.codes.begin(),
      guess.codes.begin() + static_cast<ptrdiff_t>(guessed_codes_));
  return whole == 0 ? std::nullopt : std::optional(whole >= 2);
}

bool FrameReader::WalkFrames(uint64_t current_frame) {
  raw_.clear();
  deeper_ = false;
  // Marks of native calls come on top of the frames, at most one each.
  size_t steps_left = 2 * kMaxFrames;
  for (uint64_t address = current_frame; address != 0;) {
    if (raw_.size() == kMaxFrames || steps_left-- == 0) {
      deeper_ = true;
      return !HasCycle();
    }
    const std::span<const char> frame = FrameAt(address);
    if (frame.empty()) {
      return false;
    }
    const auto owner = ValueAt<uint8_t>(frame, layout_->frame_owner);
    if (owner > layout_->last_owner) {
      return false;
    }
    if (owner == static_cast<uint8_t>(FrameOwner::kCStack)) {
      if (!raw_.empty()) {
        raw_.back().is_entry = true;
      }
    } else {
      // Frames that have not begun yet are told, too: they are where the
      // thread is, and each native call has to have its entry.
      raw_.push_back(
          {.address = address,
           .code = ValueAt<uint64_t>(frame, layout_->frame_code),
           .prev_instr = ValueAt<uint64_t>(frame, layout_->frame_prev_instr),
           .is_generator =
               owner == static_cast<uint8_t>(FrameOwner::kGenerator),
           .is_entry = layout_->frame_has_is_entry &&
                       ValueAt<uint8_t>(frame, layout_->frame_is_entry) != 0});
    }
    address = ValueAt<uint64_t>(frame, layout_->frame_previous);
  }
  // The outermost frame was called by native code. A generator that has
  // yielded meanwhile is linked to no caller any more: what is said of it then
  // is only half of the truth.
  return raw_.empty() || (raw_.back().is_entry && !raw_.back().is_generator);
}

std::span<const char> FrameReader::FrameAt(uint64_t address) {
  const size_t size = layout_->frame_bytes;
  if (address % kPointerBytes != 0) {
    return {};
  }
  if (const auto frame = window_.Find(address, size); !frame.empty()) {
    return frame;
  }
  if (const auto frame = elsewhere_.Find(address, size); !frame.empty()) {
    return frame;
  }
  // Frames that called it lie before it, in the window's memory as far as that
  // goes, elsewhere on the same page at best.
  const auto chunk =
      ValueAt<uint64_t>(thread_, layout_->thread_datastack_chunk);
  uint64_t start = address / kPageBytes * kPageBytes;
  if (chunk != 0 && chunk <= address &&
      address - chunk <= Stretch::kMaxBytes - size) {
    start = chunk;
  }
  const RemotePiece piece = elsewhere_.Piece(start, address + size - start);
  if (read_(std::span(&piece, 1)) != 1) {
    return {};
  }
  elsewhere_.bytes = piece.into.size();
  return elsewhere_.Find(address, size);
}

bool FrameReader::HasCycle() const {
  std::vector<uint64_t> addresses;
  addresses.reserve(raw_.size());
  for (const RawFrame& frame : raw_) {
    addresses.push_back(frame.address);
  }
  std::sort(addresses.begin(), addresses.end());
  return raw_.size() < kMaxFrames ||
         std::adjacent_find(addresses.begin(), addresses.end()) !=
             addresses.end();
}

bool FrameReader::ReadCodeHeads() {
  for (const RawFrame& frame : raw_) {
    if (!std::binary_search(
            code_addresses_.begin(),
            code_addresses_.begin() + static_cast<ptrdiff_t>(guessed_codes_),
            frame.code)) {
      code_addresses_.push_back(frame.code);
    }
  }
  const auto others =
      code_addresses_.begin() + static_cast<ptrdiff_t>(guessed_codes_);
  std::sort(others, code_addresses_.end());
  code_addresses_.erase(std::unique(others, code_addresses_.end()),
                        code_addresses_.end());
  const size_t head_bytes = cache_.head_bytes();
  code_heads_.resize(code_addresses_.size() * head_bytes);
  pieces_.clear();
  for (size_t i = guessed_codes_; i < code_addresses_.size(); ++i) {
    pieces_.push_back(
        {code_addresses_[i],
         std::span(code_heads_).subspan(i * head_bytes, head_bytes)});
  }
  return pieces_.empty() || read_(pieces_) == pieces_.size();
}

std::span<const char> FrameReader::CodeHead(uint64_t address) const {
  const auto begin = code_addresses_.begin();
  const auto others = begin + static_cast<ptrdiff_t>(guessed_codes_);
  auto at = std::lower_bound(begin, others, address);
  if (at == others || *at != address) {
    at = std::lower_bound(others, code_addresses_.end(), address);
  }
  return std::span(code_heads_)
      .subspan(static_cast<size_t>(at - begin) * cache_.head_bytes(),
               cache_.head_bytes());
}

std::optional<std::vector<stacks::SpooledPythonFrame>>
FrameReader::NameFrames() {
  std::vector<stacks::SpooledPythonFrame> frames;
  frames.reserve(raw_.size() + 1);
  for (const RawFrame& raw : raw_) {
    const auto place =
        cache_.Find(read_, raw.code, CodeHead(raw.code), raw.prev_instr);
    if (!place) {
      return std::nullopt;
    }
    frames.push_back({.code = place->code,
                      .line = place->line,
                      .is_entry = raw.is_entry ? 1u : 0u});
  }
  if (deeper_) {
    frames.push_back(
        {.code = codes_->Intern("[deeper]", "", 0), .line = 0, .is_entry = 1});
  }
  return frames;
}

void FrameReader::GuessPlaces(Guess* guess) const {
  guess->cframe = ValueAt<uint64_t>(thread_, layout_->thread_cframe);
  const auto stack =
      ValueAt<DataStack>(thread_, layout_->thread_datastack_chunk);
  std::tie(guess->window, guess->window_bytes) =
      WindowOf(stack, Stretch::kMaxBytes);
}

void FrameReader::Remember(Guess* guess) const {
  GuessPlaces(guess);
  guess->codes.clear();
  for (const RawFrame& frame : raw_) {
    guess->codes.push_back(frame.code);
  }
  std::sort(guess->codes.begin(), guess->codes.end());
  guess->codes.erase(std::unique(guess->codes.begin(), guess->codes.end()),
                     guess->codes.end());
}

}  // namespace edgewise::python
