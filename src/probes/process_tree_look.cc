#include <unistd.h>

#include <cerrno>
#include <optional>

#include "probes/cpu_stat.h"
#include "probes/process_tree_member.h"
#include "probes/small_files.h"

namespace edgewise {
namespace {

int64_t PageBytes() {
  static const int64_t bytes = sysconf(_SC_PAGESIZE);
  return bytes;
}

bool OutOfDescriptors(int error) { return error == EMFILE || error == ENFILE; }

}  // namespace

bool ProcessTree::LookLightly(Process* process) {
  if (!process->kept || !process->start_ticks || process->dead) {
    return false;
  }
  const auto text = process->kept->statm.Read(&buffer_, true);
  const auto pages = text ? ParseStatmRssPages(*text) : std::nullopt;
  // None: it has ended, or is a zombie.
  if (!pages || *pages == 0) {
    return false;
  }
  process->rss_bytes = *pages * PageBytes();
  return true;
}

ProcessTree::Look ProcessTree::LookAt(pid_t pid, bool slow, Process* process) {
  if (options_.light_samples && !slow && LookLightly(process)) {
    return Look::kAlive;
  }
  std::optional<Files> opened;
  Files* files = process->kept.get();
  if (files == nullptr) {
    files =
        &opened.emplace(options_.proc_root / std::to_string(pid), KeptFile());
  }
  const auto stat_text = files->stat.Read(&buffer_, true);
  if (!stat_text) {
    return OutOfDescriptors(files->stat.error()) ? Look::kAlive : Look::kGone;
  }
  const auto stat = ParseProcStat(*stat_text);
  if (!stat) {
    return Look::kGone;
  }
  if (process->start_ticks && *process->start_ticks != stat->start_ticks) {
    return Look::kReplaced;
  }
  const bool has_past =
      !process->start_ticks && stat->start_ticks < PastTicks();
  process->start_ticks = stat->start_ticks;
  if (stat->comm != process->name) {
    process->name = stat->comm;
    threads_.Rename(pid, stat->comm);
  }
  process->dead = stat->dead() && stat->threads <= 1;
  process->threads = stat->threads;
  int64_t rss_pages = stat->rss_pages;

  const int64_t ticks_per_second = TicksPerSecond();
  ResourceUse own;
  own.user_ns = TicksToNs(stat->user_ticks, ticks_per_second);
  own.system_ns = TicksToNs(stat->system_ticks, ticks_per_second);
  own.cpu_ns = CpuNs(*process, *stat);
  own.minor_faults = stat->minor_faults;
  own.major_faults = stat->major_faults;
  ResourceUse waited;
  waited.user_ns = TicksToNs(stat->children_user_ticks, ticks_per_second);
  waited.system_ns = TicksToNs(stat->children_system_ticks, ticks_per_second);
  waited.cpu_ns = waited.user_ns + waited.system_ns;
  waited.minor_faults = stat->children_minor_faults;
  waited.major_faults = stat->children_major_faults;
  const pid_t parent_pid = stat->parent_pid;

  // The buffer is used again from here on. Newer kernels keep the figure in
  // stat cheap and imprecise, and the one in statm exact.
  if (const auto statm_text = files->statm.Read(&buffer_, true)) {
    rss_pages = ParseStatmRssPages(*statm_text).value_or(rss_pages);
  }
  process->rss_bytes = rss_pages * PageBytes();
  if ((slow || has_past) && !process->dead) {
    ReadIo(pid, &files->io, process);
  }
  // The kernel hands a process's I/O to its parent too when that waits for it.
  waited.read_bytes = process->io.read_bytes;
  waited.write_bytes = process->io.write_bytes;
  account_.Update(pid, parent_pid, own, waited, has_past);
  return Look::kAlive;
}

int64_t ProcessTree::CpuNs(const Process& process, const ProcStat& stat) const {
  timespec time{};
  if (process.cpu_clock && clock_gettime(*process.cpu_clock, &time) == 0) {
    return time.tv_sec * kNsPerSecond + time.tv_nsec;
  }
  return TicksToNs(stat.user_ticks + stat.system_ticks, TicksPerSecond());
}

void ProcessTree::ReadIo(pid_t pid, KeptFile* file, Process* process) {
  const auto text = file->Read(&buffer_, true);
  if (const auto io = text ? ParseProcIo(*text) : std::nullopt) {
    process->io = *io;
  } else if (file->error() != ESRCH && !OutOfDescriptors(file->error()) &&
             // A process that has just ended has no folder any more.
             Exists(options_.proc_root / std::to_string(pid))) {
    io_error_ = file->error() != 0 ? file->error() : EINVAL;
  }
}

}  // namespace edgewise
