// What the files that implement Store share. Private to this room.
#ifndef EDGEWISE_STORE_STORE_STATE_H_
#define EDGEWISE_STORE_STORE_STATE_H_

#include <cstdint>
#include <filesystem>
#include <memory>

#include "store/database.h"
#include "store/owner.h"
#include "store/store.h"

namespace edgewise {

// Ids of series: see schema.cc.
inline constexpr int kSeriesBits = 20;
constexpr int64_t FirstSeriesOf(int64_t run_row) {
  return run_row << kSeriesBits;
}

struct Store::State {
  std::filesystem::path home;
  std::unique_ptr<Database> database;
  Owner self;

  // Bytes of the database file and its write-ahead log.
  int64_t BytesOnDisk() const;
  // Removes a Run and all its records; call it inside a transaction.
  Result<void> RemoveRow(int64_t run_row);
  // The row of a Run; kNotFound if there is none.
  Result<int64_t> RowOf(const std::string& run_id) const;
};

}  // namespace edgewise

#endif  // EDGEWISE_STORE_STORE_STATE_H_
