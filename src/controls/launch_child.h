// The guardian's child, from fork to exec.
#ifndef EDGEWISE_CONTROLS_LAUNCH_CHILD_H_
#define EDGEWISE_CONTROLS_LAUNCH_CHILD_H_

#include <cstdint>

#include "controls/guardian_protocol.h"

namespace edgewise::guardian {

// What the child tells the guardian: first that it is ready or could not get
// so; after release only that exec failed. Silence and a closed pipe mean that
// the program runs.
struct ChildStatus {
  int32_t ready;
  Stage stage;    // if not ready
  int32_t error;  // errno
};

// Enters the cgroups, sets affinity, nice value, policy, folder and files as
// the request at fds[kRequest] says, reports ready on `status_fd`, waits for
// one byte on `release_fd` and becomes the program. Ends without running it if
// `release_fd` closes first: then nobody is left to guard it.
[[noreturn]] void BecomeProgram(const int (&fds)[kLaunchFds], int status_fd,
                                int release_fd);

// Reads only the head of a request; false if it is not one.
bool ReadRequestHead(int request_fd, RequestHead* head);

}  // namespace edgewise::guardian

#endif  // EDGEWISE_CONTROLS_LAUNCH_CHILD_H_
