#include "sessions/gpu_recorder.h"

#include <algorithm>

#include "base/text.h"
#include "probes/gpu/throttle_reasons.h"

namespace edgewise {
namespace {

constexpr int kTegrastatsEveryMs = 500;

bool Contains(const std::vector<pid_t>& pids, pid_t pid) {
  return std::find(pids.begin(), pids.end(), pid) != pids.end();
}

// "power of NC 2": rails may share a name.
std::string RailName(const TegraRail& rail) {
  return "power of " + rail.name +
         (rail.occurrence > 1 ? " " + std::to_string(rail.occurrence) : "");
}

}  // namespace

GpuRecorder::GpuRecorder(RunWriter& writer) : writer_(writer) {
  auto sampler = GpuSampler::Open({});
  if (sampler) {
    sampler_ = std::move(*sampler);
    sums_.resize(sampler_->devices().size());
  } else if (sampler.error().code != ErrorCode::kNotFound) {
    unavailable_ = {"GPU", sampler.error().message};
  }
  if (const auto program = FindTegrastats(sampler_.get())) {
    tegrastats_.emplace(*program, kTegrastatsEveryMs);
    unavailable_.reset();
  }
}

void GpuRecorder::AddPoint(const std::string& name, const char* unit,
                           int64_t at_ns, std::optional<double> value) {
  if (value) {
    writer_.AddPoint(writer_.SeriesId(SeriesKind::kSystem, name, unit),
                     {std::max<int64_t>(at_ns - start_ns_, 0), *value});
  }
}

std::string GpuRecorder::SeriesName(const char* what, size_t index) const {
  return sums_.size() > 1
             ? std::string(what) + " of GPU " + std::to_string(index)
             : what;
}

void GpuRecorder::Start(int64_t start_ns) {
  start_ns_ = start_ns;
  if (tegrastats_) {
    (void)tegrastats_->Poll(start_ns);
  }
  if (sampler_) {
    sampler_->Start();
  }
}

bool GpuRecorder::IsOurs(pid_t pid) const {
  return Contains(pids_, pid) || Contains(pids_before_, pid);
}

void GpuRecorder::RecordDevice(size_t index, const GpuReading& reading) {
  const auto add = [&](const char* what, const char* unit,
                       std::optional<double> value) {
    AddPoint(SeriesName(what, index), unit, reading.at_ns, value);
  };
  const std::optional<double> used =
      reading.memory_used_bytes
          ? std::optional(static_cast<double>(*reading.memory_used_bytes))
          : std::nullopt;
  add("gpu_busy", "percent", reading.busy_percent);
  add("gpu_memory_busy", "percent", reading.memory_busy_percent);
  add("gpu_memory_used", "bytes", used);
  add("gpu_bandwidth", "bytes_per_s", reading.bandwidth_bytes_per_s);
  add("gpu_power", "watt", reading.watts);
  add("gpu_temperature", "celsius", reading.celsius);
  add("gpu_clock", "MHz", reading.sm_clock_mhz);
  add("gpu_memory_clock", "MHz", reading.memory_clock_mhz);
  add("gpu_pcie_receive", "bytes_per_s", reading.pcie_receive_bytes_per_s);
  add("gpu_pcie_transmit", "bytes_per_s", reading.pcie_transmit_bytes_per_s);
  DeviceSums& sums = sums_[index];
  if (reading.memory_used_bytes) {
    sums.memory_peak_bytes = std::max(sums.memory_peak_bytes.value_or(0),
                                      *reading.memory_used_bytes);
  }
  if (reading.busy_percent) {
    sums.busy_percent += *reading.busy_percent;
    ++sums.busy_readings;
  }
  if (reading.joules) {
    sums.joules = reading.joules;
  }
  if (reading.throttle_bits) {
    throttle_bits_ |= *reading.throttle_bits;
    throttled_readings_ +=
        ThrottleReasons(*reading.throttle_bits).empty() ? 0 : 1;
  }
  ++readings_;
}

void GpuRecorder::RecordProgram(const std::vector<GpuReading>& readings) {
  std::optional<int64_t> memory_bytes;
  std::optional<double> sm_percent;
  std::optional<double> bytes_per_s;
  for (const GpuReading& reading : readings) {
    bool ours = false;
    bool others = false;
    for (const GpuProcess& process :
         reading.processes.value_or(std::vector<GpuProcess>())) {
      if (!IsOurs(process.pid)) {
        others = true;
        continue;
      }
      ours = true;
      if (process.memory_bytes) {
        memory_bytes = memory_bytes.value_or(0) + *process.memory_bytes;
      }
      if (process.sm_percent) {
        sm_percent = sm_percent.value_or(0) + *process.sm_percent;
      }
    }
    shared_ = shared_ || (ours && others);
    if (ours && !others && reading.bandwidth_bytes_per_s) {
      bytes_per_s = bytes_per_s.value_or(0) + *reading.bandwidth_bytes_per_s;
    }
  }
  const int64_t at_ns = readings.front().at_ns;
  if (memory_bytes) {
    program_peak_bytes_ =
        std::max(program_peak_bytes_.value_or(0), *memory_bytes);
    AddPoint("gpu_memory of the program", "bytes", at_ns,
             static_cast<double>(*memory_bytes));
  }
  AddPoint("gpu_busy of the program", "percent", at_ns, sm_percent);
  if (bytes_per_s) {
    program_most_bytes_per_s_ =
        std::max(program_most_bytes_per_s_.value_or(0), *bytes_per_s);
  }
}

void GpuRecorder::Record(const std::vector<GpuReading>& readings) {
  if (readings.empty()) {
    return;
  }
  for (size_t i = 0; i < readings.size(); ++i) {
    // Of a Jetson's GPU tegrastats tells more, and never rubbish.
    if (!tegrastats_ || !sampler_->devices()[i].integrated) {
      RecordDevice(i, readings[i]);
    }
  }
  RecordProgram(readings);
}

void GpuRecorder::RecordTegra(int64_t now_ns, const TegraStats& stats) {
  if (const TegraUnit* gpu = stats.Unit("GR3D")) {
    AddPoint("gpu_busy", "percent", now_ns, gpu->percent);
    AddPoint("gpu_clock", "MHz", now_ns, gpu->mhz);
  }
  if (const TegraUnit* memory = stats.Unit("EMC")) {
    AddPoint("memory_controller_busy", "percent", now_ns, memory->percent);
    AddPoint("memory_controller_clock", "MHz", now_ns, memory->mhz);
  }
  if (const TegraTemperature* gpu = stats.Temperature("GPU")) {
    AddPoint("gpu_temperature", "celsius", now_ns, gpu->celsius);
  }
  for (const TegraRail& rail : stats.rails) {
    AddPoint(RailName(rail), "watt", now_ns, rail.milliwatts / 1e3);
  }
}

void GpuRecorder::Sample(int64_t now_ns, const std::vector<pid_t>& pids) {
  if (!sampler_ && !tegrastats_) {
    return;
  }
  pids_before_ = std::exchange(pids_, pids);
  if (sampler_) {
    for (const auto& readings : sampler_->TakeReadings()) {
      Record(readings);
    }
  }
  if (tegrastats_) {
    if (const auto stats = tegrastats_->Poll(now_ns)) {
      RecordTegra(now_ns, *stats);
    }
  }
}

void GpuRecorder::Stop(int64_t now_ns, const std::vector<pid_t>& pids) {
  if (sampler_) {
    sampler_->Stop();
  }
  Sample(now_ns, pids);
}

std::string GpuRecorder::ThrottleText() const {
  const auto reasons = ThrottleReasons(throttle_bits_);
  if (reasons.empty() || readings_ == 0) {
    return "";
  }
  return "the GPU was held back by " + Join(reasons, " and ") + " in " +
         std::to_string(100 * throttled_readings_ / readings_) +
         "% of the readings: its times say little about a GPU at full clock";
}

void GpuRecorder::Fill(Run* run) const {
  if (unavailable_) {
    run->unavailable.push_back(*unavailable_);
  }
  if (tegrastats_ && tegrastats_->lines() == 0) {
    run->unavailable.push_back(
        {"GPU",
         "tegrastats gave no line that could be read; see what it says "
         "by itself"});
  }
  if (tegrastats_ && tegrastats_->restarts() > 0) {
    run->warnings.push_back("tegrastats died and was started again " +
                            std::to_string(tegrastats_->restarts()) +
                            " times: GPU and power series have holes");
  }
  if (!sampler_) {
    return;
  }
  GpuAccount account;
  if (run->gpu) {
    account.summary = std::move(run->gpu->summary);
  }
  for (size_t i = 0; i < sums_.size(); ++i) {
    const GpuDevice& device = sampler_->devices()[i];
    const DeviceSums& sums = sums_[i];
    GpuUse use;
    use.name = device.name;
    use.memory_bytes = device.memory_bytes;
    use.memory_peak_bytes = sums.memory_peak_bytes;
    use.peak_bytes_per_s = device.peak_bytes_per_s;
    if (sums.busy_readings > 0) {
      use.busy_percent =
          sums.busy_percent / static_cast<double>(sums.busy_readings);
    }
    use.energy_j = sums.joules;
    account.devices.push_back(std::move(use));
  }
  account.memory_peak_bytes = program_peak_bytes_;
  account.most_bytes_per_s = shared_ ? std::nullopt : program_most_bytes_per_s_;
  if (shared_) {
    run->warnings.emplace_back(
        "other programs used the GPU meanwhile: its load, power and traffic "
        "are theirs too");
  }
  if (const std::string throttled = ThrottleText(); !throttled.empty()) {
    run->warnings.push_back(throttled);
  }
  run->gpu = std::move(account);
}

}  // namespace edgewise
