// `edgewise data`: datasets brought here, and the cache that they are kept in.
#include <CLI/CLI.hpp>
#include <memory>

#include "base/clock.h"
#include "base/units.h"
#include "cli/progress.h"
#include "cli/verbs.h"
#include "datasets/cache.h"
#include "datasets/dataset.h"
#include "report/json_writer.h"
#include "report/table.h"
#include "sessions/signal_guard.h"

namespace edgewise::cli {
namespace {

std::string Size(int64_t files, int64_t bytes) {
  return FormatCount(files, "file") + ", " +
         FormatBytes(static_cast<double>(bytes));
}

std::string DatasetJson(const Dataset& dataset) {
  JsonObject json;
  json.AddString("source", dataset.source)
      .AddString("folder", dataset.folder.string())
      .AddString("digest", dataset.digest);
  if (dataset.file_sha256) {
    json.AddString("file_sha256", *dataset.file_sha256);
  } else {
    json.Add("file_sha256", "null");
  }
  json.AddInt("bytes", dataset.bytes)
      .AddInt("files", dataset.files)
      .Add("from_cache", dataset.from_cache ? "true" : "false")
      .AddString("note", dataset.note);
  return json.text() + "\n";
}

std::string DatasetText(const Dataset& dataset) {
  std::string text = dataset.source + ": " +
                     Size(dataset.files, dataset.bytes) +
                     (dataset.from_cache ? ", nothing had to be fetched or "
                                           "read"
                                         : "") +
                     "\n";
  text += "  folder  " + dataset.folder.string() + "\n";
  text += "  digest  " + dataset.digest + "\n";
  if (dataset.file_sha256) {
    text += "  sha256  " + *dataset.file_sha256 + " (of the file)\n";
  }
  text += "In an app file, so that it stays what it is:\n  data: {source: \"" +
          dataset.source +
          "\", sha256: " + dataset.file_sha256.value_or(dataset.digest) + "}\n";
  return text;
}

struct GetOptions {
  std::string source;
  std::string sha256;
  bool json = false;
};

int Get(const GetOptions& options) {
  const auto settings = DefaultDatasetSettings();
  if (!settings) {
    return Fail(settings.error());
  }
  DatasetSource source{options.source, std::nullopt};
  if (!options.sha256.empty()) {
    source.sha256 = options.sha256;
  }
  SignalGuard signals;
  ProgressLine line(true);
  bool cancelled = false;
  const auto dataset =
      GetDataset(source, *settings, [&](const DatasetProgress& progress) {
        line.Show(DatasetProgressText(progress));
        cancelled = cancelled || signals.Next().has_value();
        return !cancelled;
      });
  line.Clear();
  if (!dataset && cancelled) {
    PrintError("cancelled; what was fetched is kept and continued next time");
    return kExitCancelled;
  }
  if (!dataset) {
    return Fail(dataset.error());
  }
  if (!dataset->note.empty()) {
    PrintError(dataset->note);
  }
  Print(options.json ? DatasetJson(*dataset) : DatasetText(*dataset));
  return kExitDone;
}

std::string ListJson(const DatasetCache& cache) {
  JsonArray datasets;
  int64_t bytes = 0;
  for (const CachedDataset& dataset : cache.List()) {
    bytes += dataset.bytes;
    datasets.Add(JsonObject()
                     .AddString("digest", dataset.digest)
                     .AddString("source", dataset.source)
                     .AddString("folder", dataset.folder.string())
                     .AddInt("bytes", dataset.bytes)
                     .AddInt("files", dataset.files)
                     .AddString("used", FormatUtc(dataset.used_utc_ns))
                     .Add("in_use", dataset.in_use ? "true" : "false")
                     .text());
  }
  return JsonObject()
             .AddString("folder", cache.folder().string())
             .AddInt("bytes", bytes)
             .AddInt("partial_bytes", cache.PartialBytes())
             .Add("datasets", datasets.text())
             .text() +
         "\n";
}

std::string ListText(const DatasetCache& cache, int64_t limit_bytes) {
  Table table;
  table.columns = {{"digest", false},
                   {"size", true},
                   {"files", true},
                   {"last used", false},
                   {"source", false, /*elastic=*/true}};
  int64_t bytes = 0;
  for (const CachedDataset& dataset : cache.List()) {
    bytes += dataset.bytes;
    table.rows.push_back(
        {{dataset.digest.substr(0, 12), Tone::kStrong},
         {FormatBytes(static_cast<double>(dataset.bytes))},
         {FormatCount(dataset.files)},
         {dataset.in_use ? "now" : FormatUtc(dataset.used_utc_ns)},
         {dataset.source}});
  }
  std::string text = TextTable(table, StyleFor(STDOUT_FILENO));
  text += FormatCount(static_cast<int64_t>(table.rows.size()), "dataset") +
          ", " + FormatBytes(static_cast<double>(bytes)) + " of at most " +
          FormatBytes(static_cast<double>(limit_bytes)) + " in " +
          cache.folder().string() + "\n";
  if (const int64_t partial = cache.PartialBytes(); partial > 0) {
    text += "and " + FormatBytes(static_cast<double>(partial)) +
            " that was fetched in part: getting it again continues it\n";
  }
  return text;
}

int List(bool json) {
  const auto settings = DefaultDatasetSettings();
  if (!settings) {
    return Fail(settings.error());
  }
  const auto cache = DatasetCache::Open(settings->cache_folder);
  if (!cache) {
    return Fail(cache.error());
  }
  Print(json ? ListJson(*cache) : ListText(*cache, settings->max_cache_bytes));
  return kExitDone;
}

struct PruneOptions {
  std::string keep;
  bool json = false;
};

int Prune(const PruneOptions& options) {
  int64_t keep_bytes = 0;
  if (!options.keep.empty()) {
    const auto bytes = ParseBytes(options.keep);
    if (!bytes) {
      return Fail(
          Error{ErrorCode::kInvalid, "--keep: " + bytes.error().message});
    }
    keep_bytes = *bytes;
  }
  const auto cache = DatasetCache::Open(DefaultDatasetCache());
  if (!cache) {
    return Fail(cache.error());
  }
  const DatasetCache::Pruned pruned =
      cache->Prune(keep_bytes, /*partial=*/true);
  if (options.json) {
    Print(JsonObject()
              .AddInt("removed_datasets", pruned.datasets)
              .AddInt("removed_bytes", pruned.bytes)
              .AddInt("left_bytes", pruned.left_bytes)
              .text() +
          "\n");
    return kExitDone;
  }
  Print("removed " + FormatCount(pruned.datasets, "dataset") + ", " +
        FormatBytes(static_cast<double>(pruned.bytes)) + "; " +
        FormatBytes(static_cast<double>(pruned.left_bytes)) + " are left in " +
        cache->folder().string() + "\n");
  return kExitDone;
}

void AddGet(CLI::App& data, Context& context) {
  CLI::App* verb = data.add_subcommand(
      "get", "Bring a dataset here, and say what its digest is");
  auto options = std::make_shared<GetOptions>();
  verb->add_option("SOURCE", options->source,
                   "Folder, tar or zip archive, http(s)://… or "
                   "s3://BUCKET/PREFIX")
      ->required();
  verb->add_option("--sha256", options->sha256,
                   "Refuse it unless this is the checksum of the file, or the "
                   "dataset's digest")
      ->type_name("HEX");
  verb->add_flag("--json", options->json, "Print JSON alone on stdout");
  verb->callback([options, &context] { context.exit_code = Get(*options); });
}

void AddDataList(CLI::App& data, Context& context) {
  CLI::App* verb =
      data.add_subcommand("list", "List what is in the cache, last used first");
  auto json = std::make_shared<bool>(false);
  verb->add_flag("--json", *json, "Print JSON alone on stdout");
  verb->callback([json, &context] { context.exit_code = List(*json); });
}

void AddPrune(CLI::App& data, Context& context) {
  CLI::App* verb = data.add_subcommand(
      "prune", "Remove from the cache what was not used for longest");
  auto options = std::make_shared<PruneOptions>();
  verb->add_option("--keep", options->keep,
                   "As much may stay, e.g. 10GiB (default: only what is in "
                   "use)")
      ->type_name("SIZE");
  verb->add_flag("--json", options->json, "Print JSON alone on stdout");
  verb->callback([options, &context] { context.exit_code = Prune(*options); });
}

}  // namespace

void AddData(CLI::App& root, Context& context) {
  CLI::App* verb = root.add_subcommand(
      "data", "Get datasets, and see and prune the cache of them");
  verb->require_subcommand(1);
  AddGet(*verb, context);
  AddDataList(*verb, context);
  AddPrune(*verb, context);
  for (CLI::App* inner : verb->get_subcommands({})) {
    inner->fallthrough();
  }
  verb->footer(
      "Datasets are kept in $XDG_CACHE_HOME/edgewise/datasets, at most "
      "$EDGEWISE_DATA_LIMIT\n(default 20GiB) of them.\n"
      "Examples:\n"
      "  edgewise data get https://example.org/street.tar.gz --sha256 9f86d0…\n"
      "  edgewise data get s3://lab-data/street/2026\n"
      "  edgewise data prune --keep 10GiB");
}

}  // namespace edgewise::cli
