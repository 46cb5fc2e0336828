#include "dl/dl_work.h"

#include "dl/answers.h"
#include "dl/picture_input.h"
#include "input/opencv_threads.h"
#include "load/message_number.h"

namespace edgewise::apps {
namespace {

constexpr size_t kCalibrationFrames = 16;
constexpr size_t kHeldOutFrames = 16;
constexpr int kTopCount = 5;

// Frames of the same kind of input; the synthetic film is another one.
Result<std::vector<cv::Mat>> TakeFrames(const LoadOptions& options,
                                        size_t count) {
  auto source = OpenVideo(options.input, options.seed + 1);
  if (!source) {
    return source.error();
  }
  std::vector<cv::Mat> frames;
  while (frames.size() < count) {
    cv::Mat frame;
    const auto more = (*source)->Next(frame);
    if (!more) {
      return more.error();
    }
    if (!*more) {
      break;
    }
    frames.push_back(frame.clone());
  }
  if (frames.size() < 2) {
    return Error{ErrorCode::kInvalid,
                 "--input: \"" + options.input +
                     "\" has too few frames to calibrate int8 with"};
  }
  return frames;
}

}  // namespace

DlWork::DlWork(const DlSettings& settings, Model model, uint64_t seed)
    : settings_(settings),
      model_(std::move(model)),
      net_(model_.net),
      film_(seed),
      frames_(static_cast<size_t>(settings.batch)) {}

Result<std::unique_ptr<DlWork>> DlWork::Make(const DlSettings& settings,
                                             const LoadOptions& options,
                                             bool from_messages) {
  SetOpenCvThreads(options.threads);
  auto model = LoadModel(settings.model);
  if (!model) {
    return model.error();
  }
  if (settings.batch > 1 && !model->takes_batches()) {
    return Error{ErrorCode::kInvalid,
                 "--batch: \"" + settings.model +
                     "\" takes one input at a time; leave --batch out"};
  }
  std::unique_ptr<DlWork> work(
      new DlWork(settings, std::move(*model), options.seed));
  if (settings.precision == "int8") {
    auto frames = TakeFrames(options, kCalibrationFrames + kHeldOutFrames);
    if (!frames) {
      return frames.error();
    }
    const auto half =
        frames->begin() + static_cast<ptrdiff_t>(frames->size() / 2);
    auto quantized =
        Quantize(work->model_, {frames->begin(), half}, {half, frames->end()});
    if (!quantized) {
      return quantized.error();
    }
    work->net_ = quantized->net;
    work->agreement_ = quantized->agreement;
  }
  if (!from_messages) {
    auto source = OpenVideo(options.input, options.seed);
    if (!source) {
      return source.error();
    }
    work->source_ = std::move(*source);
  }
  return work;
}

Result<bool> DlWork::Fetch() {
  EDGEWISE_MEASURE("capture");
  for (cv::Mat& frame : frames_) {
    // Of its own: a source may hand out the same memory again.
    frame = cv::Mat();
    const auto more = source_->Next(frame);
    if (!more || !*more) {
      return more;
    }
  }
  return true;
}

Result<void> DlWork::Take(std::string_view message) {
  EDGEWISE_MEASURE("capture");
  if (const auto number = MessageNumber(message)) {
    film_.Draw(*number, frames_[0]);
    return {};
  }
  auto picture = DecodePicture(message);
  if (!picture) {
    return picture.error();
  }
  frames_[0] = *picture;
  return {};
}

Result<void> DlWork::Process(Checksum& checksum) {
  try {
    const cv::Mat tensor = [&] {
      EDGEWISE_MEASURE("preprocess");
      return TensorOf(frames_, model_.input_shape);
    }();
    const cv::Mat output = [&] {
      EDGEWISE_MEASURE("forward");
      net_.setInput(tensor);
      return net_.forward();
    }();
    Postprocess(output, checksum);
  } catch (const cv::Exception& exception) {
    return ModelError(model_, exception);
  }
  return {};
}

void DlWork::Postprocess(const cv::Mat& output, Checksum& checksum) {
  EDGEWISE_MEASURE("postprocess");
  CV_Assert(output.isContinuous() && output.depth() == CV_32F);
  checksum.AddBytes(output.data, output.total() * output.elemSize());
  if (model_.architecture != nullptr &&
      model_.architecture->build == BuildTinyYolo) {
    size_t count = 0;
    for (const auto& found : Detections(output, model_.input_shape[3])) {
      count += found.size();
      for (const Detection& one : found) {
        checksum.Add(int32_t{one.label});
        checksum.Add(int32_t{one.box_px.x});
        checksum.Add(int32_t{one.box_px.y});
      }
    }
    objects_.Set(static_cast<double>(count));
    return;
  }
  for (const auto& scores : TopClasses(output, settings_.batch, kTopCount)) {
    top1_.Set(scores.front().label);
    for (const ClassScore& score : scores) {
      checksum.Add(int32_t{score.label});
    }
  }
}

void DlWork::Describe(Outcome& outcome) const {
  outcome.units_per_item = settings_.batch;
  auto& facts = outcome.facts;
  facts.emplace_back("model", settings_.model);
  facts.emplace_back("precision", settings_.precision);
  facts.emplace_back("batch", int64_t{settings_.batch});
  facts.emplace_back("weights_bytes", WeightsBytes(net_));
  if (agreement_) {
    facts.emplace_back("compared_inputs", agreement_->inputs);
    facts.emplace_back("same_top1", agreement_->same_top1);
    facts.emplace_back("cosine", agreement_->cosine);
    facts.emplace_back("max_abs_difference", agreement_->max_abs_difference);
    facts.emplace_back("fp32_weights_bytes", agreement_->fp32_weights_bytes);
    facts.emplace_back("fp32_median_ms", agreement_->fp32_median_ms);
    facts.emplace_back("int8_median_ms", agreement_->int8_median_ms);
    outcome.notes.push_back(AgreementText(*agreement_));
  }
}

}  // namespace edgewise::apps
