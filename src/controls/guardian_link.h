// The library's end of the sockets to the guardian (guardian_protocol.h).
#ifndef EDGEWISE_CONTROLS_GUARDIAN_LINK_H_
#define EDGEWISE_CONTROLS_GUARDIAN_LINK_H_

#include <string>
#include <vector>

#include "base/result.h"
#include "controls/guardian.h"
#include "controls/guardian_protocol.h"

namespace edgewise {

// kInvalid if `text` is too long for a path.
Result<guardian::Command> MakeCommand(guardian::Kind kind, int number,
                                      const std::string& text);

// Sends a command with `fds` and waits for the reply, at most `timeout_ms` if
// that is not negative. An error means that the guardian is gone.
Result<guardian::Reply> AskGuardian(int socket,
                                    const guardian::Command& command,
                                    const std::vector<int>& fds,
                                    int timeout_ms);

enum class Received { kNothing, kMessage, kHungUp };
// Takes an event if there is one; never waits.
Received ReceiveEvent(int socket, guardian::Event* event);

GuardianEvent EventFromWire(const guardian::Event& wire);
TreeUsage UsageFromWire(const guardian::Reply& reply);

}  // namespace edgewise

#endif  // EDGEWISE_CONTROLS_GUARDIAN_LINK_H_
