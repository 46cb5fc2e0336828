#include "controls/guardian_state.h"

#include "controls/adopted.h"
#include "controls/guardian_link.h"
#include "controls/remains.h"

namespace edgewise {

Result<guardian::Reply> Guardian::State::Ask(const guardian::Command& question,
                                             const std::vector<int>& fds,
                                             int timeout_ms) {
  auto reply = AskGuardian(command.get(), question, fds, timeout_ms);
  if (!reply) {
    dead = true;
    return Error{ErrorCode::kIo,
                 "the guardian process was killed, so the run cannot go on: "
                 "start it again"};
  }
  return *reply;
}

Result<void> Guardian::State::Tell(guardian::Kind kind,
                                   const std::string& text) {
  auto question = MakeCommand(kind, 0, text);
  if (!question) {
    return question.error();
  }
  const auto reply = Ask(*question);
  if (!reply) {
    return reply.error();
  }
  if (reply->error != 0) {
    return Error{
        ErrorCodeFromErrno(reply->error),
        "the guardian refuses " + text + ": " + ErrnoText(reply->error)};
  }
  return {};
}

Result<void> Guardian::State::Announce(const std::filesystem::path& folder) {
  if (Result<void> added = AddCgroupToJournal(journal, folder); !added) {
    return added;
  }
  record.cgroups.push_back(folder);
  return Tell(guardian::Kind::kCgroup, folder);
}

void Guardian::State::MarkOrphans(ProcessTable* table) const {
  MarkAdopted(table, record.guardian.start_ticks);
}

Result<TreeUsage> Guardian::State::EndAlone() {
  auto cleared = ClearRemains(
      record, journal, [this](ProcessTable* table) { MarkOrphans(table); });
  if (!cleared) {
    return cleared.error();
  }
  return Error{ErrorCode::kIo,
               "the guardian process was killed; everything is cleaned up, "
               "but what the program used is not known"};
}

}  // namespace edgewise
