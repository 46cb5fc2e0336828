#include "tenants/campaign_folder.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/file_lock.h"
#include "base/text.h"
#include "base/units.h"
#include "tenants/campaign_files.h"
#include "tenants/csv_rows.h"

namespace edgewise::tenants {
namespace {

namespace fs = std::filesystem;

constexpr char kHeaderFile[] = "campaign.yaml";
constexpr char kDeployments[] = "deployments.csv";
constexpr char kTimes[] = "times.csv";
constexpr char kRequests[] = "requests";
constexpr char kLock[] = "lock";
constexpr std::string_view kSpentColumns = "deployment,mode,elapsed_s";

Spent TakeSpent(LineReader& line) {
  Spent spent;
  line.TakeAll(&spent.deployment, &spent.mode, &spent.elapsed_s);
  return spent;
}

template <typename T, typename Reader>
Result<std::vector<T>> ReadIfThere(const fs::path& path, Reader read) {
  const auto text = TryReadFile(path);
  return text && !text->empty() ? read(*text, path.string())
                                : Result<std::vector<T>>(std::vector<T>{});
}

std::string ServerText(const Server& server) {
  return fmt::format(
      "a server with cores {} and {}", FormatCpuList(server.cpus),
      server.memory_bytes
          ? FormatBytes(static_cast<double>(*server.memory_bytes)) +
                " of memory"
          : "no limit of memory");
}

Result<void> CheckSame(const CampaignHeader& there, const CampaignHeader& asked,
                       const fs::path& folder) {
  const auto refuse = [&folder](const std::string& why) {
    return Error{ErrorCode::kInvalid, folder.string() + " holds a campaign " +
                                          why + ": choose another --out"};
  };
  if (there.server.name != asked.server.name) {
    return refuse("of server " + there.server.name);
  }
  const Server& server = there.server;
  if (server.cpus != asked.server.cpus ||
      server.memory_bytes != asked.server.memory_bytes) {
    return refuse("of " + ServerText(server));
  }
  // Folders of old have the machine's alone.
  if (server.fingerprint != asked.server.fingerprint &&
      !asked.server.fingerprint.starts_with(server.fingerprint + ":")) {
    return refuse("of another machine");
  }
  for (const CampaignTenant& tenant : asked.tenants) {
    const auto same = std::find_if(
        there.tenants.begin(), there.tenants.end(),
        [&](const CampaignTenant& one) { return one.name == tenant.name; });
    if (same != there.tenants.end() && !(*same == tenant)) {
      return refuse("in which " + tenant.name +
                    " has another memory, cores or scale");
    }
  }
  return {};
}

// All of deployments.csv and times.csv.
struct Contents {
  std::vector<Measured> rows;
  std::vector<Spent> spent;
  std::string half;  // the deployment at the end that is not whole; or empty
};

Result<Contents> ReadContents(const fs::path& folder) {
  Contents contents;
  auto rows = ReadIfThere<Measured>(folder / kDeployments, ReadMeasured);
  if (!rows) {
    return rows.error();
  }
  contents.rows = std::move(*rows);
  auto spent = ReadIfThere<Spent>(
      folder / kTimes, [](std::string_view csv, const std::string& origin) {
        return ReadRows<Spent>(csv, origin, kSpentColumns, TakeSpent);
      });
  if (!spent) {
    return spent.error();
  }
  contents.spent = std::move(*spent);
  std::error_code ignored;
  if (contents.rows.empty() || !fs::exists(folder / kTimes, ignored)) {
    return contents;
  }
  const std::string last = contents.rows.back().deployment;
  if (std::none_of(
          contents.spent.begin(), contents.spent.end(),
          [&last](const Spent& one) { return one.deployment == last; })) {
    contents.half = last;
    while (!contents.rows.empty() && contents.rows.back().deployment == last) {
      contents.rows.pop_back();
    }
  }
  return contents;
}

Error NoCampaign(const fs::path& folder) {
  return {ErrorCode::kNotFound,
          folder.string() +
              " holds no campaign: edgewise contend random --tenants nine "
              "--out " +
              folder.string() + " makes one"};
}

// The header; kNotFound where there is none, or nothing in it.
Result<CampaignHeader> ReadHeader(const fs::path& folder) {
  const auto text = TryReadFile(folder / kHeaderFile);
  if (!text || Trim(*text).empty()) {
    return NoCampaign(folder);
  }
  return ReadCampaignHeader(*text, (folder / kHeaderFile).string());
}

// The header of what is there and of what is asked for, and the rows.
Result<Campaign> Merge(const fs::path& folder, const CampaignHeader& asked,
                       Contents contents) {
  Campaign campaign;
  auto there = ReadHeader(folder);
  if (there) {
    if (Result<void> same = CheckSame(*there, asked, folder); !same) {
      return same.error();
    }
    campaign.header = std::move(*there);
  } else if (there.error().code != ErrorCode::kNotFound) {
    return there.error();
  } else if (!contents.rows.empty()) {
    return Error{ErrorCode::kInvalid,
                 (folder / kHeaderFile).string() +
                     " is missing or empty, but there are rows beside it: "
                     "write it again as docs/formats/campaign.md shows, or "
                     "choose another --out"};
  } else {
    campaign.header = asked;
    campaign.header.tenants.clear();
  }
  for (const CampaignTenant& tenant : asked.tenants) {
    auto& known = campaign.header.tenants;
    if (std::find(known.begin(), known.end(), tenant) == known.end()) {
      known.push_back(tenant);
    }
  }
  campaign.rows = std::move(contents.rows);
  campaign.spent = std::move(contents.spent);
  return campaign;
}

std::string SpentHeader() { return std::string(kSpentColumns) + "\n"; }

// What a crash left is taken away, and what readers tell it by is there.
Result<void> MakeWhole(const fs::path& folder, const Campaign& campaign,
                       const std::string& half) {
  const std::string header = WriteCampaignHeader(campaign.header);
  if (TryReadFile(folder / kHeaderFile) != header) {
    if (Result<void> written = ReplaceFile(folder / kHeaderFile, header);
        !written) {
      return written;
    }
  }
  if (!half.empty()) {
    if (Result<void> cut = CutFromLine(folder / kDeployments, half + ",");
        !cut) {
      return cut;
    }
  }
  return campaign.rows.empty() ? AppendLines(folder / kTimes, SpentHeader(), "")
                               : Result<void>();
}

}  // namespace

Result<std::vector<Measured>> ReadDeployments(const fs::path& folder) {
  auto contents = ReadContents(folder);
  return contents ? Result<std::vector<Measured>>(std::move(contents->rows))
                  : contents.error();
}

Result<Campaign> ReadCampaign(const fs::path& folder) {
  auto header = ReadHeader(folder);
  if (!header) {
    return header.error();
  }
  auto contents = ReadContents(folder);
  if (!contents) {
    return contents.error();
  }
  return Campaign{std::move(*header), std::move(contents->rows),
                  std::move(contents->spent)};
}

Result<CampaignWriter> CampaignWriter::Open(const fs::path& folder,
                                            const CampaignHeader& header) {
  std::error_code failed;
  fs::create_directories(folder / kRequests, failed);
  if (failed) {
    return Error{ErrorCode::kIo,
                 folder.string() + " cannot be made: " + failed.message()};
  }
  auto lock = HoldFile(folder / kLock);
  if (!lock) {
    return lock.error().code != ErrorCode::kBusy
               ? lock.error()
               : Error{ErrorCode::kBusy,
                       "another command is writing to " + folder.string() +
                           ": let it end, or choose another --out"};
  }
  auto contents = ReadContents(folder);
  if (!contents) {
    return contents.error();
  }
  const std::string half = contents->half;
  auto campaign = Merge(folder, header, std::move(*contents));
  if (!campaign) {
    return campaign.error();
  }
  if (Result<void> whole = MakeWhole(folder, *campaign, half); !whole) {
    return whole.error();
  }
  return CampaignWriter(std::move(*lock), folder, std::move(*campaign));
}

Result<void> CampaignWriter::Add(const DeploymentMeasured& measured,
                                 const Spent& spent) {
  std::string requests = RequestsHeader();
  for (const RequestRow& row : measured.requests) {
    requests += RequestLine(row);
  }
  if (Result<void> written = WriteFile(
          folder_ / kRequests / (spent.deployment + ".csv"), requests);
      !written) {
    return written;
  }
  std::string rows;
  for (const Measured& row : measured.rows) {
    rows += MeasuredLine(row);
  }
  if (Result<void> written =
          AppendLines(folder_ / kDeployments, MeasuredHeader(), rows);
      !written) {
    return written;
  }
  campaign_.rows.insert(campaign_.rows.end(), measured.rows.begin(),
                        measured.rows.end());
  return AddSpent(spent);
}

Result<void> CampaignWriter::AddFailed(const Spent& spent) {
  return AddSpent(spent);
}

Result<void> CampaignWriter::AddSpent(const Spent& spent) {
  campaign_.spent.push_back(spent);
  return AppendLines(folder_ / kTimes, SpentHeader(),
                     fmt::format("{},{},{:.3f}\n", spent.deployment,
                                 KindName(spent.mode), spent.elapsed_s));
}

}  // namespace edgewise::tenants
