"""What the sample apps cost each other, predicted from sensitivity and then
measured: `edgewise contend check`.

    predictions.py EDGEWISE APPS_FOLDER [FLAG...]

Prints lines of: name, value, unit, bar, pass|fail (tab-separated).
"""
import json
import subprocess
import sys
import tempfile

EDGEWISE, FOLDER, *FLAGS = sys.argv[1:]
ENDLESS = "--max --items 1000000000"
APPS = {
    "image": f"{FOLDER}/image {ENDLESS}",
    "audio": f"{FOLDER}/audio {ENDLESS}",
    "dl": f"{FOLDER}/dl {ENDLESS}",
    "spin": f"{FOLDER}/spin --work 20ms --threads 2 {ENDLESS}",
}


def main():
    apps = [word for name, command in APPS.items() for word in ("--app", f"{name}={command}")]
    with tempfile.TemporaryDirectory() as home:
        done = subprocess.run([EDGEWISE, "--home", home, "contend", "check", *apps, "--duration", "2s", "--warmup",
                               "500ms", "--settle", "1s", "--dials", "50,100", "--repeat", "2", "--json", *FLAGS],
                              stdout=subprocess.PIPE, check=False)
    assert done.returncode in (0, 1), f"edgewise contend failed with {done.returncode}"
    check = json.loads(done.stdout)["check"]
    for pair in check["pairs"]:
        if pair["error"] is not None:
            name = f"slow-down of {pair['app']} beside {pair['beside']}"
            print(f"{name}, predicted\t{pair['predicted']:.2f}\tx\t-\t-")
            print(f"{name}, measured\t{pair['measured']:.2f}\tx\t-\t-")
    noise = check["median_noise"]
    print(f"two measurements of one pair differ, median\t{100 * noise:.1f}\t%\t-\t-")
    verdict = "pass" if check["passed"] else "fail"
    print(f"error of predicted slow-downs (p50), median\t{100 * check['median_error']:.1f}\t%"
          f"\t<= {100 * check['bar']:.1f}\t{verdict}")


main()
