// A stand-in for NVIDIA's management library: answers from the text file that
// $EDGEWISE_FAKE_NVML names, read anew at every question, so that a test may
// change the answers meanwhile.
//
// Each line is a key and its values; lines from `device NAME` on belong to that
// device. A question without a line is answered with "not supported".
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "probes/gpu/nvml_api.h"

namespace {

using namespace edgewise::nvml;

struct Line {
  std::string key;
  std::vector<unsigned long long> numbers;
  std::string text;
};

// `which` = -1: the lines before the first device.
std::vector<Line> Lines(int which) {
  std::vector<Line> lines;
  const char* const path = std::getenv("EDGEWISE_FAKE_NVML");
  std::ifstream file(path != nullptr ? path : "");
  int device = -1;
  for (std::string text; std::getline(file, text);) {
    std::istringstream words(text);
    Line line;
    words >> line.key;
    if (line.key == "device") {
      ++device;
    }
    if (line.key.empty() || line.key[0] == '#' || device != which) {
      continue;
    }
    line.text = text.substr(std::min(text.size(), line.key.size() + 1));
    for (unsigned long long number = 0; words >> number;) {
      line.numbers.push_back(number);
    }
    lines.push_back(std::move(line));
  }
  return lines;
}

const Line* Find(const std::vector<Line>& lines, const char* key,
                 size_t numbers) {
  for (const Line& line : lines) {
    if (line.key == key && line.numbers.size() >= numbers) {
      return &line;
    }
  }
  return nullptr;
}

int IndexOf(Device device) {
  return static_cast<int>(reinterpret_cast<intptr_t>(device)) - 1;
}

template <typename Number>
Status Tell(Device device, const char* key, Number* value) {
  const auto lines = Lines(IndexOf(device));
  const Line* const line = Find(lines, key, 1);
  if (line == nullptr) {
    return kNotSupported;
  }
  *value = static_cast<Number>(line->numbers[0]);
  return kSuccess;
}

Status TellText(Device device, const char* key, char* text, unsigned int size) {
  for (const Line& line : Lines(IndexOf(device))) {
    if (line.key == key) {
      std::snprintf(text, size, "%s", line.text.c_str());
      return kSuccess;
    }
  }
  return kNotSupported;
}

}  // namespace

extern "C" {

Status nvmlInit_v2() {
  const auto lines = Lines(-1);
  const Line* const line = Find(lines, "init", 1);
  return line != nullptr ? static_cast<Status>(line->numbers[0]) : kSuccess;
}
Status nvmlShutdown() { return kSuccess; }
Status nvmlSystemGetDriverVersion(char* text, unsigned int size) {
  return TellText(nullptr, "driver", text, size);
}
Status nvmlDeviceGetCount_v2(unsigned int* count) {
  *count = 0;
  while (!Lines(static_cast<int>(*count)).empty()) {
    ++*count;
  }
  return kSuccess;
}
Status nvmlDeviceGetHandleByIndex_v2(unsigned int index, Device* device) {
  *device = reinterpret_cast<Device>(static_cast<intptr_t>(index) + 1);
  return kSuccess;
}
Status nvmlDeviceGetName(Device device, char* text, unsigned int size) {
  return TellText(device, "device", text, size);
}
Status nvmlDeviceGetUUID(Device device, char* text, unsigned int size) {
  return TellText(device, "uuid", text, size);
}
Status nvmlDeviceGetUtilizationRates(Device device, Utilization* load) {
  const auto lines = Lines(IndexOf(device));
  const Line* const line = Find(lines, "utilization", 2);
  if (line == nullptr) {
    return kNotSupported;
  }
  load->gpu = static_cast<unsigned int>(line->numbers[0]);
  load->memory = static_cast<unsigned int>(line->numbers[1]);
  return kSuccess;
}
// memory TOTAL USED: as old drivers tell it.
Status nvmlDeviceGetMemoryInfo(Device device, Memory* memory) {
  const auto lines = Lines(IndexOf(device));
  const Line* const line = Find(lines, "memory", 2);
  if (line == nullptr) {
    return kNotSupported;
  }
  memory->total = line->numbers[0];
  memory->used = line->numbers[1];
  memory->free = memory->total - memory->used;
  return kSuccess;
}
// memory_v2 TOTAL USED RESERVED
Status nvmlDeviceGetMemoryInfo_v2(Device device, MemoryV2* memory) {
  const auto lines = Lines(IndexOf(device));
  const Line* const line = Find(lines, "memory_v2", 3);
  if (line == nullptr || memory->version != kMemoryV2) {
    return kNotSupported;
  }
  memory->total = line->numbers[0];
  memory->used = line->numbers[1];
  memory->reserved = line->numbers[2];
  memory->free = memory->total - memory->used - memory->reserved;
  return kSuccess;
}
Status nvmlDeviceGetPowerUsage(Device device, unsigned int* milliwatts) {
  return Tell(device, "power_mw", milliwatts);
}
Status nvmlDeviceGetTotalEnergyConsumption(Device device,
                                           unsigned long long* millijoules) {
  return Tell(device, "energy_mj", millijoules);
}
Status nvmlDeviceGetClockInfo(Device device, int kind, unsigned int* mhz) {
  return Tell(device, kind == kClockSm ? "sm_mhz" : "memory_mhz", mhz);
}
Status nvmlDeviceGetMaxClockInfo(Device device, int kind, unsigned int* mhz) {
  return Tell(device, kind == kClockSm ? "max_sm_mhz" : "max_memory_mhz", mhz);
}
Status nvmlDeviceGetMemoryBusWidth(Device device, unsigned int* bits) {
  return Tell(device, "bus_bits", bits);
}
Status nvmlDeviceGetTemperature(Device device, int, unsigned int* celsius) {
  return Tell(device, "celsius", celsius);
}
Status nvmlDeviceGetCurrentClocksThrottleReasons(Device device,
                                                 unsigned long long* bits) {
  return Tell(device, "throttle", bits);
}
Status nvmlDeviceGetPcieThroughput(Device device, int direction,
                                   unsigned int* kib) {
  return Tell(device,
              direction == kPcieReceive ? "receive_kib" : "transmit_kib", kib);
}
// process PID BYTES; no_processes: the driver does not list any.
Status nvmlDeviceGetComputeRunningProcesses_v3(Device device,
                                               unsigned int* count,
                                               ProcessV2* processes) {
  const auto lines = Lines(IndexOf(device));
  unsigned int found = 0;
  for (const Line& line : lines) {
    if (line.key == "no_processes") {
      return kNotSupported;
    }
    if (line.key != "process" || line.numbers.size() < 2) {
      continue;
    }
    if (found < *count) {
      processes[found].pid = static_cast<unsigned int>(line.numbers[0]);
      processes[found].used_bytes = line.numbers[1];
    }
    ++found;
  }
  const bool fits = found <= *count;
  *count = found;
  return fits ? kSuccess : kInsufficientSize;
}
// use PID TIME PERCENT
Status nvmlDeviceGetProcessUtilization(Device device, ProcessUse* samples,
                                       unsigned int* count,
                                       unsigned long long since) {
  unsigned int found = 0;
  for (const Line& line : Lines(IndexOf(device))) {
    if (line.key == "use" && line.numbers.size() >= 3 &&
        line.numbers[1] > since && found < *count) {
      samples[found] = {};
      samples[found].pid = static_cast<unsigned int>(line.numbers[0]);
      samples[found].timestamp_us = line.numbers[1];
      samples[found].sm_percent = static_cast<unsigned int>(line.numbers[2]);
      ++found;
    }
  }
  *count = found;
  return found > 0 ? kSuccess : 6;
}
// gpm DRAM_PERCENT RECEIVE_MIB TRANSMIT_MIB
Status nvmlGpmQueryDeviceSupport(Device device, GpmSupport* support) {
  const auto lines = Lines(IndexOf(device));
  support->supported = Find(lines, "gpm", 3) != nullptr ? 1 : 0;
  return kSuccess;
}
Status nvmlGpmSampleAlloc(GpmSample* sample) {
  *sample = new Device(nullptr);
  return kSuccess;
}
Status nvmlGpmSampleFree(GpmSample sample) {
  delete static_cast<Device*>(sample);
  return kSuccess;
}
Status nvmlGpmSampleGet(Device device, GpmSample sample) {
  *static_cast<Device*>(sample) = device;
  return kSuccess;
}
Status nvmlGpmMetricsGet(GpmMetrics* metrics) {
  const Device device = *static_cast<Device*>(metrics->after);
  const auto lines = Lines(IndexOf(device));
  const Line* const line = Find(lines, "gpm", 3);
  if (line == nullptr || metrics->version != 1 ||
      *static_cast<Device*>(metrics->before) != device) {
    return kNotSupported;
  }
  for (unsigned int i = 0; i < metrics->count; ++i) {
    GpmMetric& metric = metrics->metrics[i];
    metric.status = kSuccess;
    switch (metric.id) {
      case kGpmDramBandwidthPercent:
        metric.value = static_cast<double>(line->numbers[0]);
        break;
      case kGpmPcieReceiveMib:
        metric.value = static_cast<double>(line->numbers[1]);
        break;
      case kGpmPcieTransmitMib:
        metric.value = static_cast<double>(line->numbers[2]);
        break;
      default:
        metric.status = kNotSupported;
    }
  }
  return kSuccess;
}

}  // extern "C"
