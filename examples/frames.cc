// A small edge application: takes frames, smooths them, finds edges.
//
// Shows the in-app library in C++:  edgewise run -- ./frames --frames 500
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <edgewise/edgewise.hpp>
#include <vector>

namespace {

constexpr int kWidth = 320;
constexpr int kHeight = 240;
using Image = std::vector<uint8_t>;

// A moving pattern with noise; the same for the same frame number.
void Capture(int frame, Image& image) {
  EDGEWISE_MEASURE("capture");
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
}

void Smooth(const Image& in, Image& out) {
  EDGEWISE_MEASURE("smooth");
  for (int y = 1; y + 1 < kHeight; ++y) {
    for (int x = 1; x + 1 < kWidth; ++x) {
      int sum = 0;
      for (int dy = -1; dy <= 1; ++dy) {
        for (int dx = -1; dx <= 1; ++dx) {
          sum += in[(y + dy) * kWidth + x + dx];
        }
      }
      out[y * kWidth + x] = static_cast<uint8_t>(sum / 9);
    }
  }
}

// How many pixels lie on an edge.
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

}  // namespace

int main(int argc, char** argv) {
  const int frames = argc == 3 && std::strcmp(argv[1], "--frames") == 0
                         ? std::atoi(argv[2])
                         : 500;
  edgewise::Rate fps("fps");
  edgewise::Gauge edges_found("edges");
  int64_t checksum = 0;
  // Used again and again: a loop that allocates pays for it at every frame.
  Image image(kWidth * kHeight);
  Image smooth(image.size());
  Image smoother(image.size());
  for (int frame = 0; frame < frames; ++frame) {
    EDGEWISE_MEASURE("frame");
    Capture(frame, image);
    Smooth(image, smooth);
    Smooth(smooth, smoother);
    const int edges = CountEdges(smoother);
    edges_found.Set(edges);
    fps.Tick();
    checksum += edges;
  }
  std::printf("%d frames, checksum %lld\n", frames,
              static_cast<long long>(checksum));
}
