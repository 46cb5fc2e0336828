#include "orchestration/pressure_model.h"

namespace edgewise::orchestration {
namespace {

constexpr int64_t kMiB = int64_t{1} << 20;

struct Row {
  const char* name;
  int64_t memory_mib;
  double service_ms;
  double cpu;  // of the pressure that one request a second exerts
  double cache;
  double bandwidth;
  double sensitivity;
};

// Memory and relative weight as NeuRO's nine applications have them.
constexpr Row kRows[] = {
    {"gcn", 420, 18, 0.0022, 0.0010, 0.0014, 1.0},
    {"random-forest", 310, 6, 0.0008, 0.0004, 0.0003, 0.6},
    {"lstm", 520, 14, 0.0018, 0.0005, 0.0006, 0.8},
    {"kalman-gru", 480, 9, 0.0012, 0.0003, 0.0004, 0.7},
    {"mobilenet-v3", 640, 24, 0.0034, 0.0012, 0.0013, 1.1},
    {"efficientnet", 1250, 95, 0.0125, 0.0038, 0.0046, 1.3},
    {"mobilevit", 820, 48, 0.0064, 0.0022, 0.0026, 1.2},
    {"bert-base", 1300, 80, 0.0105, 0.0034, 0.0040, 1.2},
    {"tiny-bert", 560, 12, 0.0016, 0.0006, 0.0006, 0.9},
};

PressureApp AppOf(const Row& row) {
  PressureApp app;
  app.name = row.name;
  app.memory_bytes = row.memory_mib * kMiB;
  app.service_ms = row.service_ms;
  app.idle = {0.001, 0.0005, 0.0005};
  app.exerts = {row.cpu, row.cache, row.bandwidth};
  app.feels = {1.0, 0.5, 0.5};
  const double s = row.sensitivity;
  app.slow_down = {{0, 1},
                   {0.25, 1 + 0.10 * s},
                   {0.5, 1 + 0.30 * s},
                   {0.75, 1 + 0.75 * s},
                   {1, 1 + 1.6 * s},
                   {1.5, 1 + 4.5 * s}};
  return app;
}

}  // namespace

PressureFigures AssumedPressures() {
  PressureFigures figures;
  figures.basis = "assumed, not measured";
  figures.resources = {"cpu", "cache", "bandwidth"};
  figures.ranks = {{0, 1, {1, 1, 1}}, {1, 0.7, {0.6, 0.7, 0.7}}};
  for (const Row& row : kRows) {
    figures.apps.push_back(AppOf(row));
  }
  return figures;
}

}  // namespace edgewise::orchestration
