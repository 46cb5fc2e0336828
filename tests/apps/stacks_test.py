"""Stacks of programs with large libraries that have no frame pointers."""
import unittest

from running import AppTest

# Before main and after it the program is the dynamic linker's and the C library's; other threads, as those OpenBLAS keeps
# spinning when a core is free, never come from main.
OUTSIDE = ("_dl_start", "_dl_init", "exit", "start_thread", "clone3")


class StacksTest(AppTest):
    def share_in_main(self, app, *arguments):
        """Of the samples of the main thread while main runs, those whose stack says so."""
        self.run_json("--stacks", "999", "--", *self.command(app, *arguments, "--threads", 1))
        folded = self.edgewise("export", "last", "--format", "collapsed").stdout
        inside = total = 0
        for line in folded.splitlines():
            stack, _, count = line.rpartition(" ")
            frames = stack.split(";")[1:]
            if any(name in frames for name in OUTSIDE):
                continue
            if frames and frames[0].startswith(("entry_", "asm_")):
                continue  # exec itself, before there is a program
            total += int(count)
            inside += int(count) if "main" in frames else 0
        self.assertGreater(total, 300, folded[-2000:])
        return inside / total

    def test_stacks_of_opencv_reach_main(self):
        for app, arguments in (("dl", ["--items", 40]), ("image", ["--items", 30])):
            with self.subTest(app=app):
                self.assertGreaterEqual(self.share_in_main(app, *arguments), 0.95)


if __name__ == "__main__":
    unittest.main()
