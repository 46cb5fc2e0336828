#include "controls/remains.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <memory>
#include <string>

#include "controls/cgroup_end.h"
#include "controls/guardian_protocol.h"
#include "controls/netem_queue.h"
#include "controls/network_namespace.h"
#include "controls/restore.h"
#include "controls/small_file.h"

namespace edgewise {
namespace {

Error Left(const std::filesystem::path& path, int error) {
  return {ErrorCodeFromErrno(error),
          "cannot remove " + path.string() + ": " + ErrnoText(error) +
              "; the next start of edgewise tries again"};
}

Result<void> EndProcesses(const JournalRecord& record,
                          const MarkMore& mark_more) {
  const int64_t deadline_ns = NowNs() + guardian::kKillNs;
  for (const auto& folder : record.cgroups) {
    EmptyCgroup(folder.c_str(), deadline_ns);
  }
  const std::string assignment = std::string(kRunIdVariable) + "=" + record.id;
  const auto table = std::make_unique<ProcessTable>();
  const int stuck = KillUntilGone(
      table.get(), deadline_ns,
      [&](ProcessTable* processes) {
        processes->MarkEnvironment(assignment.c_str(),
                                   record.session.start_ticks);
        if (mark_more) {
          mark_more(processes);
        }
        processes->MarkBelowMarked();
      },
      [] {});
  if (stuck > 0) {
    return Error{ErrorCode::kBusy,
                 std::to_string(stuck) + " processes of session " + record.id +
                     " cannot be killed (the kernel keeps them waiting, e.g. "
                     "for a disk); the next start of edgewise tries again"};
  }
  return {};
}

Result<void> PutBack(const std::vector<JournalRestore>& restores) {
  const int error = UndoBackwards(restores.size(), [&](size_t i) {
    return RestoreValue(restores[i].path.c_str(), restores[i].value);
  });
  if (error == EBUSY) {
    return Error{ErrorCode::kBusy,
                 "another session holds the clock of the cores; what an "
                 "earlier one changed is put back by a later start of "
                 "edgewise"};
  }
  if (error != 0) {
    return Error{ErrorCodeFromErrno(error),
                 "cannot put back the clock of the cores (" +
                     restores.front().path.parent_path().string() +
                     "): " + ErrnoText(error) +
                     "; the next start of edgewise tries again"};
  }
  return {};
}

// Queues of a namespace that is gone are gone with it.
Result<void> RemoveQueues(const std::vector<JournalNetem>& netems) {
  for (const JournalNetem& netem : netems) {
    const UniqueFd where = FindNetworkNamespace(netem.network_namespace);
    if (!where.valid()) {
      continue;
    }
    const InNetworkNamespace inside(where.get());
    const int error = inside.error() != 0
                          ? inside.error()
                          : RemoveNetem(netem.interface, netem.handle);
    if (error != 0) {
      return Error{ErrorCodeFromErrno(error),
                   "cannot remove the netem queue of " + netem.name + ": " +
                       ErrnoText(error) + "; tc qdisc del dev " + netem.name +
                       " root does, and the next start of edgewise tries "
                       "again"};
    }
  }
  return {};
}

}  // namespace

Result<void> ClearRemains(const JournalRecord& record,
                          const std::filesystem::path& journal,
                          const MarkMore& mark_more) {
  if (record.boot_id == CurrentBootId()) {
    const Result<void> ended = EndProcesses(record, mark_more);
    // Also if some process cannot be ended: it may take for ever.
    const Result<void> put_back = PutBack(record.restores);
    const Result<void> removed = RemoveQueues(record.netems);
    for (const Result<void>* done : {&ended, &put_back, &removed}) {
      if (!*done) {
        return *done;
      }
    }
    for (const auto& folder : record.cgroups) {
      constexpr int64_t kRemoveNs = 3'000'000'000;
      if (const int error = RemoveCgroup(folder.c_str(), NowNs() + kRemoveNs);
          error != 0) {
        return Left(folder, error);
      }
    }
  }
  if (!record.scratch.empty()) {
    if (const int error = RemoveTree(record.scratch.c_str()); error != 0) {
      return Left(record.scratch, error);
    }
  }
  unlink((journal.string() + ".tmp").c_str());
  unlink(journal.c_str());
  return {};
}

}  // namespace edgewise
