#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "base/byte_code.h"
#include "stacks/compress.h"
#include "stacks/encode.h"
#include "stacks/encoding.h"

namespace edgewise::stacks {
namespace {

// Takes a body apart. After the first thing that is not as it should be,
// `ok()` is false and everything reads as nothing.
class BodyReader {
 public:
  explicit BodyReader(ByteReader bytes) : bytes_(bytes) {}

  bool ok() const { return ok_; }
  bool done() const { return ok_ && bytes_.remaining() == 0; }

  uint64_t Unsigned() { return Checked(bytes_.Varint()); }
  int64_t Signed() { return Checked(bytes_.Signed()); }
  uint8_t Byte() { return Checked(bytes_.Byte()); }
  // Within the range of the smaller type.
  int32_t Int() {
    const int64_t value = Signed();
    Require(value >= std::numeric_limits<int32_t>::min() &&
            value <= std::numeric_limits<int32_t>::max());
    return ok_ ? static_cast<int32_t>(value) : 0;
  }
  int32_t Index() {
    const uint64_t value = Unsigned();
    Require(value <= std::numeric_limits<int32_t>::max());
    return ok_ ? static_cast<int32_t>(value) : 0;
  }
  std::optional<double> OptionalDouble() {
    const uint8_t present = Byte();
    Require(present <= 1);
    if (!ok_ || present == 0) {
      return std::nullopt;
    }
    const double value = Checked(bytes_.Double());
    Require(std::isfinite(value));
    return value;
  }
  // A number of records that take at least `least_bytes` each.
  size_t Count(size_t least_bytes) {
    const uint64_t count = Unsigned();
    Require(count <= bytes_.remaining() / least_bytes &&
            count <= std::numeric_limits<int32_t>::max());
    return ok_ ? static_cast<size_t>(count) : 0;
  }
  void ReadTexts() {
    texts_.resize(Count(1));
    for (std::string_view& text : texts_) {
      const uint64_t length = Unsigned();
      Require(length <= bytes_.remaining());
      text = ok_ ? Checked(bytes_.Bytes(static_cast<size_t>(length)))
                 : std::string_view();
    }
  }
  std::string Text() {
    const uint64_t id = Unsigned();
    Require(id < texts_.size());
    return ok_ ? std::string(texts_[static_cast<size_t>(id)]) : std::string();
  }
  void Require(bool condition) { ok_ = ok_ && condition; }

 private:
  template <typename T>
  T Checked(std::optional<T> value) {
    Require(value.has_value());
    return ok_ ? *value : T{};
  }

  ByteReader bytes_;
  std::vector<std::string_view> texts_;
  bool ok_ = true;
};

Collection ReadCollection(BodyReader* reader) {
  Collection collection;
  collection.event = reader->Text();
  collection.unit = reader->Text();
  collection.rate_hz = reader->OptionalDouble();
  collection.unwind_s = reader->OptionalDouble();
  for (int64_t* value :
       {&collection.samples, &collection.lost, &collection.truncated,
        &collection.broken, &collection.reached_root, &collection.python_missed,
        &collection.spool_bytes}) {
    *value = reader->Signed();
  }
  collection.notes.resize(reader->Count(1));
  for (std::string& note : collection.notes) {
    note = reader->Text();
  }
  return collection;
}

std::vector<Frame> ReadFrames(BodyReader* reader) {
  std::vector<Frame> frames(reader->Count(6));
  for (Frame& frame : frames) {
    frame.function = reader->Text();
  }
  for (Frame& frame : frames) {
    frame.module = reader->Text();
  }
  for (Frame& frame : frames) {
    frame.file = reader->Text();
  }
  for (Frame& frame : frames) {
    frame.line = reader->Int();
  }
  for (Frame& frame : frames) {
    frame.first_line = reader->Int();
  }
  for (Frame& frame : frames) {
    const unsigned flags = reader->Byte();
    const unsigned kind = flags & (kInlinedBit - 1);
    reader->Require(kind <= kLastKind && flags <= kAllFlags);
    frame.kind = static_cast<FrameKind>(reader->ok() ? kind : 0);
    frame.inlined = (flags & kInlinedBit) != 0;
    frame.named = (flags & kNamedBit) != 0;
  }
  return frames;
}

std::vector<StackNode> ReadNodes(BodyReader* reader) {
  std::vector<StackNode> nodes(reader->Count(2));
  for (size_t i = 0; i < nodes.size(); ++i) {
    const uint64_t distance = reader->Unsigned();
    reader->Require(distance <= i);
    nodes[i].parent = reader->ok() ? static_cast<int32_t>(i) -
                                         static_cast<int32_t>(distance) - 1
                                   : -1;
  }
  int64_t before = 0;
  for (StackNode& node : nodes) {
    before = WrappingSum(before, reader->Signed());
    reader->Require(before >= 0 &&
                    before <= std::numeric_limits<int32_t>::max());
    node.frame = reader->ok() ? static_cast<int32_t>(before) : 0;
  }
  return nodes;
}

std::vector<StackThread> ReadThreads(BodyReader* reader) {
  std::vector<StackThread> threads(reader->Count(4));
  for (StackThread& thread : threads) {
    thread.pid = reader->Int();
    thread.tid = reader->Int();
    thread.process = reader->Text();
    thread.thread = reader->Text();
  }
  return threads;
}

std::vector<StackCount> ReadCounts(BodyReader* reader) {
  std::vector<StackCount> counts(reader->Count(3));
  int64_t before = 0;
  for (StackCount& count : counts) {
    before = WrappingSum(before, reader->Signed());
    reader->Require(before >= -1 &&
                    before <= std::numeric_limits<int32_t>::max());
    count.node = reader->ok() ? static_cast<int32_t>(before) : -1;
  }
  for (StackCount& count : counts) {
    count.thread = reader->Index();
  }
  uint64_t sum = 0;
  constexpr auto kLargest =
      static_cast<uint64_t>(std::numeric_limits<int64_t>::max());
  for (StackCount& count : counts) {
    const uint64_t value = reader->Unsigned();
    reader->Require(value <= kLargest - sum);
    sum += reader->ok() ? value : 0;
    count.count = reader->ok() ? static_cast<int64_t>(value) : 0;
  }
  return counts;
}

std::optional<StackProfile> ReadBody(ByteReader bytes) {
  BodyReader reader(bytes);
  StackProfile profile;
  reader.ReadTexts();
  profile.collection = ReadCollection(&reader);
  profile.frames = ReadFrames(&reader);
  profile.nodes = ReadNodes(&reader);
  profile.threads = ReadThreads(&reader);
  profile.counts = ReadCounts(&reader);
  if (!reader.done() || !profile.Valid()) {
    return std::nullopt;
  }
  return profile;
}

Error Damaged(const char* what) {
  return Error{ErrorCode::kCorrupt,
               std::string("the stacks of a Run are damaged, ") + what};
}

}  // namespace

Result<StackProfile> Decode(std::string_view bytes) {
  auto reader = ByteReader::Open(bytes);
  if (!reader) {
    return Damaged("the checksum does not fit");
  }
  const auto format = reader->Byte();
  if (!format || *format != kFormat) {
    return Damaged("their format is not one this version knows");
  }
  const auto size = reader->Varint();
  const auto deflated = reader->Bytes(reader->remaining());
  if (!size || !deflated) {
    return Damaged("they are cut off");
  }
  const auto body = Inflated(*deflated, static_cast<size_t>(*size));
  if (!body) {
    return Damaged("they do not decompress");
  }
  auto profile = ReadBody(ByteReader::Unsealed(*body));
  if (!profile) {
    return Damaged("their parts do not fit together");
  }
  return *std::move(profile);
}

}  // namespace edgewise::stacks
