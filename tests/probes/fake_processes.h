// Processes in a fake /proc.
#ifndef EDGEWISE_TESTS_PROBES_FAKE_PROCESSES_H_
#define EDGEWISE_TESTS_PROBES_FAKE_PROCESSES_H_

#include <cstdint>
#include <string>
#include <vector>

#include "fake_tree.h"

namespace edgewise {

struct FakeThread {
  int tid = 0;
  std::string name = "app";
  int64_t cpu_ns = 0;
  int64_t wait_ns = 0;
  int64_t voluntary = 0;
  int64_t involuntary = 0;
  std::string affinity = "0-3";
  std::string children = "";  // pids, blank-separated
};

struct FakeProcess {
  int pid = 0;
  int parent = 1;
  std::string comm = "app";
  char state = 'S';
  int64_t user_ticks = 0;
  int64_t system_ticks = 0;
  int64_t children_user_ticks = 0;
  int64_t minor_faults = 0;
  int64_t children_minor_faults = 0;
  int64_t major_faults = 0;
  int64_t start_ticks = 1000;
  int64_t rss_pages = 10;
  int64_t peak_kib = 100;
  int64_t read_bytes = 0;
  int64_t write_bytes = 0;
  std::vector<FakeThread> threads = {};  // the first is the main one

  std::string StatText() const {
    const auto n = [](int64_t v) { return std::to_string(v) + " "; };
    return n(pid) + "(" + comm + ") " + state + " " + n(parent) +
           "1 1 0 -1 4194304 " + n(minor_faults) + n(children_minor_faults) +
           n(major_faults) + "0 " + n(user_ticks) + n(system_ticks) +
           n(children_user_ticks) + "0 20 0 " +
           n(static_cast<int64_t>(threads.empty() ? 1 : threads.size())) +
           "0 " + n(start_ticks) + "3133440 " + n(rss_pages) +
           "18446744073709551615 1 1 1 0 0 0 0 0 0 0 0 0 17 0\n";
  }
};

// Writes all files of the process below `proc`, replacing what it had.
inline void WriteProcess(const FakeTree& proc, FakeProcess process) {
  if (process.threads.empty()) {
    process.threads.push_back({.tid = process.pid});
  }
  const std::string folder = std::to_string(process.pid) + "/";
  proc.Write(folder + "stat", process.StatText());
  proc.Write(folder + "statm",
             "765 " + std::to_string(process.rss_pages) + " 5 1 0 2 0\n");
  proc.Write(folder + "io",
             "rchar: 9\nwchar: 9\nsyscr: 1\nsyscw: 1\nread_bytes: " +
                 std::to_string(process.read_bytes) +
                 "\nwrite_bytes: " + std::to_string(process.write_bytes) +
                 "\ncancelled_write_bytes: 0\n");
  for (const FakeThread& thread : process.threads) {
    const std::string task =
        folder + "task/" + std::to_string(thread.tid) + "/";
    proc.Write(task + "schedstat", std::to_string(thread.cpu_ns) + " " +
                                       std::to_string(thread.wait_ns) + " 7\n");
    proc.Write(task + "status",
               "Name:\t" + thread.name + "\nVmHWM:\t   " +
                   std::to_string(process.peak_kib) +
                   " kB\nCpus_allowed:\tf\nCpus_allowed_list:\t" +
                   thread.affinity + "\nvoluntary_ctxt_switches:\t" +
                   std::to_string(thread.voluntary) +
                   "\nnonvoluntary_ctxt_switches:\t" +
                   std::to_string(thread.involuntary) + "\n");
    proc.Write(task + "children", thread.children);
  }
}

}  // namespace edgewise

#endif  // EDGEWISE_TESTS_PROBES_FAKE_PROCESSES_H_
