// The terminal's foreground: given to the program, so that it can read from the
// keyboard and Ctrl-C reaches it, and taken back afterwards.
#ifndef EDGEWISE_SESSIONS_TERMINAL_H_
#define EDGEWISE_SESSIONS_TERMINAL_H_

#include <sys/types.h>

namespace edgewise {

// The terminal to hand to the program: stdin, if that is a terminal whose
// foreground we have; else -1.
int TerminalToHandOver();

// Takes the foreground back if the program's process group still has it. The
// guardian does so too, unless it was killed.
void TakeTerminalBack(pid_t program);

}  // namespace edgewise

#endif  // EDGEWISE_SESSIONS_TERMINAL_H_
