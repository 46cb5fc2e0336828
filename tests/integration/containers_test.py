"""The images of containers/, built on a root file system of this Debian's own files and asked through a published port."""
import http.client
import json
import os
import pathlib
import shutil
import subprocess
import unittest

from broker import free_port
from driving import EDGEWISE, SOURCE, EdgewiseTest, wait_until
from monitoring import PROMETHEUS, Exporter, Node, Prometheus
from serving import SEED_ALONE, SEED_CLUSTER

TOOLS = ("podman", "runc", "slirp4netns", "curl")
# A network in which this machine's loopback has an address.
NETWORK, HOST = "slirp4netns:allow_host_loopback=true", "10.0.2.2"
MODULES = [EDGEWISE.parent / f"libedgewise-{name}.so" for name in ("http", "fetch")]


def libraries_of(file):
    done = subprocess.run(["ldd", file], capture_output=True, text=True, check=False)
    words = [word for line in done.stdout.splitlines() for word in line.split()]
    return {pathlib.Path(word) for word in words if word.startswith("/")}


@unittest.skipUnless(os.geteuid() == 0, "needs root")
@unittest.skipUnless(all(shutil.which(tool) for tool in TOOLS), f"needs {', '.join(TOOLS)}")
@unittest.skipUnless(all(module.exists() for module in MODULES), "edgewise was built without its HTTP parts")
class Containers(EdgewiseTest):
    def setUp(self):
        super().setUp()
        self.storage = self.scratch / "storage"
        self.context = self.scratch / "context"
        self.fill_context()
        self.import_base()

    def podman(self, *words, check=True):
        done = subprocess.run(
            ["podman", "--root", self.storage / "root", "--runroot", self.storage / "run", "--tmpdir",
             self.storage / "tmp", "--storage-driver", "vfs", "--runtime", "runc", "--cgroup-manager", "cgroupfs",
             "--events-backend", "file", *map(str, words)], stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT if words[0] == "logs" else subprocess.PIPE, text=True, timeout=300, check=False)
        if check and done.returncode != 0:
            raise AssertionError(f"podman {words[0]}: {done.stderr.strip()}")
        return done.stdout.strip()

    def fill_context(self):
        """What `cmake --install` would put under the prefix, as far as the images need it."""
        install = self.context / "install"
        places = {EDGEWISE: "bin", SOURCE / "share/models/default.ewm": "share/edgewise/models"}
        places.update({module: "lib/edgewise" for module in MODULES})
        for file, folder in places.items():
            (install / folder).mkdir(parents=True, exist_ok=True)
            shutil.copy(file, install / folder)
        # Debug information is most of a build's size, and each layer is copied.
        subprocess.run(["strip", "--strip-debug", install / "bin" / EDGEWISE.name], check=True)

    def import_base(self):
        base = self.scratch / "base"
        programs = [pathlib.Path(path) for path in ("/bin/sh", "/bin/grep", "/sbin/ldconfig")]
        files = set(programs)
        for program in [*programs, EDGEWISE, *MODULES]:
            files |= libraries_of(program)
        for file in files:
            target = base / file.relative_to("/")
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(file, target)
        for name in ("etc/passwd", "etc/group", "etc/os-release", "etc/ld.so.conf"):
            target = base / name
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(pathlib.Path("/") / name, target)
        shutil.copytree("/etc/ld.so.conf.d", base / "etc/ld.so.conf.d")
        for folder in ("tmp", "proc", "sys", "dev", "var/cache/ldconfig"):
            (base / folder).mkdir(parents=True, exist_ok=True)
        subprocess.run(["ldconfig", "-r", base], check=True)
        archive = self.scratch / "base.tar"
        subprocess.run(["tar", "-C", base, "-cf", archive, "."], check=True)
        self.podman("import", archive, "localhost/base")

    def start_image(self, name, *options):
        try:
            self.podman("build", "--ulimit", "nofile=1024:1024", "--ulimit", "nproc=1024:1024", "--network", "none",
                        "--build-arg", "BASE=localhost/base", "-t", name, "-f",
                        SOURCE / f"containers/{name}/Containerfile", self.context)
        except AssertionError as problem:
            self.skipTest(f"containers cannot be built here: {problem}")
        port = free_port()
        try:
            container = self.podman("run", "-d", "--ulimit", "nofile=1024:1024", "--ulimit", "nproc=1024:1024", "--network",
                                    NETWORK, "-p", f"127.0.0.1:{port}:7001", *options, f"localhost/{name}")
        except AssertionError as problem:
            self.skipTest(f"containers cannot be run with a published port here: {problem}")
        self.addCleanup(self.podman, "rm", "--force", "--time", "0", container, check=False)

        def answers():
            if self.podman("inspect", "--format", "{{.State.Running}}", container) != "true":
                raise AssertionError("the container ended: " + self.podman("logs", container))
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
            try:
                connection.request("GET", "/healthz")
                return connection.getresponse().status == 200
            except OSError:
                return False
            finally:
                connection.close()
        wait_until(answers, "the container")
        return port

    def curl(self, port, body):
        """As the seed's own line has it."""
        done = subprocess.run(["curl", "--silent", "--location", f"http://127.0.0.1:{port}/api/profiling", "--header",
                               "Content-Type: application/json", "--data", body], capture_output=True, text=True,
                              timeout=60, check=True)
        return json.loads(done.stdout)

    def test_stand_alone(self):
        port = self.start_image("stand-alone")
        answer = self.curl(port, SEED_ALONE)
        self.assertEqual(answer["status"], "success", answer)
        self.assertEqual(answer["model_characteristics"], json.loads(SEED_ALONE))
        self.assertGreater(answer["profiling_prediction"]["predicted_execution_time"], 0)

    @unittest.skipUnless(PROMETHEUS, "Debian's prometheus is not installed")
    def test_cluster(self):
        exporter = Exporter(self, [Node("rpi-1", "Raspberry Pi 4 Model B Rev 1.4")])
        prometheus = Prometheus(self, self.scratch / "prometheus", exporter.jobs())
        prometheus.wait_for('rate(node_cpu_seconds_total{mode="idle"}[1m])', 4)
        port = self.start_image("cluster", "-e", f"PROMETHEUS_IP={HOST}:{prometheus.port}")
        answer = self.curl(port, SEED_CLUSTER)
        self.assertEqual(answer["status"], "success", answer)
        prediction = answer["profiling_prediction"]
        self.assertEqual((prediction["node"], prediction["class"]), ("rpi-1", "Computer"))
        self.assertEqual(prediction["node_uuid"], "uuid-of-rpi-1")


if __name__ == "__main__":
    unittest.main()
