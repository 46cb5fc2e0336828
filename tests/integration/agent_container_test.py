"""An app in a real container: it reaches the agent through a mounted folder, and is known by what the engine calls it."""
import os
import pathlib
import re
import shutil
import subprocess
import unittest

from driving import PROGRAMS, wait_until
from live import AgentTest, metric

PATHS = "/usr/bin:/usr/sbin:/usr/local/bin"
PODMAN = shutil.which("podman", path=PATHS)
RUNC = shutil.which("runc", path=PATHS)


@unittest.skipUnless(PODMAN and RUNC and os.geteuid() == 0, "needs podman, runc and root")
class ContainerTest(AgentTest):
    def podman(self, *arguments, **options):
        folder = self.scratch / "podman"
        return subprocess.run(
            [PODMAN, "--storage-driver", "vfs", "--root", folder / "root", "--runroot", folder / "runroot",
             "--tmpdir", folder / "tmp", "--runtime", RUNC, "--cgroup-manager", "cgroupfs", *arguments],
            capture_output=True, timeout=120, **options)

    def image(self):
        """A file system with one program and its libraries."""
        files = self.scratch / "files"
        program = PROGRAMS / "paced"
        libraries = re.findall(r"(?:=> )?(/\S+) \(", subprocess.run(["ldd", program], capture_output=True, text=True).stdout)
        for path in libraries:
            target = files / "lib" / pathlib.Path(path).name if "ld-linux" not in path else files / path.lstrip("/")
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, target)
        shutil.copy(program, files / "paced")
        archive = subprocess.run(["tar", "-C", files, "-c", "."], capture_output=True, check=True).stdout
        done = self.podman("import", "-", "paced", input=archive)
        if done.returncode != 0:
            self.skipTest(f"podman cannot make an image here: {done.stderr.decode()[-300:]}")

    def host(self):
        """The machine's files with this test's containers where the engine keeps them."""
        root = self.scratch / "host"
        storage = root / "var/lib/containers"
        storage.mkdir(parents=True)
        (storage / "storage").symlink_to(self.scratch / "podman" / "root")
        (root / "proc").symlink_to("/proc")
        return root

    def test_an_app_in_a_container_has_its_name_and_its_own_cgroup(self):
        self.image()
        self.agent("--no-http", "--host-root", self.host())
        self.addCleanup(self.podman, "rm", "--force", "--time", "0", "cars")
        done = self.podman("run", "--detach", "--name", "cars", "--network", "none", "--ulimit", "nofile=1024:1024",
                           "--ulimit", "nproc=1024:1024", "--volume", f"{self.socket.parent}:/run/edgewise",
                           "--env", "LD_LIBRARY_PATH=/lib", "--env", "EDGEWISE_APP=tracker", "paced", "/paced", "50")
        if done.returncode != 0:
            self.skipTest(f"podman cannot run containers here: {done.stderr.decode()[-300:]}")
        app = self.wait_for_app("tracker", lambda each: each["system"] and metric(each, "frame"))
        self.assertEqual(app["container"], "cars")
        self.assertNotEqual(app["pid"], 1)  # as the machine counts, not the container
        self.assertIsNotNone(app["system"]["working_set_bytes"])
        self.podman("rm", "--force", "--time", "0", "cars")
        wait_until(lambda: not self.apps()[0]["alive"], "the app to be gone")


if __name__ == "__main__":
    unittest.main()
