#include "store/database.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <utility>

namespace edgewise {

void Statement::Finalize::operator()(sqlite3_stmt* statement) const {
  sqlite3_finalize(statement);
}

Statement& Statement::BindInt(int index, int64_t value) {
  sqlite3_bind_int64(statement_.get(), index, value);
  return *this;
}

Statement& Statement::BindText(int index, std::string_view text) {
  // SQLite takes a null pointer for NULL, not for the empty text.
  sqlite3_bind_text64(statement_.get(), index, text.empty() ? "" : text.data(),
                      text.size(), SQLITE_STATIC, SQLITE_UTF8);
  return *this;
}

Statement& Statement::BindBlob(int index, std::string_view bytes) {
  sqlite3_bind_blob64(statement_.get(), index,
                      bytes.empty() ? "" : bytes.data(), bytes.size(),
                      SQLITE_STATIC);
  return *this;
}

Statement& Statement::BindNull(int index) {
  sqlite3_bind_null(statement_.get(), index);
  return *this;
}

Result<bool> Statement::Step() {
  const int code = sqlite3_step(statement_.get());
  if (code == SQLITE_ROW) {
    return true;
  }
  if (code == SQLITE_DONE) {
    return false;
  }
  Error error = database_->LastError();
  Reset();
  return error;
}

Result<void> Statement::Execute() {
  if (auto stepped = Step(); !stepped) {
    return stepped.error();
  }
  Reset();
  return {};
}

void Statement::Reset() {
  sqlite3_reset(statement_.get());
  sqlite3_clear_bindings(statement_.get());
}

int64_t Statement::Int(int column) const {
  return sqlite3_column_int64(statement_.get(), column);
}

bool Statement::IsNull(int column) const {
  return sqlite3_column_type(statement_.get(), column) == SQLITE_NULL;
}

std::string_view Statement::Text(int column) const {
  const auto* text = reinterpret_cast<const char*>(
      sqlite3_column_text(statement_.get(), column));
  if (text == nullptr) {
    return {};
  }
  return {text,
          static_cast<size_t>(sqlite3_column_bytes(statement_.get(), column))};
}

std::string_view Statement::Blob(int column) const {
  const auto* bytes =
      static_cast<const char*>(sqlite3_column_blob(statement_.get(), column));
  if (bytes == nullptr) {
    return {};
  }
  return {bytes,
          static_cast<size_t>(sqlite3_column_bytes(statement_.get(), column))};
}

Result<std::unique_ptr<Database>> Database::Open(
    const std::filesystem::path& path) {
  sqlite3* handle = nullptr;
  const int code =
      sqlite3_open_v2(path.c_str(), &handle,
                      SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, nullptr);
  // A handle is there even after a failure, and carries the reason.
  std::unique_ptr<Database> database(new Database(handle, path));
  if (code != SQLITE_OK) {
    return database->LastError();
  }
  sqlite3_extended_result_codes(handle, 1);
  // The file may come from anybody: no triggers or views that call functions.
  sqlite3_db_config(handle, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  database->SetPatience(kPatience);
  return database;
}

Database::Database(sqlite3* handle, std::filesystem::path path)
    : handle_(handle), path_(std::move(path)) {}

Database::~Database() { sqlite3_close_v2(handle_); }

Result<void> Database::Execute(const std::string& sql) {
  if (sqlite3_exec(handle_, sql.c_str(), nullptr, nullptr, nullptr) !=
      SQLITE_OK) {
    return LastError();
  }
  return {};
}

Result<Statement> Database::Prepare(std::string_view sql) const {
  sqlite3_stmt* raw = nullptr;
  if (sqlite3_prepare_v2(handle_, sql.data(), static_cast<int>(sql.size()),
                         &raw, nullptr) != SQLITE_OK) {
    return LastError();
  }
  Statement statement;
  statement.statement_.reset(raw);
  statement.database_ = this;
  return statement;
}

Result<int64_t> Database::QueryInt(const std::string& sql) const {
  auto statement = Prepare(sql);
  if (!statement) {
    return statement.error();
  }
  auto row = statement->Step();
  if (!row) {
    return row.error();
  }
  return *row ? statement->Int(0) : int64_t{0};
}

Result<std::string> Database::QueryText(const std::string& sql) const {
  auto statement = Prepare(sql);
  if (!statement) {
    return statement.error();
  }
  auto row = statement->Step();
  if (!row) {
    return row.error();
  }
  return *row ? std::string(statement->Text(0)) : std::string();
}

void Database::SetPatience(std::chrono::milliseconds patience) {
  sqlite3_busy_timeout(handle_, static_cast<int>(patience.count()));
}

int64_t Database::LastInsertRow() const {
  return sqlite3_last_insert_rowid(handle_);
}

int64_t Database::Changes() const { return sqlite3_changes64(handle_); }

Error Database::Damaged(std::string_view detail) const {
  return {ErrorCode::kCorrupt,
          fmt::format("the store {0} is damaged ({1}); it was left as it is: "
                      "move it aside (mv '{0}' '{0}.damaged') and edgewise "
                      "makes a new one",
                      path_.string(), detail)};
}

Error Database::LastError() const {
  const int code = sqlite3_errcode(handle_) & 0xFF;  // the primary code
  const int system = sqlite3_system_errno(handle_);
  const std::string detail = sqlite3_errmsg(handle_);
  const std::string path = path_.string();
  if (code == SQLITE_FULL) {
    return {ErrorCode::kIo,
            fmt::format("no space left for the store {}; free some space, run "
                        "`edgewise gc`, or set EDGEWISE_HOME to a folder on "
                        "another disk",
                        path)};
  }
  if (sqlite3_extended_errcode(handle_) == SQLITE_IOERR_WRITE) {
    // SQLite does not hand on whether that was a quota, a limit or the disk.
    return {ErrorCode::kIo,
            fmt::format("writing the store {} failed: no space is left to you "
                        "there, or the disk fails; free some space, or set "
                        "EDGEWISE_HOME to a folder on another disk",
                        path)};
  }
  switch (code) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return {ErrorCode::kBusy,
              fmt::format("the store {} is held by another process; try again "
                          "when that has finished",
                          path)};
    case SQLITE_NOTADB:
    case SQLITE_CORRUPT:
      return Damaged(detail);
    case SQLITE_READONLY:
    case SQLITE_PERM:
    case SQLITE_AUTH:
    case SQLITE_CANTOPEN:
      return {ErrorCode::kPermission,
              fmt::format("cannot open or write the store {} ({}); set "
                          "EDGEWISE_HOME to a folder that you may write",
                          path, system != 0 ? ErrnoText(system) : detail)};
    default:
      return {ErrorCode::kIo,
              fmt::format("the store {} cannot be used: {}{}", path, detail,
                          system != 0 ? " (" + ErrnoText(system) + ")" : "")};
  }
}

Result<Transaction> Transaction::Begin(Database& database) {
  if (auto begun = database.Execute("BEGIN IMMEDIATE"); !begun) {
    return begun.error();
  }
  return Transaction(&database);
}

Transaction::Transaction(Transaction&& other) noexcept
    : database_(std::exchange(other.database_, nullptr)) {}

Transaction::~Transaction() {
  // SQLite undoes by itself after some failures, e.g. a full disk.
  if (database_ != nullptr && sqlite3_get_autocommit(database_->handle_) == 0) {
    sqlite3_exec(database_->handle_, "ROLLBACK", nullptr, nullptr, nullptr);
  }
}

Result<void> Transaction::Commit() {
  if (auto committed = database_->Execute("COMMIT"); !committed) {
    return committed;
  }
  database_ = nullptr;
  return {};
}

}  // namespace edgewise
