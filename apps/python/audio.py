"""The Python twin of `audio`: features of sound, one second at a time.

    edgewise run -- python3 apps/python/audio.py --items 100

Same steps and spans as the C++ app; numpy computes in double precision, so the
checksum is another one.
"""
import os
import wave

import edgewise
import numpy as np

import load
import synthetic

RATE = synthetic.SAMPLES_PER_SECOND
WINDOW, HOP, FFT = 400, 160, 512
BANDS, COEFFICIENTS = 40, 13
INPUTS = "synthetic (default) or a 16-bit WAV file of 16 kHz"


class FileInput:
    def __init__(self, path):
        try:
            self._file = wave.open(path, "rb")
        except (wave.Error, EOFError) as error:
            load.fail("audio.py", f'--input: "{path}" is not a WAV file ({error})')
        if self._file.getframerate() != RATE or self._file.getsampwidth() != 2:
            load.fail("audio.py", f'--input: "{path}" is not 16-bit sound of {RATE} samples a second: convert it first')

    def __call__(self):
        samples = np.frombuffer(self._file.readframes(RATE), "<i2").astype(np.float32) / 32768
        samples = samples.reshape(-1, self._file.getnchannels()).mean(axis=1)
        return samples if len(samples) == RATE else None


def open_input(chosen):
    if chosen.input == "synthetic":
        sound = synthetic.Sound(chosen.seed)
        return lambda: sound.next(RATE)
    if not os.path.isfile(chosen.input):
        load.fail("audio.py", f'--input: there is no file "{chosen.input}"; known: {INPUTS}')
    return FileInput(chosen.input)


def mel_filters():
    top = 2595 * np.log10(1 + RATE / 2 / 700)
    edges = 700 * (10 ** (top * np.arange(BANDS + 2) / (BANDS + 1) / 2595) - 1) / (RATE / FFT)
    bins = np.arange(FFT // 2 + 1)
    low, peak, high = edges[:-2, None], edges[1:-1, None], edges[2:, None]
    return np.maximum(0, np.minimum((bins - low) / (peak - low), (high - bins) / (high - peak)))


class Work:
    def __init__(self):
        self._window = 0.5 - 0.5 * np.cos(2 * np.pi * np.arange(WINDOW) / WINDOW)
        self._filters = mel_filters()
        bands, k = np.arange(BANDS) + 0.5, np.arange(COEFFICIENTS)
        self._cosines = np.cos(np.pi * k[:, None] * bands / BANDS) * np.sqrt(2 / BANDS)
        self._cosines[0] /= np.sqrt(2)
        self._hz = np.arange(FFT // 2 + 1) * RATE / FFT
        self._tail = np.zeros(0, np.float32)
        self._centroid_hz = edgewise.Gauge("centroid_hz")

    def __call__(self, fresh, checksum):
        samples = np.concatenate([self._tail, fresh])
        self._tail = samples[-(WINDOW - HOP):]
        with edgewise.measure("fft"):
            windows = np.lib.stride_tricks.sliding_window_view(samples, WINDOW)[::HOP]
            power = np.abs(np.fft.rfft(windows * self._window, FFT)) ** 2
        with edgewise.measure("mel"):
            mel = power @ self._filters.T
        with edgewise.measure("mfcc"):
            mfcc = np.log(np.maximum(mel, 1e-10)) @ self._cosines.T
        with edgewise.measure("centroid"):
            magnitude = np.sqrt(power)
            centroid = magnitude @ self._hz / np.maximum(magnitude.sum(axis=1), 1e-30)
        self._centroid_hz.set(centroid.mean())
        for result in (mel, mfcc, centroid):
            checksum.add(result)


def main():
    chosen = load.options("audio.py", "Computes features of sound.", 300, INPUTS)
    load.drive("audio.py", "chunk", chosen, open_input(chosen), Work())


if __name__ == "__main__":
    main()
