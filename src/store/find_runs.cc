// The part of Store that finds Runs and their documents.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "store/run_json.h"
#include "store/run_names.h"
#include "store/store_state.h"

namespace edgewise {
namespace {

constexpr std::string_view kColumns =
    "SELECT id, state, started_utc_ns, label, run_group, document FROM run ";
// In the order of storing: rows only grow, while the start of an import is as
// old as its data.
constexpr std::string_view kNewestFirst = " ORDER BY row DESC ";
constexpr size_t kShortestPrefix = 3;
constexpr size_t kIdDigits = 12;

// One Run from a row of kColumns. A damaged document must not hide the other
// Runs: what the columns know is told, with a warning.
Run RunFromRow(const Statement& row) {
  const std::string_view id = row.Text(0);
  auto run = RunFromJson(row.Text(5));
  Run known;
  if (run) {
    known = std::move(*run);
  } else {
    known.label = row.Text(3);
    known.group = row.Text(4);
    known.warnings.push_back(
        "the store's document of this Run is damaged, "
        "most of it is lost");
  }
  known.id = id;
  known.state = RunStateFromName(row.Text(1));
  known.started_utc_ns = row.Int(2);
  return known;
}

Result<std::vector<Run>> Collect(Statement& query) {
  std::vector<Run> runs;
  while (true) {
    auto row = query.Step();
    if (!row) {
      return row.error();
    }
    if (!*row) {
      return runs;
    }
    runs.push_back(RunFromRow(query));
  }
}

// N of "last~N", 0 of "last"; nullopt for anything else.
std::optional<int64_t> StepsBack(std::string_view reference) {
  constexpr std::string_view kLast = "last";
  if (!reference.starts_with(kLast)) {
    return std::nullopt;
  }
  reference.remove_prefix(kLast.size());
  if (reference.empty()) {
    return 0;
  }
  if (reference.front() != '~') {
    return std::nullopt;
  }
  const auto steps = ParseInt(reference.substr(1));
  return steps && *steps >= 0 ? steps : std::nullopt;
}

bool IsHex(std::string_view text) {
  return text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

}  // namespace

Result<std::vector<Run>> Store::List(const ListFilter& filter) const {
  auto query = state_->database->Prepare(fmt::format(
      "{} WHERE (?1 = '' OR label = ?1) AND (?2 = '' OR instr(command, ?2) > "
      "0) AND (?3 = '' OR run_group = ?3) {} LIMIT ?4",
      kColumns, kNewestFirst));
  if (!query) {
    return query.error();
  }
  query->BindText(1, filter.label)
      .BindText(2, filter.command_has)
      .BindText(3, filter.group)
      .BindInt(4, filter.limit > 0 ? filter.limit : -1);
  return Collect(*query);
}

Result<Run> Store::Find(std::string_view reference) const {
  if (const auto steps = StepsBack(reference)) {
    auto query = state_->database->Prepare(
        fmt::format("{} {} LIMIT 1 OFFSET ?1", kColumns, kNewestFirst));
    if (!query) {
      return query.error();
    }
    query->BindInt(1, *steps);
    auto runs = Collect(*query);
    if (!runs) {
      return runs.error();
    }
    if (runs->empty()) {
      return Error{ErrorCode::kNotFound,
                   *steps == 0
                       ? fmt::format("there are no Runs in {} yet; make one "
                                     "with `edgewise run -- COMMAND`",
                                     state_->home.string())
                       : fmt::format("there is no Run '{}': the store {} has "
                                     "fewer; see `edgewise list`",
                                     reference, state_->home.string())};
    }
    return std::move(runs->front());
  }
  if (IsHex(reference) && reference.size() >= kShortestPrefix &&
      reference.size() <= kIdDigits) {
    auto query = state_->database->Prepare(fmt::format(
        "{} WHERE id >= ?1 AND id < ?2 {} LIMIT 4", kColumns, kNewestFirst));
    if (!query) {
      return query.error();
    }
    const std::string beyond = std::string(reference) + "g";
    query->BindText(1, reference).BindText(2, beyond);
    auto runs = Collect(*query);
    if (!runs) {
      return runs.error();
    }
    if (runs->size() == 1) {
      return std::move(runs->front());
    }
    if (runs->size() > 1) {
      std::vector<std::string> ids;
      for (const Run& run : *runs) {
        ids.push_back(run.id);
      }
      return Error{ErrorCode::kInvalid,
                   fmt::format("'{}' fits several Runs ({}{}); give more "
                               "digits",
                               reference, Join(ids, ", "),
                               ids.size() == 4 ? ", ..." : "")};
    }
  }
  auto query = state_->database->Prepare(
      fmt::format("{} WHERE label = ?1 AND label != '' {} LIMIT 1", kColumns,
                  kNewestFirst));
  if (!query) {
    return query.error();
  }
  query->BindText(1, reference);
  auto runs = Collect(*query);
  if (!runs) {
    return runs.error();
  }
  if (!runs->empty()) {
    return std::move(runs->front());
  }
  return Error{ErrorCode::kNotFound,
               fmt::format("there is no Run '{}' in {}; give an id (at least "
                           "{} digits), a label, or 'last'; see `edgewise "
                           "list`",
                           reference, state_->home.string(), kShortestPrefix)};
}

Result<int64_t> Store::State::RowOf(const std::string& run_id) const {
  auto query = database->Prepare("SELECT row FROM run WHERE id = ?1");
  if (!query) {
    return query.error();
  }
  query->BindText(1, run_id);
  auto row = query->Step();
  if (!row) {
    return row.error();
  }
  if (!*row) {
    return Error{ErrorCode::kNotFound,
                 fmt::format("there is no Run '{}' in {}; see `edgewise list`",
                             run_id, home.string())};
  }
  return query->Int(0);
}

}  // namespace edgewise
