#include "probes/gpu/gpu_probe.h"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <string_view>
#include <utility>

#include "probes/gpu/gpm_counters.h"

namespace edgewise {
namespace {

// What no GPU exceeds; a larger figure is rubbish.
constexpr double kMostWatts = 20e3;
constexpr double kMostMhz = 100e3;
constexpr double kMostCelsius = 200;
constexpr unsigned long long kMostBytes = 1ULL << 50;
constexpr unsigned int kMostDevices = 64;

std::optional<double> Within(double value, double most) {
  return value >= 0 && value <= most ? std::optional(value) : std::nullopt;
}

// Asks `function` for one number; nullopt where it is missing or refuses.
template <typename Number, typename Function, typename... Arguments>
std::optional<double> Ask(Function function, Arguments... arguments) {
  Number value = 0;
  if (function == nullptr || function(arguments..., &value) != nvml::kSuccess) {
    return std::nullopt;
  }
  return static_cast<double>(value);
}

std::string AskText(nvml::Status (*function)(nvml::Device, char*, unsigned int),
                    nvml::Device device) {
  char text[97] = {};
  if (function == nullptr ||
      function(device, text, sizeof text - 1) != nvml::kSuccess) {
    return "";
  }
  return text;
}

struct MemoryUse {
  int64_t total_bytes = 0;
  int64_t used_bytes = 0;
};

// As nvidia-smi shows it: without what the driver reserves, where it tells.
std::optional<MemoryUse> AskMemory(const nvml::Api& api, nvml::Device device) {
  unsigned long long total = 0;
  unsigned long long used = 0;
  nvml::MemoryV2 newer{};
  newer.version = nvml::kMemoryV2;
  nvml::Memory older{};
  if (api.memory_v2 != nullptr &&
      api.memory_v2(device, &newer) == nvml::kSuccess) {
    total = newer.total;
    used = newer.used;
  } else if (api.memory != nullptr &&
             api.memory(device, &older) == nvml::kSuccess) {
    total = older.total;
    used = older.used;
  }
  if (total == 0 || total > kMostBytes || used > total) {
    return std::nullopt;
  }
  return MemoryUse{static_cast<int64_t>(total), static_cast<int64_t>(used)};
}

bool NamesJetson(std::string name) {
  std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) {
    return static_cast<char>(std::tolower(c));
  });
  constexpr std::string_view kWords[] = {"nvgpu",  "tegra",  "orin",
                                         "xavier", "jetson", "thor"};
  return std::any_of(std::begin(kWords), std::end(kWords),
                     [&](std::string_view word) {
                       return name.find(word) != std::string::npos;
                     });
}

// Two transfers a clock, over the whole width of the bus.
std::optional<double> PeakBytesPerSecond(const nvml::Api& api,
                                         nvml::Device device) {
  const auto mhz =
      Ask<unsigned int>(api.max_clock_mhz, device, nvml::kClockMemory);
  const auto bits = Ask<unsigned int>(api.bus_width_bits, device);
  if (!mhz || !bits || *mhz <= 0 || *mhz > kMostMhz || *bits < 8 ||
      *bits > 1 << 16) {
    return std::nullopt;
  }
  return *mhz * 1e6 * 2 * *bits / 8;
}

}  // namespace

struct GpuProbe::State {
  struct Board {
    nvml::Device handle = nullptr;
    std::optional<GpmCounters> counters;
    GpuProcesses processes;
    bool counts_energy = false;
    std::optional<double> first_mj;
    // Where there is no energy counter: power is integrated.
    std::optional<double> last_watts;
    int64_t last_ns = 0;
    double joules = 0;
  };
  std::unique_ptr<NvmlLibrary> library;
  std::vector<GpuDevice> devices;
  std::vector<Board> boards;

  GpuReading Read(const GpuDevice& device, Board& board, int64_t now_ns,
                  Depth depth);
  void ReadPower(Board& board, Depth depth, GpuReading* reading) const;
  void ReadTraffic(const GpuDevice& device, Board& board, Depth depth,
                   GpuReading* reading) const;
};

void GpuProbe::State::ReadPower(Board& board, Depth depth,
                                GpuReading* reading) const {
  const nvml::Api& api = library->api();
  if (const auto mw = Ask<unsigned int>(api.power_mw, board.handle)) {
    reading->watts = Within(*mw / 1e3, kMostWatts);
  }
  if (board.counts_energy && depth == Depth::kFull) {
    if (const auto mj = Ask<unsigned long long>(api.energy_mj, board.handle);
        mj && *mj > 0) {
      if (!board.first_mj || *mj < *board.first_mj) {
        board.first_mj = mj;
      }
      reading->joules = (*mj - *board.first_mj) / 1e3;
    }
  } else if (!board.counts_energy && reading->watts) {
    if (board.last_watts) {
      board.joules += (*board.last_watts + *reading->watts) / 2 *
                      static_cast<double>(reading->at_ns - board.last_ns) / 1e9;
    }
    board.last_watts = reading->watts;
    board.last_ns = reading->at_ns;
    reading->joules = board.joules;
  }
}

void GpuProbe::State::ReadTraffic(const GpuDevice& device, Board& board,
                                  Depth depth, GpuReading* reading) const {
  if (board.counters) {
    const GpmReading counted = board.counters->Read();
    if (counted.dram_percent && device.peak_bytes_per_s) {
      reading->bandwidth_bytes_per_s =
          *counted.dram_percent / 100 * *device.peak_bytes_per_s;
    }
    reading->pcie_receive_bytes_per_s = counted.pcie_receive_bytes_per_s;
    reading->pcie_transmit_bytes_per_s = counted.pcie_transmit_bytes_per_s;
    return;
  }
  if (depth == Depth::kLight) {
    return;
  }
  const nvml::Api& api = library->api();
  const auto traffic = [&](int direction) -> std::optional<double> {
    const auto kib = Ask<unsigned int>(api.pcie_kib, board.handle, direction);
    return kib ? std::optional(*kib * 1024) : std::nullopt;
  };
  reading->pcie_receive_bytes_per_s = traffic(nvml::kPcieReceive);
  if (reading->pcie_receive_bytes_per_s) {
    reading->pcie_transmit_bytes_per_s = traffic(nvml::kPcieTransmit);
  }
}

GpuReading GpuProbe::State::Read(const GpuDevice& device, Board& board,
                                 int64_t now_ns, Depth depth) {
  const nvml::Api& api = library->api();
  GpuReading reading;
  reading.at_ns = now_ns;
  nvml::Utilization load{};
  if (api.utilization != nullptr &&
      api.utilization(board.handle, &load) == nvml::kSuccess) {
    reading.busy_percent = Within(load.gpu, 100);
    reading.memory_busy_percent = Within(load.memory, 100);
  }
  if (const auto memory = AskMemory(api, board.handle);
      memory && !device.integrated) {
    reading.memory_used_bytes = memory->used_bytes;
  }
  ReadPower(board, depth, &reading);
  if (const auto mhz =
          Ask<unsigned int>(api.clock_mhz, board.handle, nvml::kClockSm)) {
    reading.sm_clock_mhz = Within(*mhz, kMostMhz);
  }
  if (const auto mhz =
          Ask<unsigned int>(api.clock_mhz, board.handle, nvml::kClockMemory)) {
    reading.memory_clock_mhz = Within(*mhz, kMostMhz);
  }
  if (const auto celsius = Ask<unsigned int>(api.temperature, board.handle,
                                             nvml::kTemperatureGpu)) {
    reading.celsius = Within(*celsius, kMostCelsius);
  }
  unsigned long long bits = 0;
  if (api.throttle_reasons != nullptr &&
      api.throttle_reasons(board.handle, &bits) == nvml::kSuccess) {
    reading.throttle_bits = bits;
  }
  ReadTraffic(device, board, depth, &reading);
  reading.processes =
      board.processes.Read(api, board.handle, depth == Depth::kFull);
  return reading;
}

GpuProbe::GpuProbe(std::unique_ptr<State> state) : state_(std::move(state)) {}
GpuProbe::GpuProbe(GpuProbe&&) noexcept = default;
GpuProbe& GpuProbe::operator=(GpuProbe&&) noexcept = default;
GpuProbe::~GpuProbe() = default;

Result<GpuProbe> GpuProbe::Open(std::string library_file) {
  auto library = NvmlLibrary::Load(std::move(library_file));
  if (!library) {
    return library.error();
  }
  auto state = std::make_unique<State>();
  state->library = std::move(*library);
  const nvml::Api& api = state->library->api();
  unsigned int count = 0;
  if (api.device_count(&count) != nvml::kSuccess) {
    count = 0;
  }
  for (unsigned int i = 0; i < std::min(count, kMostDevices); ++i) {
    State::Board board;
    if (api.device(i, &board.handle) != nvml::kSuccess) {
      continue;
    }
    GpuDevice device;
    device.index = static_cast<int>(i);
    device.name = AskText(api.name, board.handle);
    device.uuid = AskText(api.uuid, board.handle);
    const auto memory = AskMemory(api, board.handle);
    device.integrated = NamesJetson(device.name);
    if (memory && !device.integrated) {
      device.memory_bytes = memory->total_bytes;
    }
    device.peak_bytes_per_s = PeakBytesPerSecond(api, board.handle);
    board.counters = GpmCounters::Open(api, board.handle);
    board.counts_energy =
        Ask<unsigned long long>(api.energy_mj, board.handle).value_or(0) > 0;
    state->devices.push_back(std::move(device));
    state->boards.push_back(std::move(board));
  }
  if (state->boards.empty()) {
    return Error{ErrorCode::kUnsupported,
                 "NVIDIA's driver is there, but it has no GPU: check that one "
                 "is plugged in, or handed to this container"};
  }
  return GpuProbe(std::move(state));
}

const std::vector<GpuDevice>& GpuProbe::devices() const {
  return state_->devices;
}

std::string GpuProbe::DriverVersion() const {
  return state_->library->DriverVersion();
}

std::vector<GpuReading> GpuProbe::Read(int64_t now_ns, Depth depth) {
  std::vector<GpuReading> readings;
  readings.reserve(state_->boards.size());
  for (size_t i = 0; i < state_->boards.size(); ++i) {
    readings.push_back(
        state_->Read(state_->devices[i], state_->boards[i], now_ns, depth));
  }
  return readings;
}

}  // namespace edgewise
