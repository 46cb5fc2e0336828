#include "http/mhd/connection_watch.h"

#include <sys/socket.h>

#include <algorithm>
#include <chrono>

#include "base/clock.h"

namespace edgewise::http {
namespace {

constexpr int64_t kNsPerBodyByte = kNsPerSecond / (int64_t{16} << 10);
// A client that has just connected gets this long even in a crowd.
constexpr int64_t kGraceNs = kNsPerSecond;
constexpr int64_t kQuietNs = 15 * kNsPerSecond;
constexpr char kStillHere[] = ":\n\n";  // a comment among events

}  // namespace

ConnectionWatch::ConnectionWatch(int64_t request_limit_ns, size_t limit,
                                 Traffic& traffic)
    : request_limit_ns_(request_limit_ns),
      crowd_(std::max<size_t>(1, limit - limit / 4)),
      traffic_(traffic),
      thread_([this] { Watch(); }) {}

ConnectionWatch::~ConnectionWatch() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

WatchedConnection* ConnectionWatch::Opened(int fd) {
  const std::lock_guard lock(mutex_);
  connections_.push_front(std::make_unique<WatchedConnection>(fd));
  WatchedConnection* const connection = connections_.front().get();
  BeginRequest(*connection);
  traffic_.connections.fetch_add(1, std::memory_order_relaxed);
  changed_.notify_all();
  return connection;
}

void ConnectionWatch::Closed(WatchedConnection* connection) {
  const std::lock_guard lock(mutex_);
  connections_.remove_if(
      [connection](const auto& each) { return each.get() == connection; });
  traffic_.connections.fetch_sub(1, std::memory_order_relaxed);
}

void ConnectionWatch::BeginRequest(WatchedConnection& connection) const {
  const int64_t now_ns = MonotonicNs();
  connection.deadline_ns = now_ns + request_limit_ns_;
  connection.owing_since_ns = now_ns;
}

void ConnectionWatch::MoveOn(WatchedConnection& connection, size_t bytes) {
  connection.deadline_ns += static_cast<int64_t>(bytes) * kNsPerBodyByte;
}

void ConnectionWatch::BeginWork(WatchedConnection& connection) {
  connection.owing_since_ns = WatchedConnection::kNever;
  connection.deadline_ns = WatchedConnection::kNever;
}

void ConnectionWatch::BeginAnswer(WatchedConnection& connection,
                                  size_t bytes) const {
  connection.owing_since_ns = WatchedConnection::kNever;
  connection.deadline_ns = MonotonicNs() + request_limit_ns_;
  MoveOn(connection, bytes);
}

void ConnectionWatch::BeginStream(WatchedConnection& connection,
                                  std::shared_ptr<Stream> stream) {
  BeginWork(connection);
  const std::lock_guard lock(mutex_);
  if (streams_ended_) {
    stream->End();
  }
  connection.stream = std::move(stream);
}

void ConnectionWatch::EndStream(WatchedConnection& connection) {
  const std::lock_guard lock(mutex_);
  connection.stream = nullptr;
}

void ConnectionWatch::EndStreams() {
  const std::lock_guard lock(mutex_);
  streams_ended_ = true;
  for (const auto& connection : connections_) {
    if (connection->stream) {
      connection->stream->End();
    }
  }
}

void ConnectionWatch::CutAll() {
  const std::lock_guard lock(mutex_);
  for (const auto& connection : connections_) {
    CutLocked(*connection);
  }
}

void ConnectionWatch::Watch() {
  std::unique_lock lock(mutex_);
  while (!stopping_) {
    if (connections_.empty()) {
      changed_.wait(lock,
                    [this] { return stopping_ || !connections_.empty(); });
      continue;
    }
    changed_.wait_for(lock, std::chrono::milliseconds(250),
                      [this] { return stopping_; });
    const int64_t now_ns = MonotonicNs();
    CutLateLocked(now_ns);
    MakeRoomLocked(now_ns);
  }
}

void ConnectionWatch::CutLateLocked(int64_t now_ns) {
  for (const auto& connection : connections_) {
    if (connection->deadline_ns < now_ns) {
      CutLocked(*connection);
    } else if (connection->stream != nullptr) {
      connection->stream->WriteIfQuietSince(now_ns - kQuietNs, kStillHere);
      if (!connection->stream->open() &&
          connection->deadline_ns == WatchedConnection::kNever) {
        connection->deadline_ns = now_ns + request_limit_ns_;
      }
    }
  }
}

void ConnectionWatch::MakeRoomLocked(int64_t now_ns) {
  if (connections_.size() <= crowd_) {
    return;
  }
  for (const auto& connection : connections_) {
    if (connection->owing_since_ns < now_ns - kGraceNs) {
      CutLocked(*connection);
    }
  }
}

void ConnectionWatch::CutLocked(WatchedConnection& connection) {
  if (!connection.cut) {
    connection.cut = true;
    traffic_.cut.fetch_add(1);
    // The server's thread sees the end and closes it.
    (void)::shutdown(connection.fd, SHUT_RDWR);
  }
}

}  // namespace edgewise::http
