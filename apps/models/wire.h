// Protocol Buffers' wire format, as far as ONNX files need it: written and
// read without the library, whose code for ONNX would be far larger than this.
#ifndef EDGEWISE_APPS_MODELS_WIRE_H_
#define EDGEWISE_APPS_MODELS_WIRE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace edgewise::apps {

// Appends the fields of one message.
class WireWriter {
 public:
  void Int(int field, int64_t value);
  void Float(int field, float value);
  // Also for strings and for messages that are complete.
  void Bytes(int field, std::string_view bytes);

  const std::string& bytes() const { return bytes_; }

 private:
  void Varint(uint64_t value);

  std::string bytes_;
};

struct WireField {
  int number = 0;
  // Of variable-length integers; else 0.
  uint64_t integer = 0;
  // Of length-delimited fields, else empty. Points into what is read.
  std::string_view bytes;
};

// Takes the fields of one message one by one. Trusts nothing.
class WireReader {
 public:
  // `bytes` must outlive the reader and what it hands out.
  explicit WireReader(std::string_view bytes) : rest_(bytes) {}

  // The next field; nullopt at the end, or where the bytes make no sense.
  std::optional<WireField> Next();
  // Whether what was read so far made sense.
  bool ok() const { return ok_; }

 private:
  std::optional<uint64_t> Varint();
  std::optional<std::string_view> Take(uint64_t bytes);

  std::string_view rest_;
  bool ok_ = true;
};

}  // namespace edgewise::apps

#endif  // EDGEWISE_APPS_MODELS_WIRE_H_
