// ConnectionWatch: ends connections whose client takes too long, makes room
// when there are many, and keeps quiet streams alive.
//
// Thread-safe; one thread of its own, asleep while there is no connection.
#ifndef EDGEWISE_HTTP_MHD_CONNECTION_WATCH_H_
#define EDGEWISE_HTTP_MHD_CONNECTION_WATCH_H_

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <thread>

#include "http/stream.h"
#include "http/traffic.h"

namespace edgewise::http {

// One connection. The server's threads move its deadline on.
struct WatchedConnection {
  static constexpr int64_t kNever = INT64_MAX;

  explicit WatchedConnection(int socket) : fd(socket) {}

  const int fd;
  std::atomic<int64_t> deadline_ns{kNever};
  // Since when the client owes a whole request; kNever while it owes none.
  std::atomic<int64_t> owing_since_ns{kNever};
  std::shared_ptr<Stream> stream;  // under the watch's lock
  bool cut = false;                // likewise
};

class ConnectionWatch {
 public:
  // `limit`: from three quarters of so many connections on, those that idle for
  // more than a second have to go.
  ConnectionWatch(int64_t request_limit_ns, size_t limit, Traffic& traffic);
  ~ConnectionWatch();
  ConnectionWatch(const ConnectionWatch&) = delete;
  ConnectionWatch& operator=(const ConnectionWatch&) = delete;

  WatchedConnection* Opened(int fd);
  // Before its descriptor is closed.
  void Closed(WatchedConnection* connection);

  // The client may begin a request.
  void BeginRequest(WatchedConnection& connection) const;
  // It has sent more of a body.
  static void MoveOn(WatchedConnection& connection, size_t bytes);
  // The server works on it: no deadline.
  static void BeginWork(WatchedConnection& connection);
  // The client may take the answer.
  void BeginAnswer(WatchedConnection& connection, size_t bytes) const;
  void BeginStream(WatchedConnection& connection,
                   std::shared_ptr<Stream> stream);
  void EndStream(WatchedConnection& connection);
  // All of now and all to come.
  void EndStreams();
  // Ends all connections of now.
  void CutAll();

 private:
  void Watch();
  void CutLateLocked(int64_t now_ns);
  void MakeRoomLocked(int64_t now_ns);
  void CutLocked(WatchedConnection& connection);

  const int64_t request_limit_ns_;
  const size_t crowd_;
  Traffic& traffic_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::list<std::unique_ptr<WatchedConnection>> connections_;
  bool streams_ended_ = false;
  bool stopping_ = false;
  std::thread thread_;
};

}  // namespace edgewise::http

#endif  // EDGEWISE_HTTP_MHD_CONNECTION_WATCH_H_
