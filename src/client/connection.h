// The descriptors that tie this process to a collector: the memfd of its
// region and the socket. Both are close-on-exec.
//
// Applications close descriptors they do not know (daemons close all of
// them), and the numbers are reused. So each is identified by its inode before
// it is used, and a number that is no longer ours is never touched.
#ifndef EDGEWISE_CLIENT_CONNECTION_H_
#define EDGEWISE_CLIENT_CONNECTION_H_

#include <sys/types.h>

#include "client/ring_layout.h"

namespace edgewise::client {

struct OwnedFd {
  int fd = -1;
  dev_t device = 0;
  ino_t inode = 0;

  // Takes ownership; -1 stays -1.
  void Adopt(int new_fd);
  bool StillOurs() const;
  // Closes it if it is still ours.
  void Close();
};

// A sealed memfd of the right size; -1 if the system refuses.
int CreateRegionFd(const RegionShape& shape);

// A socket to the collector; -1 if there is none or it cannot take us at once.
int ConnectToCollector();
// Says what the environment names this process: $EDGEWISE_APP,
// $EDGEWISE_INSTANCE, $EDGEWISE_LABELS; and since when it is without a
// collector, unless `detached_ns` is 0. Nothing is sent where there is nothing
// to say.
bool SendIdentity(int socket_fd, uint64_t detached_ns);
// Says who we are and hands over the region.
bool SendHello(int socket_fd, const RegionShape& shape,
               const LossCounters& losses_before, int region_fd);

// One doorbell message; false if the collector is gone.
bool SendDoorbell(const OwnedFd& socket);
// Whether the other end is still open.
bool PeerIsAlive(const OwnedFd& socket);

// The sizes from $EDGEWISE_RING_BYTES and the file size limit of the process.
// slot_count 0 if not even one slot would fit.
RegionShape ChooseShape();

}  // namespace edgewise::client

#endif  // EDGEWISE_CLIENT_CONNECTION_H_
