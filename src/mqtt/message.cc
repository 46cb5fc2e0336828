#include "mqtt/message.h"

#include <array>
#include <bit>
#include <charconv>
#include <cstring>
#include <limits>

#include "mqtt/json_fields.h"

namespace edgewise::mqtt {
namespace {

using Time = std::optional<int64_t>;

struct TimeField {
  std::string_view name;
  Time Message::*field;
  size_t offset;  // in the binary header
};
constexpr std::array<TimeField, 10> kTimes{{
    {"t_pub_ns", &Message::t_pub_ns, 32},
    {"m_due_ns", &Message::m_due_ns, 40},
    {"m_pub_ns", &Message::m_pub_ns, 48},
    {"t_done_ns", &Message::t_done_ns, 56},
    {"t_recv_ns", &Message::t_recv_ns, 64},
    {"t_reply_ns", &Message::t_reply_ns, 72},
    {"m_recv_ns", &Message::m_recv_ns, 80},
    {"m_start_ns", &Message::m_start_ns, 88},
    {"m_done_ns", &Message::m_done_ns, 96},
    {"m_reply_ns", &Message::m_reply_ns, 104},
}};

struct IdField {
  std::string_view name;
  std::optional<uint64_t> Message::*field;
  size_t offset;
};
constexpr std::array<IdField, 3> kIds{{
    {"run", &Message::run, 16},
    {"host", &Message::host, 24},
    {"processor", &Message::processor, 112},
}};

constexpr std::string_view kMagic = "EWMQ";
constexpr char kVersion = 1;
constexpr size_t kVersionAt = 4;
constexpr size_t kFlagsAt = 5;
constexpr size_t kIdAt = 8;
constexpr char kWarmUpFlag = 1;
// What is not known, in the binary form.
constexpr int64_t kNoTime = std::numeric_limits<int64_t>::min();
// Times before 1970 and after 2200 are nobody's, nor are hosts that run for 36
// years; sums and differences of others fit.
constexpr int64_t kLatestWallNs = 7'258'118'400'000'000'000;
constexpr int64_t kLatestMonotonicNs = int64_t{1} << 60;

Time Plausible(const TimeField& field, Time time) {
  const int64_t latest_ns =
      field.name.starts_with("t_") ? kLatestWallNs : kLatestMonotonicNs;
  return time && *time >= 0 && *time <= latest_ns ? time : std::nullopt;
}

static_assert(std::endian::native == std::endian::little);

void Put(std::string* out, size_t offset, uint64_t value) {
  std::memcpy(out->data() + offset, &value, sizeof value);
}

uint64_t Get(std::string_view bytes, size_t offset) {
  uint64_t value = 0;
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

template <typename Number>
void AppendNumber(std::string* out, Number value, int base = 10) {
  std::array<char, 24> digits;
  const auto end =
      std::to_chars(digits.data(), digits.data() + digits.size(), value, base);
  out->append(digits.data(), end.ptr);
}

// A text inside quotes; what is no plain ASCII is left out, as bytes of any
// kind must make no JSON that others cannot read.
void AppendEscaped(std::string* out, std::string_view text) {
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      *out += '\\';
      *out += c;
    } else if (c == '\n') {
      *out += "\\n";
    } else if (c >= ' ' && c < 0x7f) {
      *out += c;
    } else {
      *out += '?';
    }
  }
}

void EncodeJson(const Message& message, size_t size, std::string_view body,
                std::string* out) {
  out->assign("{\"id\":");
  AppendNumber(out, message.id);
  for (const TimeField& time : kTimes) {
    if (const Time& value = message.*time.field) {
      out->append(",\"").append(time.name).append("\":");
      AppendNumber(out, *value);
    }
  }
  for (const IdField& id : kIds) {
    if (const auto& value = message.*id.field) {
      out->append(",\"").append(id.name).append("\":\"");
      AppendNumber(out, *value, 16);
      *out += '"';
    }
  }
  if (message.warm_up) {
    out->append(",\"warm_up\":true");
  }
  if (!body.empty()) {
    out->append(",\"out\":\"");
    AppendEscaped(out, body);
    *out += '"';
  }
  constexpr std::string_view kPad = ",\"pad\":\"";
  constexpr std::string_view kEnd = "\"}";
  if (out->size() + kPad.size() + kEnd.size() <= size) {
    out->append(kPad);
    out->resize(size - kEnd.size(), 'x');
    out->append(kEnd);
  } else {
    *out += '}';
  }
}

void EncodeBinary(const Message& message, size_t size, std::string_view body,
                  std::string* out) {
  out->assign(kBinaryHeaderBytes, '\0');
  kMagic.copy(out->data(), kMagic.size());
  (*out)[kVersionAt] = kVersion;
  (*out)[kFlagsAt] = message.warm_up ? kWarmUpFlag : '\0';
  Put(out, kIdAt, static_cast<uint64_t>(message.id));
  for (const TimeField& time : kTimes) {
    Put(out, time.offset,
        static_cast<uint64_t>((message.*time.field).value_or(kNoTime)));
  }
  for (const IdField& id : kIds) {
    Put(out, id.offset, (message.*id.field).value_or(0));
  }
  out->append(body);
  if (out->size() < size) {
    out->resize(size, '\0');
  }
}

std::optional<Message> ParseBinary(std::string_view bytes) {
  if (bytes.size() < kBinaryHeaderBytes || bytes[kVersionAt] != kVersion) {
    return std::nullopt;
  }
  Message message;
  message.id = static_cast<int64_t>(Get(bytes, kIdAt));
  message.warm_up = (bytes[kFlagsAt] & kWarmUpFlag) != 0;
  for (const TimeField& time : kTimes) {
    message.*time.field =
        Plausible(time, static_cast<int64_t>(Get(bytes, time.offset)));
  }
  for (const IdField& id : kIds) {
    if (const uint64_t value = Get(bytes, id.offset); value != 0) {
      message.*id.field = value;
    }
  }
  return message;
}

std::optional<uint64_t> ParseHex(std::optional<std::string_view> text) {
  uint64_t value = 0;
  if (!text || text->empty()) {
    return std::nullopt;
  }
  const char* const end = text->data() + text->size();
  const auto parsed = std::from_chars(text->data(), end, value, 16);
  return parsed.ec == std::errc() && parsed.ptr == end && value != 0
             ? std::optional(value)
             : std::nullopt;
}

std::optional<Message> ParseJson(std::string_view bytes) {
  JsonFields fields(bytes);
  Message message;
  bool has_id = false;
  while (fields.Next()) {
    const std::string_view name = fields.name();
    if (name == "id") {
      const auto id = fields.Integer();
      has_id = id.has_value();
      message.id = id.value_or(0);
      continue;
    }
    if (name == "warm_up") {
      message.warm_up = fields.IsTrue();
      continue;
    }
    for (const TimeField& time : kTimes) {
      if (name == time.name) {
        message.*time.field = Plausible(time, fields.Integer());
      }
    }
    for (const IdField& id : kIds) {
      if (name == id.name) {
        message.*id.field = ParseHex(fields.Text());
      }
    }
  }
  return has_id && fields.whole() ? std::optional(message) : std::nullopt;
}

}  // namespace

size_t LeastPayloadBytes(Format format) {
  // A request: an id, four times and two hosts.
  return format == Format::kJson ? 256 : kBinaryHeaderBytes;
}

void EncodeMessage(const Message& message, Format format, size_t size,
                   std::string_view body, std::string* out) {
  if (format == Format::kJson) {
    EncodeJson(message, size, body, out);
  } else {
    EncodeBinary(message, size, body, out);
  }
}

std::optional<Message> ParseMessage(std::string_view bytes) {
  const auto message =
      bytes.starts_with(kMagic) ? ParseBinary(bytes) : ParseJson(bytes);
  // A message that says nothing of time is of no use to anybody here.
  if (!message || message->id < 0 ||
      (!message->t_pub_ns && !message->t_done_ns)) {
    return std::nullopt;
  }
  return message;
}

}  // namespace edgewise::mqtt
