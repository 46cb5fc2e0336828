// WaggleServer: takes in apps that use the old Waggle library, unchanged.
//
// What they push becomes gauges of the app, in the unit they use (timers in
// seconds). Peers are checked as those of the in-app library are.
#ifndef EDGEWISE_LIVE_WAGGLE_SERVER_H_
#define EDGEWISE_LIVE_WAGGLE_SERVER_H_

#include <sys/types.h>

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>

#include "base/result.h"
#include "base/unique_fd.h"
#include "live/waggle_message.h"
#include "probes/rings/ring_events.h"

namespace edgewise::live {

// Not thread-safe; for an event loop, as RingCollector.
class WaggleServer {
 public:
  // Ids of its clients, apart from those of a RingCollector.
  static constexpr uint32_t kFirstClientId = uint32_t{1} << 31;
  static constexpr size_t kMostClients = 256;
  static constexpr size_t kMostClientsOfProcess = 4;

  static Result<std::unique_ptr<WaggleServer>> Listen(const std::string& path,
                                                      mode_t mode);
  // Removes the socket.
  ~WaggleServer();
  WaggleServer(const WaggleServer&) = delete;
  WaggleServer& operator=(const WaggleServer&) = delete;

  int epoll_fd() const { return epoll_.get(); }
  // Takes in clients and what they sent. Never blocks, and takes no more than a
  // bounded part from each.
  void Serve(RingSink& sink);
  // Says goodbye to all.
  void Finish(RingSink& sink);

  // Clients turned away or cut off.
  uint64_t refused_clients() const { return refused_; }
  // What became of a client's messages; nullopt if it is not one of these.
  std::optional<RingAccount> Counts(uint32_t client_id) const;

 private:
  struct Client {
    RingClient info;
    UniqueFd socket;
    WaggleFrames frames;
    std::unordered_map<std::string, uint32_t> names;
    RingAccount account;
    bool gone = false;
  };

  WaggleServer(std::string path, UniqueFd listener, UniqueFd epoll);
  void Accept(RingSink& sink);
  void Read(Client& client, RingSink& sink);
  void Deliver(Client& client, std::string_view message, RingSink& sink);
  void RemoveGone(RingSink& sink);

  std::string path_;
  UniqueFd listener_;
  UniqueFd epoll_;
  UniqueFd spare_;
  std::map<uint32_t, Client> clients_;
  uint32_t next_id_ = kFirstClientId;
  uint64_t refused_ = 0;
};

}  // namespace edgewise::live

#endif  // EDGEWISE_LIVE_WAGGLE_SERVER_H_
