#include "impair/flow.h"

#include <sys/socket.h>
#include <sys/uio.h>

#include <algorithm>
#include <array>
#include <cerrno>

namespace edgewise {
namespace {

constexpr size_t kReadBytes = 64 << 10;
constexpr size_t kMaxParts = 64;  // of one write

bool WouldBlock(int error) { return error == EAGAIN || error == EWOULDBLOCK; }

}  // namespace

Flow::Flow(const Lane& lane, int64_t open_ns, ProxyCounts* counts,
           int64_t* bytes)
    : lane_(lane), open_ns_(open_ns), counts_(counts), bytes_(bytes) {}

bool Flow::Read(int from, int to, int64_t now_ns) {
  // One for the thread: flows need it only while they read.
  static thread_local std::array<char, kReadBytes> buffer;
  const ssize_t got = ::recv(from, buffer.data(), buffer.size(), 0);
  if (got < 0) {
    return WouldBlock(errno) || errno == EINTR;
  }
  if (got == 0) {
    ended_ = true;
    end_due_ns_ = lane_.transparent()
                      ? now_ns
                      : lane_.PassEnd(std::max(now_ns, open_ns_));
    return Write(to, now_ns);
  }
  size_t sent = 0;
  const auto size = static_cast<size_t>(got);
  if (lane_.transparent() && pieces_.empty()) {
    const ssize_t put = ::send(to, buffer.data(), size, MSG_NOSIGNAL);
    if (put < 0 && !WouldBlock(errno) && errno != EINTR) {
      return false;
    }
    sent = put > 0 ? static_cast<size_t>(put) : 0;
    *bytes_ += static_cast<int64_t>(sent);
  }
  if (sent < size) {
    Enqueue(buffer.data() + sent, size - sent, now_ns);
    return Write(to, now_ns);
  }
  return true;
}

void Flow::Enqueue(const char* bytes, size_t size, int64_t now_ns) {
  const int64_t entered_ns = std::max(now_ns, open_ns_);
  const size_t limit =
      lane_.in_segments() ? static_cast<size_t>(kSegmentBytes) : size;
  for (size_t at = 0; at < size; at += limit) {
    const size_t part = std::min(limit, size - at);
    Piece& piece = pieces_.emplace_back();
    piece.bytes.assign(bytes + at, part);
    piece.read_ns = now_ns;
    piece.due_ns = now_ns;
    if (!lane_.transparent()) {
      const auto following =
          static_cast<int64_t>((size - at - part + limit - 1) / limit);
      const Lane::Passage passage =
          lane_.Pass(entered_ns, static_cast<int64_t>(part), following);
      piece.due_ns = passage.due_ns;
      counts_->segments += lane_.in_segments() ? 1 : 0;
      counts_->lost_segments += passage.lost ? 1 : 0;
    }
  }
  waiting_ += static_cast<int64_t>(size);
}

bool Flow::Write(int to, int64_t now_ns) {
  blocked_ = false;
  if (!WriteDue(to, now_ns)) {
    return false;
  }
  if (ended_ && !done_ && pieces_.empty() && end_due_ns_ <= now_ns) {
    done_ = true;
    // Fails only if the other side is gone already, which its own flow sees.
    (void)::shutdown(to, SHUT_WR);
  }
  return true;
}

bool Flow::WriteDue(int to, int64_t now_ns) {
  while (!pieces_.empty() && pieces_.front().due_ns <= now_ns) {
    std::array<iovec, kMaxParts> parts;
    size_t count = 0;
    size_t asked = 0;
    for (auto piece = pieces_.begin();
         piece != pieces_.end() && count < kMaxParts && piece->due_ns <= now_ns;
         ++piece) {
      const size_t left = piece->bytes.size() - piece->written;
      parts[count++] = {piece->bytes.data() + piece->written, left};
      asked += left;
    }
    msghdr message{};
    message.msg_iov = parts.data();
    message.msg_iovlen = count;
    const ssize_t put = ::sendmsg(to, &message, MSG_NOSIGNAL);
    if (put < 0) {
      if (errno == EINTR) {
        continue;
      }
      blocked_ = WouldBlock(errno);
      return blocked_;
    }
    Wrote(static_cast<size_t>(put), now_ns);
    if (static_cast<size_t>(put) < asked) {
      blocked_ = true;
      return true;
    }
  }
  return true;
}

void Flow::Wrote(size_t size, int64_t now_ns) {
  waiting_ -= static_cast<int64_t>(size);
  *bytes_ += static_cast<int64_t>(size);
  while (size > 0) {
    Piece& piece = pieces_.front();
    const size_t part = std::min(size, piece.bytes.size() - piece.written);
    piece.written += part;
    size -= part;
    if (piece.written == piece.bytes.size()) {
      counts_->added_delay_ns.Add(static_cast<double>(now_ns - piece.read_ns));
      pieces_.pop_front();
    }
  }
}

std::optional<int64_t> Flow::NextDueNs() const {
  if (blocked_ || done_) {
    return std::nullopt;
  }
  if (!pieces_.empty()) {
    return pieces_.front().due_ns;
  }
  return ended_ ? std::optional(end_due_ns_) : std::nullopt;
}

}  // namespace edgewise
