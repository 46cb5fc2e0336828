#include <fmt/format.h>

#include "base/units.h"
#include "base/yaml_reader.h"
#include "base/yaml_scalar.h"
#include "tenants/campaign_folder.h"

namespace edgewise::tenants {
namespace {

constexpr double kMostBytes = 1e15;

YamlReader::Take Bytes(YamlReader& reader, int64_t& field) {
  return reader.WithNumber(
      0, kMostBytes, [&field](double n) { field = static_cast<int64_t>(n); });
}

}  // namespace

std::string WriteCampaignHeader(const CampaignHeader& header) {
  const Server& server = header.server;
  std::string text = fmt::format(
      "version: 1\nserver:\n  name: {}\n  fingerprint: {}\n  cores: {}\n"
      "  cpus: \"{}\"\n",
      YamlScalar(server.name), YamlScalar(server.fingerprint), server.cores(),
      FormatCpuList(server.cpus));
  if (server.memory_bytes) {
    text += fmt::format("  memory_bytes: {}\n", *server.memory_bytes);
  }
  text += fmt::format("seed: {}\ntenants:{}\n", header.seed,
                      header.tenants.empty() ? " []" : "");
  for (const CampaignTenant& tenant : header.tenants) {
    text += fmt::format(
        "  - {{name: {}, memory_bytes: {}, cores: {}, scale: {}}}\n",
        YamlScalar(tenant.name), tenant.memory_bytes, tenant.cores,
        tenant.scale);
  }
  return text;
}

Result<CampaignHeader> ReadCampaignHeader(std::string_view yaml,
                                          const std::string& origin) {
  const auto root = ReadYaml(yaml, origin, "campaign");
  if (!root) {
    return root.error();
  }
  YamlReader reader(origin);
  CampaignHeader header;
  double version = 0;
  double cores = 0;
  double seed = 1;
  const auto read_server = [&](std::string_view, const YamlNode& value) {
    int64_t bytes = 0;
    reader.ReadMap(value, "a server",
                   {{"name", reader.Text(header.server.name)},
                    {"fingerprint", reader.Text(header.server.fingerprint)},
                    {"cores", reader.Number(cores, 0, 1e6)},
                    {"cpus", reader.Cores(header.server.cpus)},
                    {"memory_bytes", Bytes(reader, bytes)}});
    if (bytes > 0) {
      header.server.memory_bytes = bytes;
    }
  };
  const auto read_tenant = [&](const YamlNode& item) {
    CampaignTenant tenant;
    double scale = 1;
    reader.ReadMap(item, "a tenant",
                   {{"name", reader.Text(tenant.name)},
                    {"memory_bytes", Bytes(reader, tenant.memory_bytes)},
                    {"cores", reader.Number(tenant.cores, 0, 1e6)},
                    {"scale", reader.Number(scale, 1, 1e6)}});
    tenant.scale = static_cast<int>(scale);
    header.tenants.push_back(std::move(tenant));
  };
  reader.ReadMap(*root, "a campaign",
                 {{"version", reader.Number(version, 1, 1)},
                  {"server", read_server},
                  {"seed", reader.Number(seed, 0, 0x1p53)},
                  {"tenants", reader.Each(read_tenant)}});
  header.seed = static_cast<uint64_t>(seed);
  if (header.server.name.empty() || header.server.cpus.empty()) {
    reader.Refuse(*root, "a campaign needs its server, with name and cpus");
  }
  if (reader.problem()) {
    return *reader.problem();
  }
  return header;
}

}  // namespace edgewise::tenants
