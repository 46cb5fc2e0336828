"""edgewise's own path from producer to consumer, against the smallest round trip
that Eclipse Paho C can make through the same broker in the same minute; and how
many messages a second it carries.

    path.py EDGEWISE PAHO_ROUND_TRIP

Starts mosquitto on a free loopback port. Prints lines of: name, value, unit,
bar, pass|fail (tab-separated).
"""
import json
import os
import pathlib
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time

EDGEWISE, PEER = (str(pathlib.Path(argument).resolve()) for argument in sys.argv[1:3])
ROUNDS = int(os.environ.get("BENCH_ROUNDS", "7"))
MESSAGES = int(os.environ.get("BENCH_MESSAGES", "600"))
RATE = 200
BYTES = 1024
FAST = 10_000
FAST_S = 5


def line(name, value, unit, bar=None, good=None):
    verdict = "-" if good is None else "pass" if good else "fail"
    print(f"{name}\t{value:.4g}\t{unit}\t{bar or '-'}\t{verdict}", flush=True)


def start_broker(folder):
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    configuration = pathlib.Path(folder) / "mosquitto.conf"
    configuration.write_text(f"listener {port} 127.0.0.1\nallow_anonymous true\nset_tcp_nodelay true\n"
                             "max_queued_messages 100000\nlog_dest none\n")
    program = shutil.which("mosquitto", path="/usr/sbin:/usr/bin")
    if program is None:
        raise SystemExit("path.py: mosquitto is not here; install it")
    process = subprocess.Popen([program, "-c", configuration], stderr=subprocess.DEVNULL)
    for _ in range(1000):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return process, port
        time.sleep(0.01)
    raise SystemExit("path.py: mosquitto does not listen")


def peer_us(port, how):
    done = subprocess.run([PEER, f"tcp://127.0.0.1:{port}", how, str(MESSAGES), str(RATE), str(BYTES)], check=True,
                          capture_output=True, text=True)
    return float(done.stdout)


def own(home, port, *flags):
    done = subprocess.run([EDGEWISE, "--home", home, "mqtt", "bench", "--json", "--broker", f"127.0.0.1:{port}",
                           "--payload", str(BYTES), *map(str, flags)], capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"path.py: {done.stderr}")
    [cell] = json.loads(done.stdout)["cells"]
    return cell


def p50_us(cell):
    [naive] = [stage for stage in cell["stages"] if stage["name"] == "total, naive"]
    return naive["p50_ms"]["value"] * 1000


def main():
    with tempfile.TemporaryDirectory() as folder:
        broker, port = start_broker(folder)
        home = folder + "/home"
        try:
            for how, flags, name in (("pass", ["--direct"], "producer to consumer"),
                                     ("echo", [], "producer to processor to consumer")):
                pairs = [(p50_us(own(home, port, *flags, "--rate", RATE, "--messages", MESSAGES)), peer_us(port, how))
                         for _ in range(ROUNDS)]
                line(f"mqtt: {name}, QoS 0, p50", statistics.median(mine for mine, _ in pairs), "us")
                line(f"Paho C: the same round trip ({how}), p50", statistics.median(theirs for _, theirs in pairs), "us")
                ratio = statistics.median(mine / theirs for mine, theirs in pairs)
                line(f"mqtt: {name} / Paho C, median of rounds", ratio, "x", "<= 1.3", ratio <= 1.3)
            cell = own(home, port, "--direct", "--rate", FAST, "--duration", f"{FAST_S}s", "--drain", "5s")
            shown = subprocess.run([EDGEWISE, "--home", home, "show", cell["run"], "--json"], check=True,
                                   capture_output=True, text=True)
            [total] = [span for span in json.loads(shown.stdout)["spans"] if span["name"] == "total"]
            cpu = {role["name"]: role["cpu_percent"] for role in cell["roles"]}
            lost = cell["messages"]["lost"]
            reached = total["rate_per_s"]
            good = lost == 0 and reached >= 0.99 * FAST
            line("mqtt: messages of 1 KiB at QoS 0", reached, "1/s", f">= {0.99 * FAST:g} or broker-bound",
                 good or cpu["broker"] >= 90)
            line(f"mqtt: lost of {cell['messages']['sent']:,} at that rate", lost, "", "0 or broker-bound",
                 lost == 0 or cpu["broker"] >= 90)
            for name in ("producer", "broker", "consumer"):
                line(f"mqtt: CPU of the {name} at that rate", cpu[name], "% of a core")
        finally:
            broker.terminate()
            broker.wait()


main()
