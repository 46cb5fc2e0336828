// Tests that change the network do so in a network namespace of their own.
#ifndef EDGEWISE_TESTS_CONTROLS_OWN_NETWORK_H_
#define EDGEWISE_TESTS_CONTROLS_OWN_NETWORK_H_

#include <gtest/gtest.h>
#include <sched.h>

#include <cerrno>
#include <string>
#include <thread>

#include "base/result.h"
#include "controls/netem_queue.h"

namespace edgewise {

// The loopback of a fresh namespace, which has nothing else.
inline constexpr int kOwnLoopback = 1;

// Runs a test on a thread in a fresh network namespace whose loopback takes a
// netem queue. Returns why it could not; empty if it ran.
template <typename Test>
std::string InOwnNetworkWithNetem(const Test& test) {
  std::string why_not;
  std::thread([&] {
    if (unshare(CLONE_NEWNET) != 0) {
      why_not = "no network namespace can be made: " + ErrnoText();
      return;
    }
    if (const int error = AddNetem(kOwnLoopback, kLeastNetemHandle, {})) {
      why_not = "netem cannot be had: " + ErrnoText(error);
      return;
    }
    EXPECT_EQ(RemoveNetem(kOwnLoopback, kLeastNetemHandle), 0);
    test();
  }).join();
  return why_not;
}

// A netem queue of that handle is there.
inline bool HasNetem(int handle) {
  NetemCounts counts;
  return CountNetem(kOwnLoopback, handle, &counts) == 0;
}

}  // namespace edgewise

#endif  // EDGEWISE_TESTS_CONTROLS_OWN_NETWORK_H_
