#include "server/upload.h"

#include "base/text.h"
#include "placement/memory_need.h"
#include "prediction/onnx_network.h"
#include "report/inspect_text.h"
#include "report/json_writer.h"
#include "server/multipart.h"

namespace edgewise {
namespace {

constexpr size_t kLongestName = 200;

struct Upload {
  std::string name;
  std::string_view file;
  std::string shapes;
};

// A file's name as browsers send it, without folders.
std::string PlainName(std::string name) {
  const size_t slash = name.find_last_of("/\\");
  if (slash != std::string::npos) {
    name.erase(0, slash + 1);
  }
  name.resize(std::min(name.size(), kLongestName));
  return name.empty() ? "model.onnx" : name;
}

OrProblem<Upload> ReadUpload(const http::Request& request) {
  const std::string type = request.ContentType();
  if (type == "application/octet-stream" || type == "application/onnx") {
    return Upload{PlainName(std::string(request.Query("name").value_or(""))),
                  request.body,
                  std::string(request.Query("input_shape").value_or(""))};
  }
  if (type != "multipart/form-data") {
    return Problem{415, "unsupported_media_type", "",
                   "the body is said to be \"" + type +
                       "\": send a form (multipart/form-data) with the model "
                       "as \"file\""};
  }
  const auto read =
      ReadForm(request.Header("Content-Type").value_or(""), request.body);
  if (const auto* const problem = std::get_if<Problem>(&read)) {
    return *problem;
  }
  const auto& form = std::get<std::vector<FormPart>>(read);
  const FormPart* const file = FindPart(form, "file");
  if (file == nullptr) {
    return Problem{400, "missing_field", "file",
                   "\"file\" is missing: send the model under this name"};
  }
  const FormPart* const shapes = FindPart(form, "input_shape");
  return Upload{PlainName(file->file_name), file->body,
                shapes != nullptr ? std::string(shapes->body) : ""};
}

OrProblem<OnnxModel> ReadUploadedModel(const Upload& upload) {
  onnx::InputShapes shapes;
  for (const std::string_view text : SplitFields(upload.shapes)) {
    auto shape = onnx::ParseInputShape(text);
    if (!shape) {
      return Problem{400, "invalid_field", "input_shape",
                     shape.error().message};
    }
    shapes.insert(std::move(*shape));
  }
  auto model = ReadOnnxModel(upload.file, upload.name, shapes);
  if (!model) {
    return Problem{400, "invalid_model", "file", model.error().message};
  }
  return std::move(*model);
}

}  // namespace

http::Response AnswerUpload(const http::Request& request,
                            Predictor& predictor) {
  const auto upload = ReadUpload(request);
  if (const auto* const problem = std::get_if<Problem>(&upload)) {
    return ProblemResponse(*problem);
  }
  const auto read = ReadUploadedModel(std::get<Upload>(upload));
  if (const auto* const problem = std::get_if<Problem>(&read)) {
    return ProblemResponse(*problem);
  }
  const auto& model = std::get<OnnxModel>(read);
  const CostVector costs = CostsOf(model.network);
  if (costs == CostVector{}) {
    return ProblemResponse({400, "invalid_model", "file",
                            model.name + " has no layer that does anything"});
  }
  const double memory_bytes = model.inspection.weight_bytes +
                              model.inspection.peak_activation_bytes +
                              kRuntimeBytes;
  const auto ranking =
      predictor.PredictLayers({model.name, costs}, memory_bytes);
  if (const auto* const problem = std::get_if<Problem>(&ranking)) {
    http::Response response = ProblemResponse(*problem);
    response.headers.emplace_back("Retry-After", "5");
    return response;
  }
  return {.status = 201,
          .body = JsonObject()
                      .AddString("message", "Model received")
                      .Add("model_characteristics",
                           CharacteristicsJson(model.characteristics))
                      .Add("inspection", Trim(InspectJson(model, false)))
                      .AddNumber("memory_bytes", memory_bytes)
                      .Add("ranking", std::get<std::string>(ranking))
                      .AddString("status", "success")
                      .text() +
                  "\n"};
}

}  // namespace edgewise
