#include "server/profiling_request.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

namespace edgewise {
namespace {

constexpr char kDevice[] = "device_type";
constexpr char kCpu[] = "cpu_usage(percentage)";
constexpr char kDisk[] = "disk_usage(percentage)";
constexpr size_t kLongestName = 200;
constexpr double kLargest = 1e300;

struct NumberField {
  const char* key;
  double Characteristics::*member;
};
constexpr std::array<NumberField, 7> kNumbers = {{
    {"conv_layers", &Characteristics::conv_layers},
    {"pool_layers", &Characteristics::pool_layers},
    {"fc_layers", &Characteristics::fc_layers},
    {"filter_details", &Characteristics::filter_details},
    {"total_parameters", &Characteristics::total_parameters},
    {"model_input_size", &Characteristics::model_input_bytes},
    {"model_output_size", &Characteristics::model_output_bytes},
}};

Problem Missing(const std::string& key) {
  return {400, "missing_field", key, "\"" + key + "\" is missing"};
}

OrProblem<std::string> ReadName(const FlatObject& object,
                                const std::string& key) {
  const FlatMember* const member = object.Find(key);
  if (member == nullptr) {
    return Missing(key);
  }
  if (!member->text) {
    return Problem{400, "invalid_field", key, "\"" + key + "\" is not a text"};
  }
  if (member->text->empty() || member->text->size() > kLongestName) {
    return Problem{400, "invalid_field", key,
                   "\"" + key + "\" is empty, or longer than 200 bytes"};
  }
  return *member->text;
}

OrProblem<DeviceAsked> ReadDevice(const FlatObject& object) {
  DeviceAsked device;
  auto type = ReadName(object, kDevice);
  if (auto* const problem = std::get_if<Problem>(&type)) {
    return *problem;
  }
  device.type = std::move(std::get<std::string>(type));
  const auto cpu = ReadNumber(object, kCpu, 0, 100);
  if (const auto* const problem = std::get_if<Problem>(&cpu)) {
    return *problem;
  }
  device.cpu_percent = std::get<double>(cpu);
  const auto disk = ReadNumber(object, kDisk, 0, 100);
  if (const auto* const problem = std::get_if<Problem>(&disk)) {
    return *problem;
  }
  device.disk_percent = std::get<double>(disk);
  return device;
}

}  // namespace

OrProblem<double> ReadNumber(const FlatObject& object, const std::string& key,
                             double least, double most) {
  const FlatMember* const member = object.Find(key);
  if (member == nullptr) {
    return Missing(key);
  }
  if (!member->number || !std::isfinite(*member->number)) {
    return Problem{400, "invalid_field", key,
                   "\"" + key + "\" is not a number"};
  }
  if (*member->number < least || *member->number > most) {
    return Problem{
        400, "invalid_field", key,
        most >= kLargest
            ? "\"" + key + "\" is below 0"
            : fmt::format("\"{}\" is not between {} and {}", key, least, most)};
  }
  return *member->number;
}

OrProblem<Characteristics> ReadModelFields(const FlatObject& object) {
  Characteristics model;
  auto name = ReadName(object, "model");
  if (auto* const problem = std::get_if<Problem>(&name)) {
    return *problem;
  }
  model.model = std::move(std::get<std::string>(name));
  for (const NumberField& field : kNumbers) {
    const auto number = ReadNumber(object, field.key, 0, kLargest);
    if (const auto* const problem = std::get_if<Problem>(&number)) {
      return *problem;
    }
    model.*field.member = std::get<double>(number);
  }
  return model;
}

OrProblem<ProfilingRequest> ReadProfilingRequest(std::string_view body) {
  const auto read = ReadFlatObject(body);
  if (const auto* const problem = std::get_if<Problem>(&read)) {
    return *problem;
  }
  const FlatObject& object = std::get<FlatObject>(read);
  ProfilingRequest request;
  auto model = ReadModelFields(object);
  if (auto* const problem = std::get_if<Problem>(&model)) {
    return *problem;
  }
  request.model = std::move(std::get<Characteristics>(model));
  if (object.Find(kDevice) != nullptr) {
    auto device = ReadDevice(object);
    if (auto* const problem = std::get_if<Problem>(&device)) {
      return *problem;
    }
    request.device = std::move(std::get<DeviceAsked>(device));
  }
  request.echo = object.Json();
  return request;
}

}  // namespace edgewise
