// What a container engine does for a session, and how the guardian undoes it:
// see guardian.h.
#include "controls/guardian.h"
#include "controls/guardian_link.h"
#include "controls/guardian_state.h"
#include "controls/launch_request.h"

namespace edgewise {
namespace {

namespace fs = std::filesystem;

}  // namespace

Result<void> Guardian::ExpectCgroups(const std::vector<fs::path>& folders) {
  for (const fs::path& folder : folders) {
    if (Result<void> announced = state_->Announce(folder); !announced) {
      return announced;
    }
  }
  return {};
}

Result<void> Guardian::RunAtEnd(const LaunchRequest& request) {
  const auto encoded = EncodeLaunchRequest(request, CgroupFolders());
  if (!encoded) {
    return encoded.error();
  }
  const auto question =
      MakeCommand(guardian::Kind::kAtEnd, 1 << guardian::kRequest, "");
  const auto reply = state_->Ask(*question, {encoded->get()});
  if (!reply) {
    return reply.error();
  }
  if (reply->error != 0) {
    return Error{ErrorCodeFromErrno(reply->error),
                 "the guardian cannot take " + request.argv.front() + ": " +
                     ErrnoText(reply->error)};
  }
  return {};
}

}  // namespace edgewise
