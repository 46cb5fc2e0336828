// Collects what measured processes write into their rings.
//
// Listens on a socket, takes over each client's region, and delivers its
// events to a sink. Made for an event loop: poll epoll_fd() and call Drain()
// when it is readable, and now and then in between (rings that are less than a
// quarter full do not ask for it). Not thread-safe.
//
// Clients are not trusted: whatever they send costs bounded time and memory.
// Knows nothing of what is measured, stored or shown.
#ifndef EDGEWISE_PROBES_RINGS_RING_COLLECTOR_H_
#define EDGEWISE_PROBES_RINGS_RING_COLLECTOR_H_

#include <sys/types.h>

#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include "base/result.h"
#include "base/unique_fd.h"
#include "probes/rings/event_names.h"
#include "probes/rings/ring_events.h"
#include "probes/rings/ring_reader.h"

namespace edgewise {

struct RingCollectorOptions {
  // At most 107 bytes; its directory must exist. The socket of a collector
  // that has died is replaced, that of a living one is not.
  std::string socket_path;
  mode_t socket_mode = 0600;
  // Processes beyond this are turned away, and may try again later.
  size_t max_clients = 256;
};

class RingCollector {
 public:
  static Result<std::unique_ptr<RingCollector>> Create(
      RingCollectorOptions options);
  // Removes the socket.
  ~RingCollector();
  RingCollector(const RingCollector&) = delete;
  RingCollector& operator=(const RingCollector&) = delete;

  // Readable when there is something to do at once.
  int epoll_fd() const { return epoll_.get(); }

  // Takes in new clients, delivers what all of them have written, and says
  // goodbye to those that are gone. Never blocks.
  void Drain(RingSink& sink);

  // A last Drain(), then ends all clients that are still there.
  void Finish(RingSink& sink);

  // Clients whose hello was accepted, now.
  size_t client_count() const;
  // Clients turned away or cut off: too many, another user, bad hello.
  uint64_t refused_clients() const { return refused_clients_; }
  // Why the last one was; empty if none.
  const std::string& last_refusal() const { return last_refusal_; }

  // What became of the records of one client so far; nullopt if it is gone.
  std::optional<RingAccount> Account(uint32_t client_id) const;

 private:
  struct Client {
    RingClient info;
    UniqueFd socket;
    UniqueFd pidfd;  // invalid where the process is not visible
    int64_t connected_ns = 0;
    std::unique_ptr<RingReader> reader;  // null before the hello
    bool gone = false;
  };

  RingCollector(RingCollectorOptions options, UniqueFd listener,
                UniqueFd epoll);

  void AcceptClients(RingSink& sink);
  void AcceptOne(UniqueFd socket, RingSink& sink);
  void ReadSocket(Client& client, RingSink& sink);
  void TakeHello(Client& client, const client::Hello& hello, UniqueFd memfd,
                 RingSink& sink);
  void Refuse(std::string why);
  void RemoveGoneClients(RingSink& sink);
  bool Watch(int fd, uint64_t tag);

  RingCollectorOptions options_;
  UniqueFd listener_;
  UniqueFd epoll_;
  ino_t socket_inode_ = 0;
  std::map<uint32_t, Client> clients_;
  uint32_t next_client_id_ = 1;
  EventNames names_;
  RingBatch batch_;
  uint64_t refused_clients_ = 0;
  std::string last_refusal_;
};

}  // namespace edgewise

#endif  // EDGEWISE_PROBES_RINGS_RING_COLLECTOR_H_
