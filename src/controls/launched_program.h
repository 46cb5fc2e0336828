// The programs that the guardian launches, one at a time, and their trees.
//
// Part of the guardian program: one process, one thread, so its state is
// global to launched_program.cc.
#ifndef EDGEWISE_CONTROLS_LAUNCHED_PROGRAM_H_
#define EDGEWISE_CONTROLS_LAUNCHED_PROGRAM_H_

#include <sys/resource.h>

#include <cstdint>

#include "controls/guardian_protocol.h"

namespace edgewise::guardian {

// Answers a command, in the order in which they came.
void SendReply(const Reply& reply);
void SendOutcome(int error, int number);

Usage FromRusage(const rusage& used);

// Forks a program that waits for ReleaseProgram. Returns errno, or 0: then the
// reply is sent when the child is ready.
int StartProgram(const int (&fds)[kLaunchFds]);
void ReleaseProgram();

// The child's words; -1 when there is nothing to wait for.
int ChildStatusFd();
// Reads them; false when there is nothing more to read now.
bool ReadChildStatus();

// Waits for every child that has ended, and sends the events that follow.
void Reap();

// Signals the current program's tree; not what earlier ones left. Returns how
// many processes took it.
int SignalProgram(int signal);
// Whether the current program's tree is part of the usage (and in cgroups).
bool ProgramCounts();

// Asks the current program to end, with SIGTERM, and waits for that until the
// deadline; kills it then.
void AskProgramToEnd(int64_t deadline_ns);
// Runs a last program to its end; one that is not over at the deadline is
// killed with all others. Returns 0, an errno, or EIO if it failed.
int RunLastProgram(int request_fd, int64_t deadline_ns);

// Kills all descendants, whichever program they stem from. Returns how many
// could not be killed before the deadline.
int KillDescendants(int64_t deadline_ns);

// What the counted trees used, and how many processes died in
// KillDescendants.
const Usage& TreeUsed();
int64_t Killed();

}  // namespace edgewise::guardian

#endif  // EDGEWISE_CONTROLS_LAUNCHED_PROGRAM_H_
