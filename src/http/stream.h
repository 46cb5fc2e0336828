// Stream: the body of an answer that goes on, written by whoever has something
// to say and read by the server.
//
// Thread-safe. What a slow client has not yet taken is kept up to a limit;
// beyond it the stream ends, because a client must not make a server grow.
#ifndef EDGEWISE_HTTP_STREAM_H_
#define EDGEWISE_HTTP_STREAM_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>

namespace edgewise::http {

class Stream {
 public:
  explicit Stream(size_t limit_bytes = size_t{256} << 10)
      : limit_bytes_(limit_bytes) {}
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  // False once the stream has ended, the client is gone or was too slow; then
  // nothing is kept.
  bool Write(std::string_view bytes);
  // One server-sent event; `data` may have several lines. `event` and `id` may
  // be empty.
  bool WriteEvent(std::string_view event, std::string_view data,
                  std::string_view id = "");
  // What is written still goes out.
  void End();
  bool open() const;

  // The server's side.

  static constexpr std::ptrdiff_t kEnded = -1;
  // `pause` is called where there is nothing to take, `wake` when there is
  // again or the stream has ended; both under the stream's lock.
  void Attach(std::function<void()> pause, std::function<void()> wake);
  // Copies up to `most` bytes; 0 if there are none now, kEnded if none will
  // come.
  std::ptrdiff_t Take(char* into, size_t most);
  // The client is gone: no hook is called after this.
  void Detach();
  // Writes `bytes` if nothing was written since the given time on
  // CLOCK_MONOTONIC.
  void WriteIfQuietSince(int64_t since_ns, std::string_view bytes);

 private:
  bool WriteLocked(std::string_view bytes);
  void WakeLocked();

  const size_t limit_bytes_;
  mutable std::mutex mutex_;
  std::string kept_;
  bool ended_ = false;
  bool paused_ = false;
  int64_t written_ns_ = 0;
  std::function<void()> pause_;
  std::function<void()> wake_;
};

}  // namespace edgewise::http

#endif  // EDGEWISE_HTTP_STREAM_H_
