#include "report/export_pprof.h"

#include <cmath>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/byte_code.h"
#include "report/run_stacks.h"
#include "report/utf8.h"
#include "stacks/compress.h"

namespace edgewise {
namespace {

using stacks::Frame;
using stacks::StackCount;
using stacks::StackProfile;

// As much of the protobuf encoding as is needed: numbers, bytes and packed
// numbers. Fields of value 0 are left out, as proto3 does.
class Message {
 public:
  void Number(uint32_t field, int64_t value) {
    if (value != 0) {
      bytes_.Varint(field << 3);
      bytes_.Varint(static_cast<uint64_t>(value));
    }
  }
  void Bytes(uint32_t field, std::string_view bytes) {
    bytes_.Varint(field << 3 | 2);
    bytes_.Varint(bytes.size());
    bytes_.Bytes(bytes);
  }
  void Sub(uint32_t field, const Message& message) {
    Bytes(field, message.bytes_.bytes());
  }
  void Packed(uint32_t field, const std::vector<int64_t>& values) {
    ByteWriter packed;
    for (const int64_t value : values) {
      packed.Varint(static_cast<uint64_t>(value));
    }
    Bytes(field, packed.bytes());
  }
  std::string_view bytes() const { return bytes_.bytes(); }

 private:
  ByteWriter bytes_;
};

// Field numbers of profile.proto.
enum ProfileField : uint32_t {
  kSampleType = 1,
  kSample = 2,
  kMapping = 3,
  kLocation = 4,
  kFunction = 5,
  kString = 6,
  kTimeNanos = 9,
  kDurationNanos = 10,
  kPeriodType = 11,
  kPeriod = 12,
  kDefaultSampleType = 14,
};

// What a count is worth, in the types that pprof shows.
struct SampleType {
  std::string type;
  std::string unit;
  double each = 1;
};

std::vector<SampleType> SampleTypes(const stacks::Collection& collection) {
  if (collection.unit == "ns") {
    return {{"cpu", "nanoseconds", 1}};
  }
  if (collection.unit != "samples") {
    return {{collection.unit.empty() ? "events" : collection.unit,
             collection.unit == "bytes" ? "bytes" : "count", 1}};
  }
  std::vector<SampleType> types{{"samples", "count", 1}};
  if (collection.rate_hz && *collection.rate_hz > 0) {
    types.push_back({"cpu", "nanoseconds", 1e9 / *collection.rate_hz});
  }
  return types;
}

class Builder {
 public:
  explicit Builder(const StackProfile& profile) : profile_(profile) {
    (void)Text("");  // by definition the first
  }

  std::string Build(const Run& run);

 private:
  int64_t Text(std::string_view text) {
    const auto [place, is_new] = texts_.try_emplace(
        ValidUtf8(text), static_cast<int64_t>(texts_.size()));
    if (is_new) {
      order_.push_back(place->first);
    }
    return place->second;
  }
  Message ValueType(const SampleType& type) {
    Message message;
    message.Number(1, Text(type.type));
    message.Number(2, Text(type.unit));
    return message;
  }
  int64_t MappingOf(const std::string& module);
  // pprof takes the first mapping for the program itself.
  void AddProgramFirst();
  int64_t FunctionOf(const Frame& frame);
  // `frames`: one that is not inlined (or the outermost of all) and those
  // inlined into it.
  int64_t LocationOf(const std::vector<int32_t>& frames);
  Message SampleOf(const StackCount& count,
                   const std::vector<SampleType>& types);

  const StackProfile& profile_;
  std::unordered_map<std::string, int64_t> texts_;
  std::vector<std::string> order_;
  std::unordered_map<std::string, int64_t> mappings_;
  std::unordered_map<std::string, int64_t> functions_;
  std::map<std::vector<int32_t>, int64_t> locations_;
  Message message_;
};

int64_t Builder::MappingOf(const std::string& module) {
  if (module.empty()) {
    return 0;
  }
  const auto [place, is_new] =
      mappings_.try_emplace(module, static_cast<int64_t>(mappings_.size()) + 1);
  if (is_new) {
    Message mapping;
    mapping.Number(1, place->second);
    mapping.Number(5, Text(module));
    // Everything that is known is in the profile: pprof need not look for it.
    for (uint32_t has = 7; has <= 10; ++has) {
      mapping.Number(has, 1);
    }
    message_.Sub(kMapping, mapping);
  }
  return place->second;
}

void Builder::AddProgramFirst() {
  for (const Frame& frame : profile_.frames) {
    if (frame.kind == stacks::FrameKind::kNative && !frame.module.empty() &&
        frame.module.front() != '[' &&
        frame.module.find(".so") == std::string::npos) {
      (void)MappingOf(frame.module);
      return;
    }
  }
}

int64_t Builder::FunctionOf(const Frame& frame) {
  std::string key = frame.function + '\0' + frame.file + '\0' +
                    std::to_string(frame.first_line);
  const auto [place, is_new] = functions_.try_emplace(
      std::move(key), static_cast<int64_t>(functions_.size()) + 1);
  if (is_new) {
    Message function;
    function.Number(1, place->second);
    function.Number(2, Text(frame.function));
    function.Number(3, Text(frame.function));
    function.Number(4, Text(frame.file));
    function.Number(5, frame.first_line);
    message_.Sub(kFunction, function);
  }
  return place->second;
}

int64_t Builder::LocationOf(const std::vector<int32_t>& frames) {
  const auto [place, is_new] = locations_.try_emplace(
      frames, static_cast<int64_t>(locations_.size()) + 1);
  if (is_new) {
    Message location;
    location.Number(1, place->second);
    const Frame& outer = profile_.frames[static_cast<size_t>(frames.front())];
    location.Number(2, MappingOf(outer.module));
    // The innermost first.
    for (size_t i = frames.size(); i-- > 0;) {
      const Frame& frame = profile_.frames[static_cast<size_t>(frames[i])];
      Message line;
      line.Number(1, FunctionOf(frame));
      line.Number(2, frame.line);
      location.Sub(4, line);
    }
    message_.Sub(kLocation, location);
  }
  return place->second;
}

Message Builder::SampleOf(const StackCount& count,
                          const std::vector<SampleType>& types) {
  std::vector<int32_t> path;
  PathOf(profile_, count.node, &path);
  std::vector<int64_t> locations;
  std::vector<int32_t> together;
  for (const int32_t frame : path) {
    if (!profile_.frames[static_cast<size_t>(frame)].inlined &&
        !together.empty()) {
      locations.push_back(LocationOf(together));
      together.clear();
    }
    together.push_back(frame);
  }
  if (!together.empty()) {
    locations.push_back(LocationOf(together));
  }
  Message sample;
  sample.Packed(1, {locations.rbegin(), locations.rend()});
  std::vector<int64_t> values;
  for (const SampleType& type : types) {
    values.push_back(
        type.each == 1
            ? count.count
            : std::llround(static_cast<double>(count.count) * type.each));
  }
  sample.Packed(2, values);
  const stacks::StackThread& thread =
      profile_.threads[static_cast<size_t>(count.thread)];
  const auto label = [&](std::string_view key, std::string_view text,
                         int64_t number) {
    if (text.empty() && number == 0) {
      return;
    }
    Message message;
    message.Number(1, Text(key));
    message.Number(2, text.empty() ? 0 : Text(text));
    message.Number(3, number);
    sample.Sub(3, message);
  };
  label("process", thread.process, 0);
  label("thread", thread.thread, 0);
  label("pid", "", thread.pid);
  label("tid", "", thread.tid);
  return sample;
}

std::string Builder::Build(const Run& run) {
  const std::vector<SampleType> types = SampleTypes(profile_.collection);
  for (const SampleType& type : types) {
    message_.Sub(kSampleType, ValueType(type));
  }
  AddProgramFirst();
  for (const StackCount& count : profile_.counts) {
    message_.Sub(kSample, SampleOf(count, types));
  }
  message_.Number(kTimeNanos, run.started_utc_ns);
  if (run.totals.wall_s) {
    message_.Number(kDurationNanos, std::llround(*run.totals.wall_s * 1e9));
  }
  const SampleType& last = types.back();
  if (last.unit == "nanoseconds") {
    message_.Sub(kPeriodType, ValueType(last));
    message_.Number(kPeriod, std::llround(last.each));
  }
  message_.Number(kDefaultSampleType, Text(last.type));
  for (const std::string& text : order_) {
    message_.Bytes(kString, text);
  }
  return std::string(message_.bytes());
}

}  // namespace

std::string PprofMessage(const StackProfile& profile, const Run& run) {
  return Builder(profile).Build(run);
}

Result<void> ExportPprof(const Store& store, const Run& run,
                         const TextSink& sink) {
  const auto profile = StacksOfRun(store, run);
  if (!profile) {
    return profile.error();
  }
  sink(stacks::Gzipped(PprofMessage(*profile, run)));
  return {};
}

}  // namespace edgewise
