#include "onnx/read_tensor.h"

#include <bit>
#include <cstring>

#include "base/text.h"
#include "onnx/fields.h"
#include "onnx/read_model.h"

namespace edgewise::onnx {
namespace {

// 2^53: such counts and products of a few of them are exact as doubles.
constexpr int64_t kMostElements = int64_t{1} << 53;

float FloatFrom(uint64_t bits) {
  return std::bit_cast<float>(static_cast<uint32_t>(bits));
}

int64_t CountElements(const Dims& dims) {
  int64_t elements = 1;
  for (const int64_t extent : dims) {
    if (extent < 0) {
      throw NotOnnx{"a tensor has a negative dimension"};
    }
    if (extent > 0 && elements > kMostElements / extent) {
      throw NotOnnx{"a tensor is larger than any memory"};
    }
    elements *= extent;
  }
  return elements;
}

// A relative path that stays below the folder it starts from.
bool StaysInside(std::string_view path) {
  if (path.empty() || path.front() == '/' ||
      path.find('\0') != std::string_view::npos) {
    return false;
  }
  for (const std::string_view piece : Split(path, '/')) {
    if (piece == "..") {
      return false;
    }
  }
  return true;
}

void ReadExternalEntry(std::string_view message, Tensor& tensor) {
  std::string_view key;
  std::string_view value;
  ForFields(message, [&](const WireField& field) {
    if (field.number == field::entry::kKey) {
      key = field.bytes;
    } else if (field.number == field::entry::kValue) {
      value = field.bytes;
    }
  });
  if (key == "location") {
    if (!StaysInside(value)) {
      throw NotOnnx{"it keeps weights in \"" + std::string(value) +
                    "\", outside its own folder: save it again with its data "
                    "beside it"};
    }
    tensor.external_file = value;
  } else if (key == "offset" || key == "length") {
    const auto number = ParseInt(value);
    if (!number || *number < 0) {
      throw NotOnnx{"the " + std::string(key) +
                    " of a tensor in another file is no number"};
    }
    if (key == "offset") {
      tensor.external_offset = *number;
    } else {
      tensor.external_bytes = *number;
    }
  }
}

// Numbers that stand in the message one by one, if they are few.
class ListedNumbers {
 public:
  void Take(const WireField& field) {
    if (too_many_ || field.bytes.size() > kMostValues * 10) {
      too_many_ = true;
      return;
    }
    if (field.number == field::tensor::kFloatData) {
      std::vector<float> floats;
      AppendFloats(field, floats);
      numbers_.insert(numbers_.end(), floats.begin(), floats.end());
    } else {
      std::vector<int64_t> integers;
      AppendInts(field, integers);
      numbers_.insert(numbers_.end(), integers.begin(), integers.end());
    }
    too_many_ = numbers_.size() > kMostValues;
  }
  std::vector<double> Finish() && {
    return too_many_ ? std::vector<double>() : std::move(numbers_);
  }

 private:
  std::vector<double> numbers_;
  bool too_many_ = false;
};

template <typename T>
std::vector<double> FromRaw(std::string_view raw) {
  std::vector<double> values;
  for (size_t at = 0; at + sizeof(T) <= raw.size(); at += sizeof(T)) {
    T value;
    std::memcpy(&value, raw.data() + at, sizeof(T));
    values.push_back(static_cast<double>(value));
  }
  return values;
}

}  // namespace

void AppendInts(const WireField& field, std::vector<int64_t>& to) {
  if (field.type != WireType::kBytes) {
    to.push_back(static_cast<int64_t>(field.integer));
    return;
  }
  WireReader reader(field.bytes);
  while (const auto value = reader.NextPacked()) {
    to.push_back(static_cast<int64_t>(*value));
  }
  if (!reader.ok()) {
    throw NotOnnx{"a list of integers in it is cut short"};
  }
}

void AppendFloats(const WireField& field, std::vector<float>& to) {
  if (field.type != WireType::kBytes) {
    to.push_back(FloatFrom(field.integer));
    return;
  }
  for (size_t at = 0; at + sizeof(float) <= field.bytes.size();
       at += sizeof(float)) {
    float value = 0;
    std::memcpy(&value, field.bytes.data() + at, sizeof(float));
    to.push_back(value);
  }
}

Tensor ReadTensor(std::string_view message) {
  Tensor tensor;
  ListedNumbers listed;
  bool external = false;
  ForFields(message, [&](const WireField& field) {
    switch (field.number) {
      case field::tensor::kDims:
        AppendInts(field, tensor.dims);
        break;
      case field::tensor::kDataType:
        tensor.type = ElementTypeFrom(field.integer);
        break;
      case field::tensor::kName:
        tensor.name = field.bytes;
        break;
      case field::tensor::kRawData:
        tensor.raw = field.bytes;
        break;
      case field::tensor::kFloatData:
      case field::tensor::kInt32Data:
      case field::tensor::kInt64Data:
        listed.Take(field);
        break;
      case field::tensor::kExternalData:
        ReadExternalEntry(field.bytes, tensor);
        break;
      case field::tensor::kDataLocation:
        external = field.integer == field::tensor::kExternal;
        break;
      default:
        break;
    }
  });
  tensor.elements = CountElements(tensor.dims);
  tensor.listed = std::move(listed).Finish();
  if (!external) {
    tensor.external_file = {};
  } else if (tensor.external_file.empty()) {
    throw NotOnnx{"it does not say in which file a tensor is"};
  }
  return tensor;
}

std::optional<std::vector<double>> ValuesOf(const Tensor& tensor) {
  if (tensor.elements > kMostValues || !tensor.external_file.empty()) {
    return std::nullopt;
  }
  const auto checked =
      [&tensor](
          std::vector<double> values) -> std::optional<std::vector<double>> {
    if (static_cast<int64_t>(values.size()) != tensor.elements) {
      return std::nullopt;
    }
    return values;
  };
  if (tensor.raw.empty()) {
    return tensor.type == ElementType::kFloat16 ? std::nullopt
                                                : checked(tensor.listed);
  }
  // The format is little-endian, and so are the machines we know.
  static_assert(std::endian::native == std::endian::little);
  switch (tensor.type) {
    case ElementType::kFloat:
      return checked(FromRaw<float>(tensor.raw));
    case ElementType::kDouble:
      return checked(FromRaw<double>(tensor.raw));
    case ElementType::kInt64:
      return checked(FromRaw<int64_t>(tensor.raw));
    case ElementType::kInt32:
      return checked(FromRaw<int32_t>(tensor.raw));
    case ElementType::kUint8:
    case ElementType::kBool:
      return checked(FromRaw<uint8_t>(tensor.raw));
    case ElementType::kInt8:
      return checked(FromRaw<int8_t>(tensor.raw));
    default:
      return std::nullopt;
  }
}

}  // namespace edgewise::onnx
