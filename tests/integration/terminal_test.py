"""On a real terminal: Ctrl-C is the program's, and the terminal comes back."""
import os
import pty
import select
import time
import unittest

from driving import EDGEWISE, PATIENCE_S, PYTHON, EdgewiseTest, wait_until

# After edgewise: who holds the terminal?
AFTER = f"""{PYTHON} -c 'import os; print("foreground", os.tcgetpgrp(0) == os.getpgrp())'"""


class Terminal:
    """A shell script on a terminal of its own."""

    def __init__(self, script, environment, folder):
        self.pid, self.master = pty.fork()
        if self.pid == 0:
            os.chdir(folder)
            os.execve("/bin/sh", ["sh", "-c", script], environment)
        self.text = ""
        self.code = None

    def read(self):
        """Takes what is there; false at the end."""
        ready, _, _ = select.select([self.master], [], [], 0.05)
        if ready:
            try:
                self.text += os.read(self.master, 65536).decode(errors="replace")
            except OSError:
                return False
        return True

    def expect(self, text):
        def there():
            self.read()
            return text in self.text
        try:
            wait_until(there, repr(text))
        except AssertionError as error:
            raise AssertionError(f"{error}; the terminal shows {self.text!r}") from None

    def type(self, text):
        os.write(self.master, text.encode())

    def end(self):
        deadline = time.monotonic() + PATIENCE_S
        while self.read() and time.monotonic() < deadline:
            pass
        self.code = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
        os.close(self.master)
        return self.text


class TerminalTest(EdgewiseTest):
    def terminal(self, *flags, program):
        script = f"{EDGEWISE} run {' '.join(flags)} -- {program}; echo code $?; {AFTER}"
        return Terminal(script, {**self.environment, "TERM": "xterm"}, self.scratch)

    def test_ctrl_c_reaches_the_program_and_edgewise_reports(self):
        shell = self.script("trap 'echo interrupted; exit 5' INT; echo ready; while :; do sleep 0.05; done")
        terminal = self.terminal(program=shell)
        terminal.expect("ready")
        terminal.type("\x03")
        text = terminal.end()
        self.assertIn("interrupted", text)
        self.assertIn("code 5", text)
        self.assertIn("Run ", text)
        self.assertIn("foreground True", text)
        self.assertEqual(self.show()["exit_code"], 5)

    def test_ctrl_c_of_a_program_that_does_not_handle_it(self):
        terminal = self.terminal(program="sh -c 'echo ready; exec sleep 1000'")
        terminal.expect("ready")
        terminal.type("\x03")
        text = terminal.end()
        self.assertIn("code 130", text)
        self.assertIn("cancelled", text)
        self.assertIn("foreground True", text)

    def test_ctrl_c_ends_repeats(self):
        terminal = self.terminal("--repeat", "1000", program="sh -c 'echo ready; exec sleep 1000'")
        terminal.expect("ready")
        terminal.type("\x03")
        terminal.end()
        self.assertEqual(len(self.stored()), 1)

    def test_ctrl_z_does_not_leave_a_stopped_program(self):
        terminal = self.terminal(program="sh -c 'echo ready; read line; echo got $line'")
        terminal.expect("ready")
        terminal.type("\x1a")
        terminal.type("hello\r")
        text = terminal.end()
        self.assertIn("got hello", text)
        self.assertIn("code 0", text)

    def test_the_program_reads_from_the_terminal(self):
        terminal = self.terminal(program="sh -c 'echo ready; read line; echo got $line'")
        terminal.expect("ready")
        terminal.type("hello\r")
        self.assertIn("got hello", terminal.end())

    def test_a_program_that_ignores_ctrl_c_goes_on(self):
        shell = self.script("trap '' INT; echo ready; read line; echo got $line")
        terminal = self.terminal(program=shell)
        terminal.expect("ready")
        terminal.type("\x03")
        terminal.type("hello\r")
        text = terminal.end()
        self.assertIn("got hello", text)
        self.assertIn("code 0", text)

    def test_the_terminal_comes_back_after_a_planned_end(self):
        terminal = self.terminal("--duration", "300ms", program="sleep 1000")
        text = terminal.end()
        self.assertIn("code 0", text)
        self.assertIn("foreground True", text)

    def test_a_terminal_that_is_closed_ends_the_program(self):
        terminal = self.terminal(program="sh -c 'echo ready; exec sleep 1000'")
        terminal.expect("ready")
        os.close(terminal.master)
        os.waitpid(terminal.pid, 0)
        self.assert_nothing_left()

    def test_progress_is_shown_and_cleared(self):
        terminal = self.terminal("--quiet", "--duration", "900ms", program="sleep 1000")
        text = terminal.end()
        self.assertIn("measuring: ", text)
        self.assertIn(" of 900 ms", text)


if __name__ == "__main__":
    unittest.main()
