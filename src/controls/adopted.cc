#include "controls/adopted.h"

#include <sys/wait.h>
#include <unistd.h>

#include <mutex>
#include <set>

namespace edgewise {
namespace {

struct LivingGuardians {
  std::mutex mutex;
  std::set<pid_t> pids;
};

LivingGuardians& Living() {
  static LivingGuardians guardians;
  return guardians;
}

bool IsLivingGuardian(pid_t pid) {
  const std::lock_guard lock(Living().mutex);
  return Living().pids.contains(pid);
}

}  // namespace

void AddLivingGuardian(pid_t pid) {
  const std::lock_guard lock(Living().mutex);
  Living().pids.insert(pid);
}

void RemoveLivingGuardian(pid_t pid) {
  const std::lock_guard lock(Living().mutex);
  Living().pids.erase(pid);
}

void MarkAdopted(ProcessTable* table, uint64_t since_ticks) {
  const pid_t self = getpid();
  const pid_t own_group = getpgrp();
  for (ProcessEntry& process : *table) {
    if (process.parent != self || process.group == own_group ||
        process.start_ticks < since_ticks || IsLivingGuardian(process.pid)) {
      continue;
    }
    process.marked = true;
    if (process.dead) {
      waitpid(process.pid, nullptr, WNOHANG);
    }
  }
  table->MarkBelowMarked();
}

}  // namespace edgewise
