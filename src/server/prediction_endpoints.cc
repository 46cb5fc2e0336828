#include "server/prediction_endpoints.h"

#include "server/predict_page.h"
#include "server/upload.h"

namespace edgewise {
namespace {

constexpr size_t kProfilingBytes = size_t{64} << 10;
constexpr size_t kBatchBytes = size_t{1} << 20;
constexpr size_t kUploadBytes = size_t{128} << 20;
constexpr size_t kMostModels = 1000;

std::optional<Problem> WrongType(const http::Request& request) {
  const std::string type = request.ContentType();
  if (type.empty() || type == "application/json" || type.ends_with("+json")) {
    return std::nullopt;
  }
  return Problem{415, "unsupported_media_type", "",
                 "the body is said to be " + type +
                     ": send JSON with \"Content-Type: application/json\""};
}

http::Response ResponseOf(OrProblem<std::string> answer) {
  if (const auto* const problem = std::get_if<Problem>(&answer)) {
    http::Response response = ProblemResponse(*problem);
    if (problem->status == 503) {
      response.headers.emplace_back("Retry-After", "5");
    }
    return response;
  }
  return {.body = std::move(std::get<std::string>(answer))};
}

// Reads a body and answers with what `answer` makes of it.
template <typename Reader, typename Answer>
http::Handler JsonHandler(Reader read, Answer answer) {
  return [read, answer](const http::Request& request) {
    if (const auto wrong = WrongType(request)) {
      return ProblemResponse(*wrong);
    }
    auto asked = read(request.body);
    if (const auto* const problem = std::get_if<Problem>(&asked)) {
      return ProblemResponse(*problem);
    }
    return ResponseOf(answer(std::get<0>(asked)));
  };
}

http::Response AnswerProfiling(const http::Request& request,
                               Predictor& predictor) {
  if (const auto wrong = WrongType(request)) {
    return ProblemResponse(*wrong);
  }
  if (auto answer = predictor.ProfiledBefore(request.body)) {
    return {.shared_body = std::move(answer)};
  }
  const auto asked = ReadProfilingRequest(request.body);
  if (const auto* const problem = std::get_if<Problem>(&asked)) {
    return ProblemResponse(*problem);
  }
  const auto& profiling = std::get<ProfilingRequest>(asked);
  auto answer = predictor.Profile(profiling);
  if (std::holds_alternative<Problem>(answer) || profiling.device) {
    return ResponseOf(std::move(answer));
  }
  const auto shared = std::make_shared<const std::string>(
      std::move(std::get<std::string>(answer)));
  predictor.KeepProfile(request.body, shared);
  return {.shared_body = shared};
}

std::vector<EndpointAnswer> AnswersOf(const char* schema,
                                      const char* description) {
  return {{200, description, {http::kJsonType, schema}},
          ErrorAnswer(400, "A field is missing or wrong; the error names it."),
          ErrorAnswer(413, "The body is too large."),
          ErrorAnswer(415, "The body is not JSON."),
          ErrorAnswer(422, "No device fits."),
          ErrorAnswer(503, "The cluster's monitoring is away for too long.")};
}

}  // namespace

void AddPredictionEndpoints(Service& service, Predictor& predictor,
                            http::Access access) {
  service.AddSchemas(kPredictionSchemas);
  service.AddReadiness([&predictor] { return predictor.WhyNotReady(); });
  service.AddMetrics([&predictor](http::Exposition& exposition) {
    predictor.AddMetrics(exposition);
  });

  http::Route profiling{"POST", "/api/profiling",
                        [&predictor](const http::Request& request) {
                          return AnswerProfiling(request, predictor);
                        },
                        access, kProfilingBytes};
  service.Add({.route = profiling,
               .summary = "The node of the cluster that runs a model fastest, "
                          "or its time on the device that the body names",
               .requests = {{http::kJsonType, "ProfilingRequest"}},
               .answers = AnswersOf("ProfilingAnswer", "A prediction.")});

  http::Route batch{"POST", "/api/v1/predict",
                    JsonHandler(
                        [](std::string_view body) {
                          return ReadFlatBatch(body, kMostModels);
                        },
                        [&predictor](const FlatBatch& asked) {
                          return predictor.PredictBatch(asked);
                        }),
                    access, kBatchBytes};
  batch.slow = true;
  service.Add({.route = batch,
               .summary = "Times of several models, the fastest device first",
               .requests = {{http::kJsonType, "BatchRequest"}},
               .answers = AnswersOf("BatchAnswer", "A ranking for each.")});

  http::Route upload{"POST",
                     "/upload",
                     [&predictor](const http::Request& request) {
                       return AnswerUpload(request, predictor);
                     },
                     access,
                     kUploadBytes,
                     true};
  std::vector<EndpointAnswer> answers =
      AnswersOf("UploadAnswer", "What the model is made of, and a ranking.");
  answers.front().status = 201;
  service.Add({.route = upload,
               .summary = "The same of a model that is sent as its ONNX file",
               .requests = {{"multipart/form-data", "UploadForm"},
                            {"application/octet-stream", ""}},
               .answers = answers});

  service.Add({.route = {"GET", "/predict",
                         [](const http::Request&) {
                           return http::Response{
                               .content_type = http::kHtmlType,
                               .body = std::string(PredictPage())};
                         }},
               .summary = "A page to drop a model on",
               .requests = {},
               .answers = {{200, "It asks /upload.", {"text/html", ""}}}});

  http::Route devices{"GET", "/api/v1/devices",
                      [&predictor](const http::Request&) {
                        return http::Response{.body = predictor.Devices()};
                      },
                      access};
  service.Add(
      {.route = devices,
       .summary = "Devices that are known, and nodes of the cluster",
       .requests = {},
       .answers = {{200, "All of them.", {http::kJsonType, "Devices"}}}});
}

}  // namespace edgewise
