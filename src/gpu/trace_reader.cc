#include "gpu/trace_reader.h"

#include <algorithm>
#include <cstring>

#include "base/text.h"

namespace edgewise::gpu {
namespace {

// Longer than any clock tells: 100 years.
constexpr uint64_t kMostNs = 3'200'000'000'000'000'000;

// The record at the start of `bytes`; false if it is of another size.
template <typename Record>
bool Copy(std::string_view bytes, Record* record) {
  if (bytes.size() < sizeof(Record)) {
    return false;
  }
  std::memcpy(record, bytes.data(), sizeof(Record));
  return true;
}

template <typename Record>
bool MakesSense(const Record& record) {
  return record.start_ns > 0 && record.start_ns <= record.end_ns &&
         record.end_ns < kMostNs;
}

template <typename Record>
void Keep(std::string_view bytes, std::vector<Record>* records) {
  Record record{};
  if (Copy(bytes, &record) && MakesSense(record)) {
    records->push_back(record);
  }
}

void Take(RecordKind kind, std::string_view bytes, Trace* trace) {
  switch (kind) {
    case RecordKind::kName: {
      NameRecord name{};
      if (Copy(bytes, &name)) {
        trace->names[name.id] = bytes.substr(sizeof name, name.length);
      }
      break;
    }
    case RecordKind::kProblem: {
      ProblemRecord problem{};
      if (Copy(bytes, &problem)) {
        trace->problem = bytes.substr(sizeof problem, problem.length);
      }
      break;
    }
    case RecordKind::kDevice: {
      DeviceRecord device{};
      if (Copy(bytes, &device)) {
        trace->devices[device.id] = device;
      }
      break;
    }
    case RecordKind::kKernel:
      Keep(bytes, &trace->kernels);
      break;
    case RecordKind::kCopy:
      Keep(bytes, &trace->copies);
      break;
    case RecordKind::kSet:
      Keep(bytes, &trace->sets);
      break;
    case RecordKind::kCall:
      Keep(bytes, &trace->calls);
      break;
    case RecordKind::kAccount:
      (void)Copy(bytes, &trace->account);
      break;
  }
}

}  // namespace

const std::string& Trace::NameOf(uint32_t id) const {
  static const std::string kNone = "?";
  const auto found = names.find(id);
  return found != names.end() && !found->second.empty() ? found->second : kNone;
}

Result<Trace> ReadTrace(std::string_view bytes) {
  Trace trace;
  if (!Copy(bytes, &trace.header) ||
      std::memcmp(trace.header.magic, kTraceMagic, sizeof kTraceMagic) != 0) {
    return Error{ErrorCode::kCorrupt, "this is no GPU trace of edgewise"};
  }
  bytes.remove_prefix(sizeof trace.header);
  while (!bytes.empty()) {
    RecordHead head{};
    if (!Copy(bytes, &head) || head.size < sizeof head || head.size % 8 != 0 ||
        head.size > bytes.size()) {
      trace.cut_off = true;
      break;
    }
    Take(static_cast<RecordKind>(head.kind), bytes.substr(0, head.size),
         &trace);
    bytes.remove_prefix(head.size);
  }
  return trace;
}

std::vector<Trace> ReadTraces(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    if (entry.path().extension() == kTraceSuffix) {
      files.push_back(entry.path());
    }
  }
  std::sort(files.begin(), files.end());
  std::vector<Trace> traces;
  for (const auto& file : files) {
    if (const auto bytes = TryReadFile(file)) {
      if (auto trace = ReadTrace(*bytes)) {
        traces.push_back(std::move(*trace));
      }
    }
  }
  return traces;
}

}  // namespace edgewise::gpu
