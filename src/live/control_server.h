// ControlServer: answers `edgewise top`, `agent record` and others over a
// socket that only this user and root may use.
//
// A client sends one line and gets "ok\n" and the answer, or "error CODE
// MESSAGE\n". After "tap APP" frames follow (live/tap.h) until it hangs up.
#ifndef EDGEWISE_LIVE_CONTROL_SERVER_H_
#define EDGEWISE_LIVE_CONTROL_SERVER_H_

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "base/unique_fd.h"
#include "live/live_sink.h"
#include "live/tap.h"

namespace edgewise::live {

struct ControlAnswer {
  std::string text;                 // what follows "ok\n"
  std::optional<uint64_t> tap_app;  // then frames of this app
};
using ControlHandler =
    std::function<Result<ControlAnswer>(std::string_view request)>;

// Not thread-safe; for an event loop, as RingCollector.
class ControlServer {
 public:
  // The sink must outlive it.
  static Result<std::unique_ptr<ControlServer>> Listen(const std::string& path,
                                                       ControlHandler handler,
                                                       LiveSink& sink);
  ~ControlServer();
  ControlServer(const ControlServer&) = delete;
  ControlServer& operator=(const ControlServer&) = delete;

  int epoll_fd() const { return epoll_.get(); }
  // Takes in what came and sends what waits. Never blocks.
  void Serve();
  // Sends what taps have collected; on a clock.
  void SendTaps();

 private:
  struct Connection {
    UniqueFd socket;
    std::string request;
    std::string out;
    std::unique_ptr<TapWriter> tap;
    bool answered = false;
    bool gone = false;
  };

  ControlServer(std::string path, UniqueFd listener, UniqueFd epoll,
                ControlHandler handler, LiveSink& sink);
  void Accept();
  void Read(Connection& connection);
  void Answer(Connection& connection);
  void Send(Connection& connection);
  void RemoveGone();

  std::string path_;
  UniqueFd listener_;
  UniqueFd epoll_;
  ControlHandler handler_;
  LiveSink& sink_;
  UniqueFd spare_;  // a descriptor to give up when there are no others
  std::map<int, Connection> connections_;  // by descriptor
};

}  // namespace edgewise::live

#endif  // EDGEWISE_LIVE_CONTROL_SERVER_H_
