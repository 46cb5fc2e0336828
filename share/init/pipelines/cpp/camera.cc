// A sample pipeline in C++: take a frame, smooth it, count its edges.
// Replace Capture, Smooth and CountEdges by what your pipeline does.
//
//   camera --items 200                  as fast as it can, 200 frames
//   camera --period 20                  one frame every 20 ms, until it is
//   ended camera --items 200 --threads 2      two threads share each frame
//
// `edgewise exec` decides itself when each frame is due, if there is --period.
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <edgewise/edgewise.hpp>
#include <string>
#include <thread>
#include <vector>

namespace {

constexpr int kWidth = 640;
constexpr int kHeight = 480;
using Image = std::vector<uint8_t>;

struct Options {
  int period_ms = 0;  // 0: as fast as it can
  int items = 0;      // 0: no end
  int threads = 1;
};

// A moving pattern with noise, in place of a camera.
Image Capture(int frame) {
  EDGEWISE_MEASURE("capture");
  Image image(kWidth * kHeight);
  uint32_t noise = 2463534242u + static_cast<uint32_t>(frame);
  for (int y = 0; y < kHeight; ++y) {
    for (int x = 0; x < kWidth; ++x) {
      noise ^= noise << 13;
      noise ^= noise >> 17;
      noise ^= noise << 5;
      image[y * kWidth + x] = static_cast<uint8_t>(
          ((x + frame) / 16 + y / 16) % 2 * 200 + noise % 32);
    }
  }
  return image;
}

void SmoothRows(const Image& in, Image* out, int from, int to) {
  for (int y = from; y < to; ++y) {
    for (int x = 1; x + 1 < kWidth; ++x) {
      int sum = 0;
      for (int dy = -1; dy <= 1; ++dy) {
        for (int dx = -1; dx <= 1; ++dx) {
          sum += in[(y + dy) * kWidth + x + dx];
        }
      }
      (*out)[y * kWidth + x] = static_cast<uint8_t>(sum / 9);
    }
  }
}

Image Smooth(const Image& in, int threads) {
  EDGEWISE_MEASURE("smooth");
  Image out(in.size());
  const int rows = kHeight - 2;
  std::vector<std::thread> others;
  for (int i = 1; i < threads; ++i) {
    others.emplace_back(SmoothRows, std::cref(in), &out, 1 + rows * i / threads,
                        1 + rows * (i + 1) / threads);
  }
  SmoothRows(in, &out, 1, 1 + rows / threads);
  for (std::thread& other : others) {
    other.join();
  }
  return out;
}

int CountEdges(const Image& image) {
  EDGEWISE_MEASURE("edges");
  int edges = 0;
  for (int y = 0; y < kHeight; ++y) {
    for (int x = 1; x < kWidth; ++x) {
      edges += std::abs(image[y * kWidth + x] - image[y * kWidth + x - 1]) > 40;
    }
  }
  return edges;
}

int ProcessFrame(int number, int threads) {
  EDGEWISE_MEASURE("frame");
  Image image = Capture(number);
  for (int pass = 0; pass < 4; ++pass) {
    image = Smooth(image, threads);
  }
  return CountEdges(image);
}

int Number(const char* text, const char* flag) {
  char* end = nullptr;
  const long number = std::strtol(text, &end, 10);
  if (*text == '\0' || *end != '\0' || number < 1 || number > 1000000000) {
    std::fprintf(stderr, "camera: %s needs a whole number above 0\n", flag);
    std::exit(2);
  }
  return static_cast<int>(number);
}

Options Parse(int argc, char** argv) {
  Options options;
  // Set by `edgewise run --threads` and `edgewise sweep --threads`.
  if (const char* threads = std::getenv("EDGEWISE_THREADS")) {
    options.threads = Number(threads, "$EDGEWISE_THREADS");
  }
  for (int i = 1; i < argc; i += 2) {
    const std::string flag = argv[i];
    const char* value = i + 1 < argc ? argv[i + 1] : "";
    if (flag == "--period") {
      options.period_ms = Number(value, "--period");
    } else if (flag == "--items") {
      options.items = Number(value, "--items");
    } else if (flag == "--threads") {
      options.threads = Number(value, "--threads");
    } else {
      std::fprintf(stderr,
                   "camera: unknown option %s; known: --period MS, --items N, "
                   "--threads N\n",
                   flag.c_str());
      std::exit(2);
    }
  }
  return options;
}

}  // namespace

int main(int argc, char** argv) {
  const Options options = Parse(argc, argv);
  edgewise::Gauge edges_found("edges");
  int done = 0;
  const auto more = [&] { return options.items == 0 || done < options.items; };
  if (options.period_ms > 0) {
    edgewise::Periodic jobs("camera",
                            std::chrono::milliseconds(options.period_ms));
    while (more()) {
      const auto job = jobs.Next();
      if (!job) {
        break;  // `edgewise exec` says that it is over
      }
      edges_found.Set(ProcessFrame(done++, options.threads));
    }
  } else {
    while (more()) {
      edges_found.Set(ProcessFrame(done++, options.threads));
    }
  }
  std::printf("%d frames\n", done);
}
