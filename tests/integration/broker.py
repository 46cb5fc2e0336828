"""A real mosquitto of a test's own, on a free port of this machine."""
import os
import shutil
import socket
import subprocess

from driving import wait_until

MOSQUITTO = shutil.which("mosquitto", path="/usr/sbin:/usr/bin")
INSTALLED = bool(MOSQUITTO and shutil.which("mosquitto_pub"))


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def answers_at(port):
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def start_broker(test, folder, port, *lines):
    """Starts it with its configuration in the folder; it is killed when the test ends."""
    configuration = folder / "mosquitto.conf"
    configuration.write_text("\n".join([f"listener {port} 127.0.0.1", "set_tcp_nodelay true",
                                        "user root" if os.geteuid() == 0 else "",
                                        *(lines or ("allow_anonymous true",)), ""]))
    process = subprocess.Popen([MOSQUITTO, "-c", configuration], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    test.addCleanup(test.finish, process)
    wait_until(lambda: answers_at(port), "the broker")
    return process
