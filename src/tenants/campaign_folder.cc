#include "tenants/campaign_folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "base/text.h"
#include "base/unique_fd.h"
#include "base/write_all.h"
#include "tenants/csv_rows.h"

namespace edgewise::tenants {
namespace {

namespace fs = std::filesystem;

constexpr char kHeaderFile[] = "campaign.yaml";
constexpr char kDeployments[] = "deployments.csv";
constexpr char kTimes[] = "times.csv";
constexpr char kRequests[] = "requests";
constexpr std::string_view kSpentColumns = "deployment,mode,elapsed_s";

Error CannotWrite(const fs::path& path, int error_number) {
  return {ErrorCodeFromErrno(error_number),
          path.string() + " cannot be written: " + ErrnoText(error_number)};
}

Spent TakeSpent(LineReader& line) {
  Spent spent;
  line.TakeAll(&spent.deployment, &spent.mode, &spent.elapsed_s);
  return spent;
}

// Appends after the last whole line: half a one was cut off by a crash. A new
// file gets its header first.
Result<void> Append(const fs::path& path, std::string_view header,
                    const std::string& lines) {
  constexpr mode_t kMode = 0644;
  const std::string before = TryReadFile(path).value_or("");
  const size_t whole = before.rfind('\n') + 1;  // npos + 1 is 0
  const UniqueFd fd(
      ::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, kMode));
  if (!fd.valid() || ::ftruncate(fd.get(), static_cast<off_t>(whole)) != 0 ||
      ::lseek(fd.get(), 0, SEEK_END) < 0) {
    return CannotWrite(path, errno);
  }
  const std::string text = (whole == 0 ? std::string(header) : "") + lines;
  if (const int failed = WriteAll(fd.get(), text); failed != 0) {
    return CannotWrite(path, failed);
  }
  return ::fsync(fd.get()) == 0 ? Result<void>() : CannotWrite(path, errno);
}

template <typename T, typename Reader>
Result<std::vector<T>> ReadIfThere(const fs::path& path, Reader read) {
  const auto text = TryReadFile(path);
  return text && !text->empty() ? read(*text, path.string())
                                : Result<std::vector<T>>(std::vector<T>{});
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
  if (there.server.fingerprint != asked.server.fingerprint ||
      there.server.cpus.size() != asked.server.cpus.size()) {
    return refuse("of another machine or other cores");
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

}  // namespace

Result<Campaign> ReadCampaign(const fs::path& folder) {
  const auto text = TryReadFile(folder / kHeaderFile);
  if (!text) {
    return Error{ErrorCode::kNotFound,
                 folder.string() +
                     " holds no campaign: edgewise contend random --tenants "
                     "nine --out " +
                     folder.string() + " makes one"};
  }
  Campaign campaign;
  auto header = ReadCampaignHeader(*text, (folder / kHeaderFile).string());
  if (!header) {
    return header.error();
  }
  campaign.header = std::move(*header);
  auto rows = ReadIfThere<Measured>(folder / kDeployments, ReadMeasured);
  if (!rows) {
    return rows.error();
  }
  campaign.rows = std::move(*rows);
  auto spent = ReadIfThere<Spent>(
      folder / kTimes, [](std::string_view csv, const std::string& origin) {
        return ReadRows<Spent>(csv, origin, kSpentColumns, TakeSpent);
      });
  if (!spent) {
    return spent.error();
  }
  campaign.spent = std::move(*spent);
  return campaign;
}

Result<CampaignWriter> CampaignWriter::Open(const fs::path& folder,
                                            const CampaignHeader& header) {
  std::error_code failed;
  fs::create_directories(folder / kRequests, failed);
  if (failed) {
    return Error{ErrorCode::kIo,
                 folder.string() + " cannot be made: " + failed.message()};
  }
  Campaign campaign;
  auto there = ReadCampaign(folder);
  if (there) {
    if (Result<void> same = CheckSame(there->header, header, folder); !same) {
      return same.error();
    }
    campaign = std::move(*there);
  } else if (there.error().code != ErrorCode::kNotFound) {
    return there.error();
  } else {
    campaign.header = header;
    campaign.header.tenants.clear();
  }
  for (const CampaignTenant& tenant : header.tenants) {
    auto& known = campaign.header.tenants;
    if (std::find(known.begin(), known.end(), tenant) == known.end()) {
      known.push_back(tenant);
    }
  }
  if (Result<void> written =
          WriteFile(folder / kHeaderFile, WriteCampaignHeader(campaign.header));
      !written) {
    return written.error();
  }
  return CampaignWriter(folder, std::move(campaign));
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
          Append(folder_ / kDeployments, MeasuredHeader(), rows);
      !written) {
    return written;
  }
  campaign_.rows.insert(campaign_.rows.end(), measured.rows.begin(),
                        measured.rows.end());
  campaign_.spent.push_back(spent);
  return Append(folder_ / kTimes, std::string(kSpentColumns) + "\n",
                fmt::format("{},{},{:.3f}\n", spent.deployment,
                            KindName(spent.mode), spent.elapsed_s));
}

}  // namespace edgewise::tenants
