"""A small edge application in Python, measured with the in-app library.

    edgewise run -- python3 examples/frames.py 300
"""
import math
import sys

import edgewise


def capture(number):
    return [math.sin(number * 0.1 + i * 0.05) for i in range(2000)]


@edgewise.measure("analyse")
def analyse(samples):
    mean = sum(samples) / len(samples)
    return math.sqrt(sum((s - mean) ** 2 for s in samples) / len(samples))


def main():
    frames = int(sys.argv[1]) if len(sys.argv) > 1 else 300
    fps = edgewise.Rate("fps")
    level = edgewise.Gauge("level")
    checksum = 0.0
    for number in range(frames):
        with edgewise.measure("frame", meta={"src": "synthetic"}):
            result = analyse(capture(number))
        level.set(result)
        fps.tick()
        checksum += result
    print(f"{frames} frames, checksum {checksum:.6f}")


if __name__ == "__main__":
    main()
