// A program with known work on a GPU, to compare edgewise with what CUDA itself
// says: kernels timed by events, copies of known sizes, memory of known size.
// Prints one line of JSON.
//
//   nvcc -O2 -arch=native -o workload workload.cu
//   ./workload [--seconds S] [--memory-mib N] [--small]
#include <cuda_runtime.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

namespace {

void Check(cudaError_t status, const char* what) {
  if (status != cudaSuccess) {
    std::fprintf(stderr, "workload: %s: %s\n", what,
                 cudaGetErrorString(status));
    std::exit(3);
  }
}

double Seconds() {
  return std::chrono::duration<double>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

// Moves memory: 12 bytes for each element.
__global__ void Saxpy(float a, const float* x, float* y, size_t n) {
  const size_t stride = size_t{gridDim.x} * blockDim.x;
  for (size_t i = size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n;
       i += stride) {
    y[i] = a * x[i] + y[i];
  }
}

// Computes: hardly any memory.
__global__ void Burn(float* out, int steps) {
  float a = threadIdx.x;
  float b = blockIdx.x;
  for (int i = 0; i < steps; ++i) {
    a = a * 1.0001f + b;
    b = b * 0.9999f + a;
  }
  out[(size_t{blockIdx.x} * blockDim.x + threadIdx.x) % 1024] = a + b;
}

// Next to nothing: launching it takes longer.
__global__ void Tiny(float* out) { out[threadIdx.x] += 1; }

struct Timed {
  cudaEvent_t start;
  cudaEvent_t end;
};

// Kernel times by events, one pair for each launch.
class EventClock {
 public:
  template <typename Launch>
  void Time(cudaStream_t stream, const Launch& launch) {
    Timed timed;
    Check(cudaEventCreate(&timed.start), "cudaEventCreate");
    Check(cudaEventCreate(&timed.end), "cudaEventCreate");
    Check(cudaEventRecord(timed.start, stream), "cudaEventRecord");
    launch();
    Check(cudaEventRecord(timed.end, stream), "cudaEventRecord");
    pending_.push_back(timed);
  }
  // After the work is done.
  void Add() {
    for (const Timed& timed : pending_) {
      float ms = 0;
      Check(cudaEventElapsedTime(&ms, timed.start, timed.end),
            "cudaEventElapsedTime");
      total_ms_ += ms;
      ++count_;
      cudaEventDestroy(timed.start);
      cudaEventDestroy(timed.end);
    }
    pending_.clear();
  }
  double total_ms() const { return total_ms_; }
  long count() const { return count_; }

 private:
  std::vector<Timed> pending_;
  double total_ms_ = 0;
  long count_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  double seconds = 6;
  size_t memory_mib = 4096;
  bool small = false;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--seconds" && i + 1 < argc) {
      seconds = std::atof(argv[++i]);
    } else if (word == "--memory-mib" && i + 1 < argc) {
      memory_mib = std::strtoul(argv[++i], nullptr, 10);
    } else if (word == "--small") {
      small = true;
      memory_mib = 64;
    } else {
      std::fprintf(stderr, "workload: unknown option %s\n", argv[i]);
      return 2;
    }
  }
  const double begin = Seconds();
  const size_t n = (memory_mib << 20) / 2 / sizeof(float);
  float* x = nullptr;
  float* y = nullptr;
  Check(cudaMalloc(&x, n * sizeof(float)), "cudaMalloc");
  Check(cudaMalloc(&y, n * sizeof(float)), "cudaMalloc");
  Check(cudaMemset(x, 0, n * sizeof(float)), "cudaMemset");
  Check(cudaMemset(y, 0, n * sizeof(float)), "cudaMemset");
  cudaStream_t work;
  cudaStream_t copying;
  Check(cudaStreamCreate(&work), "cudaStreamCreate");
  Check(cudaStreamCreate(&copying), "cudaStreamCreate");

  const size_t copy_bytes = small ? size_t{1} << 20 : size_t{256} << 20;
  const int copies = small ? 2 : 8;
  std::vector<char> pageable(copy_bytes);
  void* pinned = nullptr;
  Check(cudaHostAlloc(&pinned, copy_bytes, cudaHostAllocDefault),
        "cudaHostAlloc");
  std::memset(pinned, 1, copy_bytes);
  std::memset(pageable.data(), 1, copy_bytes);
  for (int i = 0; i < copies; ++i) {
    Check(cudaMemcpy(x, pageable.data(), copy_bytes, cudaMemcpyHostToDevice),
          "cudaMemcpy");
    Check(cudaMemcpy(pageable.data(), x, copy_bytes / 2,
                     cudaMemcpyDeviceToHost),
          "cudaMemcpy");
    Check(cudaMemcpy(x, pinned, copy_bytes, cudaMemcpyHostToDevice),
          "cudaMemcpy");
  }
  Check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");

  // Long kernels, timed one by one; half of the time each.
  EventClock saxpy;
  EventClock burn;
  const int burn_steps = small ? 2000 : 200000;
  const auto repeat = [&](double for_seconds, int most, auto&& once) {
    const double until = Seconds() + for_seconds;
    for (int round = 0; Seconds() < until && round < most; ++round) {
      for (int i = 0; i < 10; ++i) {
        once();
      }
      Check(cudaStreamSynchronize(work), "cudaStreamSynchronize");
      saxpy.Add();
      burn.Add();
    }
  };
  const int most = small ? 1 : 1 << 20;
  repeat(seconds / 2, most, [&] {
    saxpy.Time(work, [&] { Saxpy<<<1056, 256, 0, work>>>(1.5f, x, y, n); });
  });
  repeat(seconds / 2, most, [&] {
    burn.Time(work, [&] { Burn<<<1056, 256, 0, work>>>(y, burn_steps); });
  });

  // Copies while a kernel runs, on another stream.
  for (int i = 0; i < copies; ++i) {
    Burn<<<1056, 256, 0, work>>>(y, burn_steps * 4);
    Check(cudaMemcpyAsync(x, pinned, copy_bytes, cudaMemcpyHostToDevice,
                          copying),
          "cudaMemcpyAsync");
    Check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
  }

  const int tiny_launches = small ? 100 : 20000;
  const double tiny_begin = Seconds();
  for (int i = 0; i < tiny_launches; ++i) {
    Tiny<<<1, 32, 0, work>>>(y);
  }
  Check(cudaStreamSynchronize(work), "cudaStreamSynchronize");
  const double tiny_us = (Seconds() - tiny_begin) / tiny_launches * 1e6;
  Check(cudaGetLastError(), "a kernel");

  size_t free_bytes = 0;
  size_t total_bytes = 0;
  Check(cudaMemGetInfo(&free_bytes, &total_bytes), "cudaMemGetInfo");
  const long long to_device =
      static_cast<long long>(copy_bytes) * copies * 3;
  const long long to_host = static_cast<long long>(copy_bytes / 2) * copies;
  std::printf(
      "{\"saxpy_ms\": %.6f, \"saxpy_launches\": %ld, \"burn_ms\": %.6f, "
      "\"burn_launches\": %ld, \"tiny_launches\": %d, \"tiny_us\": %.3f, "
      "\"to_device_bytes\": %lld, \"to_host_bytes\": %lld, "
      "\"pageable_copies\": %d, \"overlapped_copies\": %d, "
      "\"saxpy_bytes\": %lld, \"allocated_bytes\": %lld, \"wall_s\": %.6f}\n",
      saxpy.total_ms(), saxpy.count(), burn.total_ms(), burn.count(),
      tiny_launches, tiny_us, to_device, to_host, 2 * copies, copies,
      static_cast<long long>(n) * 12,
      static_cast<long long>(2 * n * sizeof(float)), Seconds() - begin);
  return 0;
}
