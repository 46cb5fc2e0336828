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

#include <sys/socket.h>
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
  // Of one process, which needs one; of one user that is not root.
  size_t max_clients_of_process = 8;
  size_t max_clients_of_user = 256;
  // Each client has names of its own, at most so many; 0: all share theirs.
  size_t names_of_each_client = 0;
  // Of one client in one drain; what is more waits for the next.
  uint64_t max_records_per_drain = UINT64_MAX;
  // A client that loses records may have rings of that size instead of those it
  // came with; 0: it may not.
  uint32_t ring_bytes_granted = 0;
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

  // The same, but delivers only from clients that asked for it or are gone:
  // what there is to do when epoll_fd() is readable, for collectors of many
  // clients that Drain() all of them on a clock.
  void Wake(RingSink& sink);

  // A last Drain(), then ends all clients that are still there.
  void Finish(RingSink& sink);

  // Clients whose hello was accepted, now.
  size_t client_count() const;
  // Clients turned away or cut off: too many, another user, bad hello.
  uint64_t refused_clients() const { return refused_clients_; }
  // Why the last one was; empty if none.
  const std::string& last_refusal() const { return last_refusal_; }

  // What one client lets be set, and setting it (RingReader::SetKnob). A knob
  // is set in the memory of that client alone.
  std::vector<ClientKnob> Knobs(uint32_t client_id) const;
  bool SetKnob(uint32_t client_id, std::string_view name,
               std::optional<double> value);

  // What became of the records of one client so far; nullopt if it is gone.
  std::optional<RingAccount> Account(uint32_t client_id) const;
  // The same without names, which is much cheaper.
  std::optional<RingAccount> Counts(uint32_t client_id) const;

 private:
  struct Client {
    RingClient info;
    UniqueFd socket;
    UniqueFd pidfd;  // invalid where the process is not visible
    int64_t connected_ns = 0;
    std::unique_ptr<RingReader> reader;  // null before the hello
    // Of the region that the client had before, while threads may write there;
    // and what became of records of such that are forgotten.
    std::unique_ptr<RingReader> former;
    int64_t former_until_ns = 0;
    RingAccount account_before;
    std::unique_ptr<EventNames> names;  // null: those of the collector
    bool rung = false;
    bool gone = false;
  };

  // What an epoll event is about: the listener, or a client's socket or pidfd.
  static constexpr uint64_t kListenerTag = 0;
  static uint64_t SocketTag(uint32_t client_id) {
    return uint64_t{client_id} << 1;
  }
  static uint64_t PidfdTag(uint32_t client_id) {
    return SocketTag(client_id) | 1;
  }

  RingCollector(RingCollectorOptions options, UniqueFd listener,
                UniqueFd epoll);

  void HandleEvents(RingSink& sink);
  void DrainClient(Client& client, RingSink& sink);
  void AcceptClients(RingSink& sink);
  // Turns one client away although there is no descriptor left for it.
  void TurnAwayWithSpare();
  // Empty if a process may connect, else why not.
  std::string WhyNot(const ucred& peer) const;
  void AcceptOne(UniqueFd socket, RingSink& sink);
  void ReadSocket(Client& client, RingSink& sink);
  void TakeHello(Client& client, const client::Hello& hello, UniqueFd memfd,
                 RingSink& sink);
  // A client hands over larger rings.
  bool TakeLargerRings(Client& client, const client::Hello& hello,
                       UniqueFd memfd);
  void ForgetFormer(Client& client);
  static RingAccount SumOf(const Client& client, bool with_names);
  void RefuseRubbish(Client& client);
  void Refuse(std::string why);
  void RemoveGoneClients(RingSink& sink);
  bool Watch(int fd, uint64_t tag);

  RingCollectorOptions options_;
  UniqueFd listener_;
  UniqueFd epoll_;
  UniqueFd spare_;  // a descriptor to give up when there are no others
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
