"""Real images, made from files of this machine, in a storage of their own."""
import os
import pathlib
import pwd
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import unittest

PATHS = "/usr/bin:/usr/sbin:/usr/local/bin:/bin:/sbin"
PODMAN = shutil.which("podman", path=PATHS)
DOCKER = shutil.which("docker", path=PATHS)
BUSYBOX = shutil.which("busybox", path=PATHS)


def add_program(folder, file, name=None):
    """Copies a program, and the libraries it is linked with, to where the loader finds them."""
    told = subprocess.run(["ldd", file], capture_output=True, text=True, check=False).stdout
    libraries = [pathlib.Path(path) for path in re.findall(r"(?:=> )?(/\S+) \(", told)]
    for source in libraries:
        target = folder / (source.relative_to("/") if "ld-linux" in source.name else f"usr/lib/{source.name}")
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(source, target)
    shutil.copy(file, folder / (name or pathlib.Path(file).name))


def add_busybox(folder):
    (folder / "bin").mkdir(parents=True, exist_ok=True)
    shutil.copy(BUSYBOX, folder / "bin/busybox")
    for name in ("sh", "sleep", "cat", "nc", "ls", "touch", "id", "kill"):
        (folder / "bin" / name).symlink_to("busybox")


def add_python(folder):
    """This Debian's Python with as much of its library as small programs need."""
    library = pathlib.Path(sysconfig.get_path("stdlib"))
    target = folder / library.relative_to("/")
    target.mkdir(parents=True)
    for name in [*library.glob("*.py"), *(library / each for each in ("encodings", "collections", "importlib", "re"))]:
        if name.is_dir():
            shutil.copytree(name, target / name.name, ignore=shutil.ignore_patterns("__pycache__"))
        elif name.exists():
            shutil.copy(name, target)
    (folder / "usr/bin").mkdir(parents=True, exist_ok=True)
    add_program(folder, os.path.realpath(sys.executable), "usr/bin/python3")


class Engine:
    """An engine whose images and containers are the test's alone; `path` begins with the folder of its program."""

    def __init__(self, name, words, scratch):
        self.name = name
        self.words = words
        self.bin = scratch / f"bin-{name}"
        self.bin.mkdir()
        program = self.bin / name
        program.write_text("#!/bin/sh\nexec " + " ".join(map(str, words)) + ' "$@"\n')
        program.chmod(0o755)
        self.path = f"{self.bin}:{PATHS}"

    def __call__(self, *arguments, check=True, **options):
        done = subprocess.run([*self.words, *map(str, arguments)], capture_output=True, timeout=300, check=False, **options)
        if check and done.returncode != 0:
            raise unittest.SkipTest(f"{self.name} does not work here: {done.stderr.decode()[-300:]}")
        return done.stdout.decode()

    def image(self, name, fill, *changes):
        """Imports a file system that `fill` has filled."""
        with tempfile.TemporaryDirectory(dir="/tmp") as text:
            folder = pathlib.Path(text)
            folder.chmod(0o755)
            for each in ("tmp", "proc", "sys", "dev", "usr/lib", "run"):
                (folder / each).mkdir(parents=True, exist_ok=True)
            (folder / "tmp").chmod(0o1777)
            if not (folder / "lib").exists():
                (folder / "lib").symlink_to("usr/lib")
            fill(folder)
            archive = subprocess.run(["tar", "-C", folder, "-c", "."], capture_output=True, check=True).stdout
        options = [word for change in changes for word in ("--change", change)]
        self("import", *options, "-", name, input=archive)

    def containers(self):
        return self("ps", "--all", "--quiet", check=False).split()


def may_have_users():
    """Whether this user may run containers in a user namespace."""
    try:
        granted = pathlib.Path("/etc/subuid").read_text().splitlines()
        name = pwd.getpwuid(os.geteuid()).pw_name
    except (OSError, KeyError):
        return False
    tools = [shutil.which(tool, path=PATHS) for tool in ("newuidmap", "newgidmap", "slirp4netns")]
    return all(tools) and any(line.startswith(f"{name}:") for line in granted)


def podman(scratch):
    """Skips where podman cannot work."""
    if not PODMAN or not BUSYBOX or (os.geteuid() != 0 and not may_have_users()):
        raise unittest.SkipTest("needs podman, a static busybox, and root or subordinate user ids")
    storage = scratch / "podman"
    return Engine("podman", [PODMAN, "--root", storage / "root", "--runroot", storage / "runroot", "--tmpdir",
                             storage / "tmp", "--storage-driver", "vfs", "--cgroup-manager", "cgroupfs",
                             "--events-backend", "file"], scratch)
