// Runs a neural network on pictures.
#ifndef EDGEWISE_APPS_DL_DL_WORK_H_
#define EDGEWISE_APPS_DL_DL_WORK_H_

#include <edgewise/edgewise.hpp>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "dl/model.h"
#include "dl/quantize.h"
#include "input/synthetic_video.h"
#include "input/video.h"
#include "load/drive.h"
#include "load/outcome.h"

namespace edgewise::apps {

struct DlSettings {
  std::string model = "mobilenetv2";
  std::string precision = "fp32";  // or int8
  int batch = 1;                   // pictures in one item
};

// Spans: capture; in each inference preprocess, forward, postprocess.
class DlWork : public Work {
 public:
  // Loads and, for INT8, quantises and compares: takes a while, outside of all
  // spans. With `from_messages` there is no source: messages are pictures, or
  // whole numbers that name frames of the synthetic film.
  static Result<std::unique_ptr<DlWork>> Make(const DlSettings& settings,
                                              const LoadOptions& options,
                                              bool from_messages = false);

  const char* item_name() const override { return "inference"; }
  Result<bool> Fetch() override;
  Result<void> Take(std::string_view message) override;
  Result<void> Process(Checksum& checksum) override;

  // Adds what is known about the model to the app's result.
  void Describe(Outcome& outcome) const;

 private:
  DlWork(const DlSettings& settings, Model model, uint64_t seed);
  void Postprocess(const cv::Mat& output, Checksum& checksum);

  DlSettings settings_;
  Model model_;
  cv::dnn::Net net_;  // the one that runs, in either precision
  std::optional<Agreement> agreement_;
  std::unique_ptr<VideoSource> source_;
  SyntheticVideo film_;
  std::vector<cv::Mat> frames_;
  Gauge top1_{"top1"};
  Gauge objects_{"objects"};
};

}  // namespace edgewise::apps

#endif  // EDGEWISE_APPS_DL_DL_WORK_H_
