"""Files as input."""
import struct
import unittest
import wave

import cv2
import numpy

from running import AppTest


class SoundFileTest(AppTest):
    def sound(self, rate=16000, channels=1, seconds=3):
        path = self.scratch / "sound.wav"
        time_s = numpy.arange(rate * seconds) / rate
        samples = (8000 * numpy.sin(2 * numpy.pi * 440 * time_s)).astype("<i2")
        with wave.open(str(path), "wb") as file:
            file.setparams((channels, 2, rate, 0, "NONE", ""))
            file.writeframes(numpy.repeat(samples, channels).tobytes())
        return path

    def test_a_file_is_read_to_its_end(self):
        for app in ("audio", "audio.py"):
            with self.subTest(app=app):
                self.assertEqual(self.result(app, "--input", self.sound())["items"], 3)
                self.assertEqual(self.result(app, "--input", self.sound(), "--items", 2)["items"], 2)

    def test_channels_are_averaged(self):
        mono = self.result("audio", "--input", self.sound())
        self.assertEqual(self.result("audio", "--input", self.sound(channels=2))["checksum"], mono["checksum"])

    def test_another_sample_rate_is_refused(self):
        self.refused("audio", "--input", self.sound(rate=8000), words=["8000", "16000"])

    def test_a_file_shorter_than_a_chunk_has_no_items(self):
        path = self.scratch / "short.wav"
        with wave.open(str(path), "wb") as file:
            file.setparams((1, 2, 16000, 0, "NONE", ""))
            file.writeframes(struct.pack("<3h", 1, 2, 3))
        result = self.result("audio", "--input", path)
        self.assertEqual((result["items"], result["fps"]), (0, None))


class VideoFileTest(AppTest):
    def film(self, frames=6):
        path = self.scratch / "film.avi"
        writer = cv2.VideoWriter(str(path), cv2.VideoWriter_fourcc(*"MJPG"), 10, (160, 120))
        self.assertTrue(writer.isOpened())
        for number in range(frames):
            frame = numpy.full((120, 160, 3), 60, numpy.uint8)
            frame[40:80, 10 * number:10 * number + 40] = 200
            writer.write(frame)
        writer.release()
        return path

    def test_a_film_is_read_to_its_end(self):
        film = self.film()
        results = [self.result(app, "--input", film) for app in ("image", "image.py")]
        self.assertEqual([result["items"] for result in results], [6, 6])
        self.assertEqual(results[0]["checksum"], results[1]["checksum"])

    def test_a_network_looks_at_a_film(self):
        result = self.result("dl", "--model", "mlp", "--input", self.film(), "--batch", 3)
        self.assertEqual((result["items"], result["batch"]), (2, 3))


if __name__ == "__main__":
    unittest.main()
