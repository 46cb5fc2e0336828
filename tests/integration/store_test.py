"""Where Runs are kept, and what happens when that place is in trouble."""
import contextlib
import json
import os
import shlex
import shutil
import sqlite3
import subprocess
import unittest

from driving import EDGEWISE, PATIENCE_S, EdgewiseTest, program, wait_until


class LocationTest(EdgewiseTest):
    def location(self, *arguments, **environment):
        env = {**self.environment, **environment}
        del env["EDGEWISE_HOME"]
        env.update({name: value for name, value in environment.items() if name == "EDGEWISE_HOME"})
        done = self.edgewise(*arguments, "run", "--quiet", "--", "true", env=env)
        self.assertEqual(done.code, 0, done.stderr)
        return {str(path.parent.relative_to(self.scratch)) for path in self.scratch.rglob("edgewise.db")}

    def test_edgewise_home_comes_first(self):
        mine, xdg = str(self.scratch / "mine"), str(self.scratch / "xdg")
        self.assertEqual(self.location(EDGEWISE_HOME=mine, XDG_DATA_HOME=xdg), {"mine"})

    def test_then_the_xdg_data_folder(self):
        self.assertEqual(self.location(XDG_DATA_HOME=str(self.scratch / "xdg")), {"xdg/edgewise"})

    def test_then_the_default_of_xdg(self):
        self.assertEqual(self.location(), {".local/share/edgewise"})

    def test_an_empty_or_relative_xdg_folder_does_not_count(self):
        for text in ("", "relative"):
            self.assertEqual(self.location(XDG_DATA_HOME=text), {".local/share/edgewise"})

    def test_the_option_beats_them_all(self):
        mine, option = str(self.scratch / "mine"), str(self.scratch / "option")
        self.assertEqual(self.location("--home", option, EDGEWISE_HOME=mine), {"option"})

    def test_others_cannot_read_it(self):
        self.run_json("--", "true")
        self.assertEqual(self.home.stat().st_mode & 0o077, 0)


class TroubleTest(EdgewiseTest):
    def setUp(self):
        super().setUp()
        self.earlier = self.run_json("--label", "earlier", "--", *program("spans", "steady", 50))
        self.file = self.home / "edgewise.db"

    def assert_earlier_run_is_intact(self):
        self.assertEqual(self.show("earlier"), self.earlier)

    def hold(self):
        """A connection that locks the store."""
        connection = sqlite3.connect(self.file, isolation_level=None)
        self.addCleanup(connection.close)
        connection.execute("BEGIN EXCLUSIVE")
        return connection

    def test_a_store_that_stays_locked_is_an_error(self):
        connection = self.hold()
        done = self.edgewise("run", "--", "true")
        self.assertEqual(done.code, 125)
        self.assert_one_sentence(done.stderr, str(self.file), "held by another process")
        connection.execute("ROLLBACK")
        self.assert_earlier_run_is_intact()
        self.assert_nothing_left()

    def test_a_store_that_is_locked_for_a_moment_is_waited_for(self):
        connection = self.hold()
        process = self.start("run", "--", "true")
        # It is up and waits: its image is loaded and the store's file is open.
        wait_until(lambda: any("edgewise.db" in os.readlink(link) for link in self.links(process.pid)),
                   "edgewise to open the store")
        connection.execute("ROLLBACK")
        _, stderr = process.communicate(timeout=PATIENCE_S)
        self.assertEqual(process.returncode, 0, stderr)
        self.assert_earlier_run_is_intact()

    @staticmethod
    def links(pid):
        folder = f"/proc/{pid}/fd"
        with contextlib.suppress(OSError):
            for name in os.listdir(folder):
                link = f"{folder}/{name}"
                if os.path.lexists(link):
                    yield link

    def test_a_lock_in_the_middle_of_a_run_does_not_lose_it(self):
        process = self.start("run", "--json", "--", "sh", "-c", "echo ready >&2; read line", stdin=subprocess.PIPE)
        wait_until(lambda: len(self.stored()) == 2, "the Run to be there")
        connection = self.hold()
        process.stdin.write(b"go\n")
        process.stdin.flush()
        wait_until(lambda: not self.running_children(process.pid), "the program to end")
        connection.execute("ROLLBACK")
        stdout, stderr = process.communicate(timeout=PATIENCE_S)
        self.assertEqual(process.returncode, 0, stderr)
        self.assertEqual(json.loads(stdout)["end_reason"], "exited")
        self.assert_earlier_run_is_intact()

    @staticmethod
    def running_children(pid):
        done = subprocess.run(["pgrep", "-P", ",".join([str(pid), *subprocess.run(
            ["pgrep", "-P", str(pid)], capture_output=True, text=True, check=False).stdout.split()]), "-x", "sh"],
            capture_output=True, text=True, check=False)
        return done.stdout.split()

    def test_a_corrupt_store_is_named_and_never_deleted(self):
        damaged = b"this is no database " * 1000
        for suffix in ("-wal", "-shm"):
            with contextlib.suppress(FileNotFoundError):
                os.remove(f"{self.file}{suffix}")
        shutil.copy(self.file, self.scratch / "copy")
        self.file.write_bytes(damaged)
        for arguments, code in ((["run", "--", "true"], 125), (["list"], 3), (["show"], 3)):
            with self.subTest(arguments=arguments):
                done = self.edgewise(*arguments)
                self.assertEqual(done.code, code)
                self.assert_one_sentence(done.stderr, str(self.file))
        self.assertEqual(self.file.read_bytes(), damaged)
        shutil.copy(self.scratch / "copy", self.file)
        self.assert_earlier_run_is_intact()

    def test_a_half_written_store_is_an_error_not_a_crash(self):
        whole = self.file.read_bytes()
        for size in (100, 4096, len(whole) // 2):
            with self.subTest(size=size):
                self.file.write_bytes(whole[:size])
                for arguments in (["list"], ["show"], ["run", "--", "true"]):
                    done = self.edgewise(*arguments)
                    self.assertIn(done.code, (2, 3, 125), (arguments, done))
                    self.assert_one_sentence(done.stderr)

    def test_a_store_that_may_not_be_written_is_an_error(self):
        blocker = self.scratch / "file"
        blocker.write_text("")
        done = self.edgewise("--home", blocker / "home", "run", "--", "true")
        self.assertEqual(done.code, 125)
        self.assert_one_sentence(done.stderr, str(blocker))

    def test_a_store_of_a_newer_edgewise_is_refused(self):
        with contextlib.closing(sqlite3.connect(self.file)) as connection:
            version, = connection.execute("PRAGMA user_version").fetchone()
            connection.execute(f"PRAGMA user_version = {version + 1000}")
        done = self.edgewise("list")
        self.assertEqual(done.code, 3)
        self.assert_one_sentence(done.stderr, "newer")


@unittest.skipUnless(os.geteuid() == 0 and shutil.which("unshare"), "a small file system needs root and unshare")
class DiskFullTest(EdgewiseTest):
    def on_small_disk(self, script):
        """Runs a script whose $EDGEWISE_HOME is a file system of 4 MiB."""
        self.home.mkdir()
        mount = f"mount -t tmpfs -o size=4m none {self.home} || exit 77; e={shlex.quote(str(EDGEWISE))}; "
        done = subprocess.run(["unshare", "--mount", "sh", "-c", mount + script], env=self.environment,
                              capture_output=True, text=True, timeout=PATIENCE_S, cwd=self.scratch, check=False)
        if done.returncode == 77:
            self.skipTest("no small file system can be mounted here: " + done.stderr)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout.splitlines()

    FILL = "cat /dev/zero >$EDGEWISE_HOME/filler 2>/dev/null; "
    EARLIER = "$e run --quiet --label earlier -- true >/dev/null; "

    def test_a_disk_that_is_full_at_the_start(self):
        lines = self.on_small_disk(self.EARLIER + self.FILL + f"$e run -- touch {self.scratch}/ran 2>&1; echo $?; "
                                   "rm $EDGEWISE_HOME/filler; $e list --ids | wc -l; "
                                   "$e run -- echo again 2>/dev/null; $e show earlier --json | grep exit_code; "
                                   "ls $EDGEWISE_HOME/sessions | wc -l")
        self.assertEqual(lines[1], "125", lines)
        self.assert_one_sentence(lines[0])
        self.assertRegex(lines[0], "full|space")
        self.assertEqual(lines[2:], ["1", "again", '  "exit_code": 0,', "0"])
        self.assertFalse((self.scratch / "ran").exists())
        self.assert_nothing_left()

    def test_a_disk_that_fills_during_the_run(self):
        spans = shlex.join(program("spans", "flood", 3_000_000))
        inner = f"cat /dev/zero >$EDGEWISE_HOME/filler 2>/dev/null; {spans}; echo the program goes on; exit 0"
        lines = self.on_small_disk(self.EARLIER + f"$e run -- sh -c {shlex.quote(inner)} 2>errors; echo $?; "
                                   "rm $EDGEWISE_HOME/filler; $e list --json | grep '\"state\"'; "
                                   "$e show earlier --json | grep exit_code; ls $EDGEWISE_HOME/sessions | wc -l")
        errors = (self.scratch / "errors").read_text()
        self.assertEqual(lines[0], "the program goes on", (lines, errors))
        self.assertEqual(lines[1], "125", (lines, errors))
        self.assertRegex(errors, "full|space")
        # The one in trouble is marked, the earlier one is as it was.
        self.assertEqual([line.strip() for line in lines[2:4]], ['"state": "interrupted",', '"state": "done",'])
        self.assertEqual(lines[4:], ['  "exit_code": 0,', "0"])
        self.assert_nothing_left()


class GcTest(EdgewiseTest):
    def test_gc_keeps_the_newest(self):
        ids = [self.run_json("--", "true")["id"] for _ in range(4)]
        done = self.edgewise("gc", "--max-runs", "2", "--dry-run")
        self.assertEqual(done.code, 0, done.stderr)
        self.assertEqual(len(self.stored()), 4)
        self.edgewise("gc", "--max-runs", "2")
        self.assertEqual([run["id"] for run in self.stored()], ids[:1:-1])

    def test_gc_by_age_keeps_what_is_young(self):
        self.run_json("--", "true")
        self.edgewise("gc", "--keep", "30d")
        self.assertEqual(len(self.stored()), 1)
        self.edgewise("gc", "--keep", "1ms")
        self.assertEqual(self.stored(), [])

    def test_gc_by_size_gives_the_space_back(self):
        for _ in range(3):
            self.run_json("--", *program("spans", "flood", 100_000))
        file = self.home / "edgewise.db"
        before = file.stat().st_size
        limit = before // 2
        done = self.edgewise("gc", "--max-size", limit)
        self.assertEqual(done.code, 0, done.stderr)
        self.assertLessEqual(file.stat().st_size, limit)
        self.assertGreaterEqual(len(self.stored()), 1)

    def test_gc_leaves_a_run_alone_that_is_being_written(self):
        process = self.start("run", "--", "sh", "-c", "echo ready; read line; exit 3", stdin=subprocess.PIPE)
        self.assertEqual(process.stdout.readline(), b"ready\n")
        self.edgewise("gc", "--keep", "1ms")
        self.assertEqual([run["state"] for run in self.stored()], ["running"])
        process.stdin.write(b"go\n")
        process.stdin.close()
        wait_until(lambda: process.poll() is not None, "the run to end")
        self.assertEqual(process.returncode, 3)
        self.assertEqual([run["exit_code"] for run in self.stored()], [3])


if __name__ == "__main__":
    unittest.main()
