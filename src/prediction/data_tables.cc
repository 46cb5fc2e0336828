#include "prediction/data_tables.h"

#include <cmath>
#include <limits>

#include "base/text.h"

namespace edgewise {
namespace {

constexpr int64_t kMostExtent = 1'000'000'000;
constexpr uint64_t kFnvBasis = 0xcbf29ce484222325u;
constexpr uint64_t kFnvPrime = 0x100000001b3u;

// A count from 1, or `otherwise`.
int64_t CountOr(const CsvRow& row, std::string_view column, int64_t otherwise) {
  const auto number = row.Number(column);
  return number && *number >= 1 && *number <= kMostExtent
             ? static_cast<int64_t>(*number)
             : otherwise;
}

// "64x56x56"; nullopt if an extent is no count.
std::optional<std::vector<int64_t>> ParseShape(std::string_view text) {
  std::vector<int64_t> shape;
  if (text.empty()) {
    return shape;
  }
  for (const std::string_view piece : Split(text, 'x')) {
    const auto extent = ParseInt(piece);
    if (!extent || *extent < 0 || *extent > kMostExtent || shape.size() == 8) {
      return std::nullopt;
    }
    shape.push_back(*extent);
  }
  return shape;
}

Result<void> NeedColumns(const CsvTable& table, const std::string& name,
                         std::initializer_list<std::string_view> columns) {
  for (const std::string_view column : columns) {
    if (!table.Find(column)) {
      return Error{ErrorCode::kInvalid,
                   name + " has no column " + std::string(column)};
    }
  }
  return {};
}

void AddToDigest(uint64_t& digest, std::string_view text) {
  for (const char c : text) {
    digest = (digest ^ static_cast<unsigned char>(c)) * kFnvPrime;
  }
}

std::string Hex(uint64_t value) {
  std::string text(16, '0');
  for (size_t i = 16; i-- > 0; value >>= 4) {
    text[i] = "0123456789abcdef"[value & 15];
  }
  return text;
}

// Collects latencies; runs appear in the order of the table.
class LatencyReader {
 public:
  explicit LatencyReader(LatencyData& data) : data_(data) {
    for (size_t n = 0; n < data.networks.size(); ++n) {
      network_[data.networks[n].name] = n;
    }
  }

  Result<void> Read(const CsvTable& table, const std::string& name) {
    if (auto checked = NeedColumns(table, name, {"model", "device", "threads"});
        !checked) {
      return checked;
    }
    for (size_t i = 0; i < table.rows.size(); ++i) {
      const CsvRow row(table, i);
      const auto network = network_.find(std::string(row.Text("model")));
      const auto ms = row.Number("min_ms");
      if (!ms || *ms <= 0) {
        return row.Wrong(name, "min_ms");
      }
      const bool other = !row.Text("backend").empty()
                             ? row.Text("backend") != "cpu"
                             : table.Find("backend").has_value();
      if (network == network_.end() || other || row.Text("suspect") == "1") {
        ++data_.left_out;
        continue;
      }
      cells_.push_back({RunOf(row), network->second, std::log(*ms)});
    }
    return {};
  }

  // Repeated figures of one run and network are averaged.
  void Finish() {
    const auto rows = static_cast<Eigen::Index>(data_.runs.size());
    const auto columns = static_cast<Eigen::Index>(data_.networks.size());
    Eigen::MatrixXd sum = Eigen::MatrixXd::Zero(rows, columns);
    Eigen::MatrixXd count = sum;
    for (const auto& cell : cells_) {
      const auto r = static_cast<Eigen::Index>(cell.run);
      const auto n = static_cast<Eigen::Index>(cell.network);
      sum(r, n) += cell.log_ms;
      count(r, n) += 1;
    }
    data_.log_ms = (count.array() > 0)
                       .select(sum.array() / count.array().max(1),
                               std::numeric_limits<double>::quiet_NaN());
  }

 private:
  struct Cell {
    size_t run;
    size_t network;
    double log_ms;
  };

  size_t RunOf(const CsvRow& row) {
    const std::string id(row.Text("run"));
    const auto [at, added] = run_.try_emplace(id, data_.runs.size());
    if (added) {
      BoardRun run;
      run.id = id;
      run.device = row.Text("device");
      run.note = row.Text("note");
      std::string words;
      for (const std::string_view column :
           {"cpu_arch", "cores_text", "soc", "device"}) {
        words += std::string(row.Text(column)) + " ";
      }
      run.spec = SpecFromWords(words);
      run.spec.threads = static_cast<int>(
          std::min<int64_t>(CountOr(row, "threads", 1), 100000));
      run.spec.little_cores = row.Text("powersave") == "1";
      data_.runs.push_back(std::move(run));
    }
    return at->second;
  }

  LatencyData& data_;
  std::map<std::string, size_t> network_;
  std::map<std::string, size_t> run_;
  std::vector<Cell> cells_;
};

}  // namespace

int64_t LatencyData::Measurements() const {
  return log_ms.size() - log_ms.array().isNaN().count();
}

Result<std::vector<Network>> ReadLayersTable(const CsvTable& table,
                                             const std::string& name) {
  if (auto checked = NeedColumns(
          table, name,
          {"model", "type", "in_shape", "out_shape", "macs", "parameters"});
      !checked) {
    return checked.error();
  }
  std::vector<Network> networks;
  std::map<std::string, size_t> known;
  for (size_t i = 0; i < table.rows.size(); ++i) {
    const CsvRow row(table, i);
    const std::string model(row.Text("model"));
    const auto [at, added] = known.try_emplace(model, networks.size());
    if (added) {
      networks.push_back({model, {}});
    }
    Layer layer;
    layer.type = row.Text("type");
    layer.kernel = CountOr(row, "kernel_w", 1);
    layer.stride = CountOr(row, "stride", 1);
    layer.groups = CountOr(row, "groups", 1);
    const auto in = ParseShape(row.Text("in_shape"));
    const auto out = ParseShape(row.Text("out_shape"));
    const auto macs = row.Number("macs");
    const auto parameters = row.Number("parameters");
    if (!in || !out) {
      return row.Wrong(name, in ? "out_shape" : "in_shape");
    }
    if (!macs || !parameters) {
      return row.Wrong(name, macs ? "parameters" : "macs");
    }
    layer.in_shape = *in;
    layer.out_shape = *out;
    layer.macs = *macs;
    layer.parameters = *parameters;
    layer.int8 = row.Text("int8") == "1";
    networks[at->second].layers.push_back(std::move(layer));
  }
  return networks;
}

Result<std::map<std::string, double>> ReadMeasuredTable(
    const CsvTable& table, const std::string& name) {
  const bool plain = !table.Find("min_ms") && table.Find("ms");
  const std::string_view column = plain ? "ms" : "min_ms";
  if (auto checked = NeedColumns(table, name, {"model", column}); !checked) {
    return checked.error();
  }
  std::map<std::string, double> measured;
  for (size_t i = 0; i < table.rows.size(); ++i) {
    const CsvRow row(table, i);
    const auto ms = row.Number(column);
    if (!ms || *ms <= 0) {
      return row.Wrong(name, column);
    }
    measured[std::string(row.Text("model"))] = *ms;
  }
  return measured;
}

Result<LatencyData> ReadLatencyData(const std::vector<NamedText>& tables) {
  LatencyData data;
  std::vector<std::pair<CsvTable, std::string>> latencies;
  std::map<std::string, Characteristics> characteristics;
  uint64_t digest = kFnvBasis;
  for (const NamedText& file : tables) {
    AddToDigest(digest, file.text);
    auto table = ParseCsv(file.text, file.name);
    if (!table) {
      return table.error();
    }
    if (table->Find("layer") && table->Find("type")) {
      auto networks = ReadLayersTable(*table, file.name);
      if (!networks) {
        return networks.error();
      }
      for (Network& network : *networks) {
        data.networks.push_back(std::move(network));
      }
    } else if (table->Find("run") && table->Find("min_ms")) {
      latencies.emplace_back(std::move(*table), file.name);
    } else if (IsLoadTable(*table)) {
      auto rows = ReadLoadTable(*table, file.name);
      if (!rows) {
        return rows.error();
      }
      data.load_rows.insert(data.load_rows.end(), rows->begin(), rows->end());
    } else if (table->Find("conv_layers")) {
      auto models = ReadCharacteristicsTable(*table, file.name);
      if (!models) {
        return models.error();
      }
      for (Characteristics& model : *models) {
        characteristics[model.model] = std::move(model);
      }
    } else {
      return Error{ErrorCode::kInvalid,
                   file.name +
                       ": the columns are neither those of latencies (run, "
                       "min_ms), of layers (layer, type), of models "
                       "(conv_layers) nor of edgewise measure-model"};
    }
  }
  if (latencies.empty() || data.networks.empty()) {
    return Error{ErrorCode::kInvalid,
                 std::string("a table of ") +
                     (latencies.empty() ? "latencies (columns run, min_ms)"
                                        : "layers (columns layer, type)") +
                     " is missing: name it too"};
  }
  LatencyReader reader(data);
  for (const auto& [table, name] : latencies) {
    if (auto read = reader.Read(table, name); !read) {
      return read.error();
    }
  }
  reader.Finish();
  for (const Network& network : data.networks) {
    const auto found = characteristics.find(network.name);
    data.characteristics.push_back(found == characteristics.end()
                                       ? std::nullopt
                                       : std::optional(found->second));
  }
  data.digest = Hex(digest);
  return data;
}

}  // namespace edgewise
