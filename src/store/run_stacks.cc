// The part of Store that keeps call stacks.
#include "store/run_stacks.h"

#include "stacks/encode.h"
#include "store/store_state.h"

namespace edgewise {

Result<void> WriteStacks(const Database& database, int64_t run_row,
                         std::string_view encoded) {
  auto insert = database.Prepare(
      "INSERT OR REPLACE INTO stacks(run, data) VALUES(?1, ?2)");
  if (!insert) {
    return insert.error();
  }
  return insert->BindInt(1, run_row).BindBlob(2, encoded).Execute();
}

Result<void> Store::SetStacks(const std::string& run_id,
                              const stacks::StackProfile& profile) {
  const auto run_row = state_->RowOf(run_id);
  if (!run_row) {
    return run_row.error();
  }
  return WriteStacks(*state_->database, *run_row, stacks::Encode(profile));
}

Result<std::optional<stacks::StackProfile>> Store::StacksOf(
    const std::string& run_id) const {
  const auto run_row = state_->RowOf(run_id);
  if (!run_row) {
    return run_row.error();
  }
  auto query =
      state_->database->Prepare("SELECT data FROM stacks WHERE run = ?1");
  if (!query) {
    return query.error();
  }
  query->BindInt(1, *run_row);
  auto row = query->Step();
  if (!row) {
    return row.error();
  }
  if (!*row) {
    return std::optional<stacks::StackProfile>();
  }
  auto profile = stacks::Decode(query->Blob(0));
  if (!profile) {
    return state_->database->Damaged(profile.error().message);
  }
  return std::optional<stacks::StackProfile>(std::move(*profile));
}

}  // namespace edgewise
