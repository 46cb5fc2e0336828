"""The Python twin of `image`: finds what moves in a video.

    edgewise run -- python3 apps/python/image.py --items 100

Same steps, same spans, and on synthetic input the same checksum as the C++ app.
"""
import concurrent.futures
import os

import cv2
import edgewise
import numpy as np

import load
import synthetic

SMALL = (320, 240)
STRIP_ROWS, OVERLAP_ROWS = 60, 16
LEAST_AREA = 40
INPUTS = "synthetic (default), a video file, camera:N or rtsp://..."


class Film:
    def __init__(self, seed):
        self._video, self._number = synthetic.Video(seed), 0

    def __call__(self):
        self._number += 1
        return self._video.frame(self._number - 1)


def open_input(chosen):
    """A function that gives the next frame, None at the end."""
    name = chosen.input
    if name == "synthetic":
        return Film(chosen.seed)
    if name.startswith("camera:") and name[7:].isdigit():
        capture, code = cv2.VideoCapture(int(name[7:]), cv2.CAP_V4L2), 3
    elif name.startswith("rtsp://"):
        capture, code = cv2.VideoCapture(name, cv2.CAP_FFMPEG), 3
    elif os.path.isfile(name):
        capture, code = cv2.VideoCapture(name, cv2.CAP_FFMPEG), 2
    else:
        load.fail("image.py", f'--input: there is no file "{name}"; known: {INPUTS}')
    if not capture.isOpened():
        load.fail("image.py", f'--input: "{name}" cannot be opened; known: {INPUTS}', code)

    def read():
        there, frame = capture.read()
        return frame if there else None
    return read


class Work:
    def __init__(self, threads):
        self._crew = concurrent.futures.ThreadPoolExecutor(threads)
        self._background = cv2.createBackgroundSubtractorMOG2(120, 25, False)
        self._kernel = cv2.getStructuringElement(cv2.MORPH_RECT, (3, 3))
        self._previous = None
        self._objects = edgewise.Gauge("objects")

    def __call__(self, frame, checksum):
        with edgewise.measure("resize"):
            small = cv2.resize(frame, SMALL, interpolation=cv2.INTER_AREA)
            gray = cv2.cvtColor(small, cv2.COLOR_BGR2GRAY)
        with edgewise.measure("background"):
            mask = self._background.apply(small)
            mask = cv2.morphologyEx(mask, cv2.MORPH_OPEN, self._kernel)
        with edgewise.measure("flow"):
            flow = self.flow(gray if self._previous is None else self._previous, gray)
        with edgewise.measure("contours"):
            found = self.find(mask, flow)
        self._previous = gray
        self._objects.set(len(found))
        checksum.add(mask)
        checksum.add(flow)
        for box, sizes in found:
            checksum.add(np.array(box, np.int32))
            checksum.add(np.array(sizes, np.float64))

    def flow(self, previous, gray):
        """In strips that overlap, shared by threads: OpenCV lets others run meanwhile."""
        height = gray.shape[0]

        def strip(top):
            first, last = max(0, top - OVERLAP_ROWS), min(height, top + STRIP_ROWS + OVERLAP_ROWS)
            flow = cv2.calcOpticalFlowFarneback(previous[first:last], gray[first:last], None, 0.5, 3, 15, 3, 5, 1.2, 0)
            return flow[top - first:top - first + STRIP_ROWS]
        return np.concatenate(list(self._crew.map(strip, range(0, height, STRIP_ROWS))))

    @staticmethod
    def find(mask, flow):
        found = []
        contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
        for contour in contours:
            area = cv2.contourArea(contour)
            if area >= LEAST_AREA:
                x, y, width, height = box = cv2.boundingRect(contour)
                inside = slice(y, y + height), slice(x, x + width)
                mean_flow = cv2.mean(flow[inside], mask[inside])[:2]
                found.append((box, (area, cv2.arcLength(contour, True), *mean_flow)))
        return found


def main():
    os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")
    chosen = load.options("image.py", "Finds what moves in a video.", 300, INPUTS)
    cv2.setNumThreads(1)  # ours share the work
    load.drive("image.py", "frame", chosen, open_input(chosen), Work(chosen.threads))


if __name__ == "__main__":
    main()
