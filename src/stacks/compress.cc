#include "stacks/compress.h"

#include <zlib.h>

#include <algorithm>
#include <limits>

namespace edgewise::stacks {
namespace {

constexpr int kZlibWindowBits = 15;
constexpr int kGzipWindowBits = 15 + 16;
constexpr int kMemoryLevel = 8;
// No byte of a deflate stream stands for more than this many.
constexpr size_t kMaxExpansion = 1032;
// zlib counts its input and output in 32 bits at a time.
constexpr size_t kMaxStep = std::numeric_limits<uInt>::max();

Bytef* WritableBytes(char* bytes) { return reinterpret_cast<Bytef*>(bytes); }
// zlib's interface is older than const; it does not write there.
Bytef* InputBytes(const char* bytes) {
  return reinterpret_cast<Bytef*>(const_cast<char*>(bytes));
}

// Gives the stream its next piece of `input` and of `output`.
void Feed(std::string_view input, size_t taken, std::string* output,
          size_t made, z_stream* stream) {
  stream->next_in = InputBytes(input.data() + taken);
  stream->avail_in =
      static_cast<uInt>(std::min(kMaxStep, input.size() - taken));
  stream->next_out = WritableBytes(output->data() + made);
  stream->avail_out =
      static_cast<uInt>(std::min(kMaxStep, output->size() - made));
}

std::string Compressed(std::string_view bytes, int window_bits) {
  z_stream stream{};
  if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, window_bits,
                   kMemoryLevel, Z_DEFAULT_STRATEGY) != Z_OK) {
    return {};  // only for want of memory
  }
  std::string output(deflateBound(&stream, bytes.size()), '\0');
  size_t taken = 0;
  size_t made = 0;
  int state = Z_OK;
  while (state == Z_OK) {
    Feed(bytes, taken, &output, made, &stream);
    const uInt in = stream.avail_in;
    const uInt out = stream.avail_out;
    state =
        deflate(&stream, taken + in == bytes.size() ? Z_FINISH : Z_NO_FLUSH);
    taken += in - stream.avail_in;
    made += out - stream.avail_out;
  }
  deflateEnd(&stream);
  output.resize(made);
  return output;
}

}  // namespace

std::string Deflated(std::string_view bytes) {
  return Compressed(bytes, kZlibWindowBits);
}

std::string Gzipped(std::string_view bytes) {
  return Compressed(bytes, kGzipWindowBits);
}

std::optional<std::string> Inflated(std::string_view deflated,
                                    size_t expected_bytes) {
  if (expected_bytes / kMaxExpansion > deflated.size()) {
    return std::nullopt;
  }
  z_stream stream{};
  if (inflateInit2(&stream, kZlibWindowBits) != Z_OK) {
    return std::nullopt;
  }
  std::string output(expected_bytes, '\0');
  size_t taken = 0;
  size_t made = 0;
  int state = Z_OK;
  while (state == Z_OK) {
    Feed(deflated, taken, &output, made, &stream);
    const uInt in = stream.avail_in;
    const uInt out = stream.avail_out;
    state = inflate(&stream, Z_NO_FLUSH);
    taken += in - stream.avail_in;
    made += out - stream.avail_out;
  }
  inflateEnd(&stream);
  if (state != Z_STREAM_END || taken != deflated.size() ||
      made != expected_bytes) {
    return std::nullopt;
  }
  return output;
}

}  // namespace edgewise::stacks
