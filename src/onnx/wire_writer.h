// Writing Protocol Buffers' wire format, as far as ONNX files need it: without
// the library, whose code for ONNX would be far larger than this.
#ifndef EDGEWISE_ONNX_WIRE_WRITER_H_
#define EDGEWISE_ONNX_WIRE_WRITER_H_

#include <cstdint>
#include <string>
#include <string_view>

namespace edgewise::onnx {

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

}  // namespace edgewise::onnx

#endif  // EDGEWISE_ONNX_WIRE_WRITER_H_
