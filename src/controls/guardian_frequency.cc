// Guardian::HoldFrequency: see guardian.h.
#include <cerrno>

#include "controls/frequency.h"
#include "controls/guardian.h"
#include "controls/guardian_link.h"
#include "controls/guardian_state.h"

namespace edgewise {

Result<void> Guardian::HoldFrequency(const FrequencyPlan& plan) {
  State& own = *state_;
  const auto note = [&own](const std::filesystem::path& file) -> Result<void> {
    const auto question = MakeCommand(guardian::Kind::kRestore, 0, file);
    if (!question) {
      return question.error();
    }
    const auto reply = own.Ask(*question);
    if (!reply) {
      return reply.error();
    }
    if (reply->error == EBUSY) {
      return Error{ErrorCode::kBusy,
                   "--frequency: another edgewise session holds the clock of "
                   "these cores: wait until it has ended"};
    }
    if (reply->error != 0) {
      return Error{ErrorCodeFromErrno(reply->error),
                   "--frequency: what " + file.string() +
                       " has cannot be noted, so it is not changed: " +
                       ErrnoText(reply->error)};
    }
    const JournalRestore restore{file, reply->number};
    if (auto added = AddRestoreToJournal(own.journal, restore); !added) {
      return added;
    }
    own.record.restores.push_back(restore);
    return {};
  };
  return SetFrequency(plan, note);
}

}  // namespace edgewise
