// The part of Store that completes documents of Runs.
#include "store/database.h"
#include "store/run_json.h"
#include "store/store.h"
#include "store/store_state.h"

namespace edgewise {

Result<void> Store::SetDetails(
    const std::string& run_id,
    const std::map<std::string, std::string>& details) {
  auto run = Find(run_id);
  if (!run) {
    return run.error();
  }
  const auto row = state_->RowOf(run->id);
  if (!row) {
    return row.error();
  }
  run->details = details;
  const std::string document = RunToJson(*run);
  auto update =
      state_->database->Prepare("UPDATE run SET document = ?2 WHERE row = ?1");
  if (!update) {
    return update.error();
  }
  return update->BindInt(1, *row).BindText(2, document).Execute();
}

}  // namespace edgewise
