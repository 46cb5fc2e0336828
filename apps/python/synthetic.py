"""The synthetic film and sound of the C++ apps, drawn with numpy.

The film is the same to the byte (apps/input/synthetic_video.cc); the sound up
to rounding (apps/input/synthetic_sound.cc).
"""
import numpy as np

WIDTH, HEIGHT, CHANNELS = 640, 480, 3
SAMPLES_PER_SECOND = 16000


class Random:
    """SplitMix64, as src/stats/random.h."""

    GAMMA = 0x9E3779B97F4A7C15
    MASK = (1 << 64) - 1

    def __init__(self, seed):
        self._state = seed & self.MASK

    def words(self, count):
        """The next `count` words at once."""
        steps = np.arange(1, count + 1, dtype=np.uint64)
        z = np.uint64(self._state) + steps * np.uint64(self.GAMMA)
        self._state = (self._state + count * self.GAMMA) & self.MASK
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return z ^ (z >> np.uint64(31))

    def below(self, bound):
        return ((int(self.words(1)[0]) >> 32) * bound) >> 32

    def uniform(self, count):
        return ((self.words(count) >> np.uint64(12)).astype(np.float64) + 0.5) * 2.0**-52


def _squares(height, width, size):
    y, x = np.mgrid[:height, :width]
    return (x // size + y // size) % 2


def _bounce(position, span):
    phase = position % (2 * span)
    return phase if phase <= span else 2 * span - phase


class Video:
    """Textured boxes that move over a textured ground, with noise."""

    def __init__(self, seed):
        y, x = np.mgrid[:HEIGHT, :WIDTH]
        ground = [40 + (x * (c + 1) + y * (3 - c)) // 8 % 64 + 24 * _squares(HEIGHT, WIDTH, 32)
                  for c in range(CHANNELS)]
        self._ground = np.stack(ground, axis=2).astype(np.uint8)
        random = Random(seed)
        self._boxes = [self._box(random) for _ in range(6)]
        words = random.words(HEIGHT * WIDTH * CHANNELS // 8) & np.uint64(0x0F0F0F0F0F0F0F0F)
        noise = words.view(np.uint8).reshape(HEIGHT, WIDTH, CHANNELS)
        self._noise = np.concatenate([noise, noise])

    @staticmethod
    def _box(random):
        width, height = 30 + random.below(70), 30 + random.below(70)
        x, y = random.below(WIDTH - width), random.below(HEIGHT - height)
        dx, dy = random.below(13) - 6, random.below(9) - 4
        color = np.array([100 + random.below(100) for _ in range(CHANNELS)])
        picture = color + 40 * _squares(height, width, 5)[:, :, None]
        return picture.astype(np.uint8), x, y, dx, dy

    def frame(self, number):
        frame = self._ground.copy()
        for picture, x, y, dx, dy in self._boxes:
            height, width = picture.shape[:2]
            left = _bounce(x + number * dx, WIDTH - width)
            top = _bounce(y + number * dy, HEIGHT - height)
            frame[top:top + height, left:left + width] = picture
        row = number * 53 % HEIGHT
        return frame + self._noise[row:row + HEIGHT]  # at most 254: no overflow


class Sound:
    """A voice-like sound that comes one piece after the other."""

    STEP = 16

    def __init__(self, seed):
        self._random = Random(seed)
        pitch, glide, syllables = self._random.uniform(3)
        self._pitch_hz, self._glide_hz, self._syllables_hz = 90 + 160 * pitch, 0.2 + 0.5 * glide, 2 + 3 * syllables
        turn = 2 * np.pi * np.arange(4096) / 4096
        self._wave = sum(np.sin(k * turn) / k for k in range(1, 7))
        self._step, self._turns = 0, 0.0

    def next(self, samples):
        """`samples` must be a multiple of STEP."""
        time_s = (self._step + np.arange(samples // self.STEP)) * self.STEP / SAMPLES_PER_SECOND
        self._step += samples // self.STEP
        pitch_hz = self._pitch_hz * (1 + 0.3 * np.sin(2 * np.pi * self._glide_hz * time_s))
        loudness = 0.2 * np.maximum(0, np.sin(2 * np.pi * self._syllables_hz * time_s))
        turns = self._turns + np.cumsum(np.repeat(pitch_hz / SAMPLES_PER_SECOND, self.STEP))
        self._turns = turns[-1] % 1
        voice = self._wave[(turns % 1 * 4096).astype(np.int64) % 4096]
        noise = 2 * self._random.uniform(samples) - 1
        return (np.repeat(loudness, self.STEP) * voice + 0.02 * noise).astype(np.float32)
