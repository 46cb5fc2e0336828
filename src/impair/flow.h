// Flow: one direction of a proxied connection, from what was read until it is
// written.
//
// Not thread-safe; the sockets belong to the connection.
#ifndef EDGEWISE_IMPAIR_FLOW_H_
#define EDGEWISE_IMPAIR_FLOW_H_

#include <cstdint>
#include <deque>
#include <optional>
#include <string>

#include "impair/lane.h"
#include "impair/proxy.h"

namespace edgewise {

class Flow {
 public:
  // `counts` and `bytes` (a member of it) must outlive the flow. Whatever is
  // read before `open_ns` counts as read then.
  Flow(const Lane& lane, int64_t open_ns, ProxyCounts* counts, int64_t* bytes);

  // Reads once from a socket that has something, and writes what is due at
  // once. False if either socket is broken.
  bool Read(int from, int to, int64_t now_ns);
  // Writes what is due, and the end of file after the last of it. False if the
  // socket is broken.
  bool Write(int to, int64_t now_ns);

  bool wants_read() const { return !ended_ && waiting_ < kProxyBufferBytes; }
  // Something due did not fit into the socket.
  bool wants_write() const { return blocked_; }
  // No more is read, because the sender has ended.
  bool ended() const { return ended_; }
  // All that was read is written, and the end too.
  bool done() const { return done_; }
  // When Write is next of use; nullopt if the socket or the sender is awaited.
  std::optional<int64_t> NextDueNs() const;

 private:
  struct Piece {
    std::string bytes;
    size_t written = 0;
    int64_t read_ns = 0;
    int64_t due_ns = 0;
  };

  void Enqueue(const char* bytes, size_t size, int64_t now_ns);
  bool WriteDue(int to, int64_t now_ns);
  void Wrote(size_t size, int64_t now_ns);

  Lane lane_;
  int64_t open_ns_;
  ProxyCounts* counts_;
  int64_t* bytes_;
  std::deque<Piece> pieces_;
  int64_t waiting_ = 0;  // bytes in pieces_ that are not written
  int64_t end_due_ns_ = 0;
  bool ended_ = false;
  bool blocked_ = false;
  bool done_ = false;
};

}  // namespace edgewise

#endif  // EDGEWISE_IMPAIR_FLOW_H_
