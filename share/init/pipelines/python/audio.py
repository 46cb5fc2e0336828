"""A sample pipeline in Python: take a chunk of sound, find how loud each band is.

Replace capture, spectrum and features by what your pipeline does.

    audio.py --items 200                        as fast as it can, 200 chunks
    audio.py --period 100                       one chunk every 100 ms, until it is ended
    audio.py --items 200 --log logs/audio.csv   with a CSV row for each chunk

`edgewise exec` decides itself when each chunk is due, if there is --period.
"""
import argparse
import itertools
import math

import edgewise
import prof_utils

RATE = 48000
CHUNK = 2880
BANDS_HZ = [100 * 1.03**i for i in range(160)]


@edgewise.measure("capture")
def capture(number):
    """A sound whose pitch moves, in place of a microphone."""
    pitch = 2 * math.pi * (200 + number % 50 * 10) / RATE
    return [math.sin(pitch * i) for i in range(CHUNK)]


@edgewise.measure("spectrum")
def spectrum(samples):
    """The energy at each of the bands (Goertzel)."""
    energies = []
    for band in BANDS_HZ:
        k = 2 * math.cos(2 * math.pi * band / RATE)
        a = b = 0.0
        for sample in samples:
            a, b = sample + k * a - b, a
        energies.append(a * a + b * b - k * a * b)
    return energies


@edgewise.measure("features")
def features(energies):
    total = sum(energies) or 1.0
    return sum(band * energy for band, energy in zip(BANDS_HZ, energies)) / total


def process(number):
    with edgewise.measure("chunk"):
        return features(spectrum(capture(number)))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--period", type=float, metavar="MS", help="one chunk so often")
    parser.add_argument("--items", type=int, metavar="N", help="end after so many chunks")
    parser.add_argument("--log", metavar="FILE", help="append a CSV row for each chunk")
    chosen = parser.parse_args()

    # What releases the chunks: a period, or nothing at all.
    due = edgewise.Periodic("audio", period_s=chosen.period / 1000) if chosen.period else itertools.count()
    centroid_hz = edgewise.Gauge("centroid_hz")
    done = 0
    for _ in due:
        if chosen.log:
            with prof_utils.measure("audio", meta={"src": "synthetic"}, log_path=chosen.log):
                centroid_hz.set(process(done))
        else:
            centroid_hz.set(process(done))
        done += 1
        if done == chosen.items:
            break
    print(done, "chunks")


if __name__ == "__main__":
    main()
