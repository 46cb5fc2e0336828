// Database: the owner of one SQLite connection, and what is needed to use it.
//
// The only file pair that calls SQLite. Errors come back as one sentence that
// names the file and says what to do. Private to this room and to `jobs`, which
// keeps its queue in the same way. Not thread-safe,
// and not to be used in a forked child.
#ifndef EDGEWISE_STORE_DATABASE_H_
#define EDGEWISE_STORE_DATABASE_H_

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"

struct sqlite3;
struct sqlite3_stmt;

namespace edgewise {

// A prepared statement. Text and blobs that are bound must stay alive and
// unchanged until the next Reset or the end of the statement.
class Statement {
 public:
  Statement() = default;

  // Parameters count from 1, as in "?1".
  Statement& BindInt(int index, int64_t value);
  Statement& BindText(int index, std::string_view text);
  Statement& BindBlob(int index, std::string_view bytes);
  Statement& BindNull(int index);

  // True if a row is there, false at the end.
  Result<bool> Step();
  // Steps a statement that gives no rows, and resets it for the next use.
  Result<void> Execute();
  void Reset();

  // Columns of the current row count from 0. Views are valid until the next
  // Step or Reset.
  int64_t Int(int column) const;
  bool IsNull(int column) const;
  std::string_view Text(int column) const;
  std::string_view Blob(int column) const;

 private:
  friend class Database;
  struct Finalize {
    void operator()(sqlite3_stmt* statement) const;
  };
  std::unique_ptr<sqlite3_stmt, Finalize> statement_;
  const class Database* database_ = nullptr;
};

class Database {
 public:
  // How long a call waits for another process's lock, unless told otherwise.
  static constexpr std::chrono::milliseconds kPatience{5000};

  // Opens or creates the file; nothing is read from it yet.
  static Result<std::unique_ptr<Database>> Open(
      const std::filesystem::path& path);
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;
  ~Database();

  // Runs one or more statements that give no rows of interest.
  Result<void> Execute(const std::string& sql);
  Result<Statement> Prepare(std::string_view sql) const;
  // The first column of the only row of a query such as "PRAGMA page_count".
  Result<int64_t> QueryInt(const std::string& sql) const;
  Result<std::string> QueryText(const std::string& sql) const;

  void SetPatience(std::chrono::milliseconds patience);
  int64_t LastInsertRow() const;
  // Rows changed by the last statement.
  int64_t Changes() const;
  // What SQLite last complained about, as an Error.
  Error LastError() const;
  // The message for a damaged store; `detail` says what was seen.
  Error Damaged(std::string_view detail) const;

  const std::filesystem::path& path() const { return path_; }

 private:
  friend class Transaction;
  Database(sqlite3* handle, std::filesystem::path path);
  sqlite3* handle_;
  std::filesystem::path path_;
};

// A write transaction; undone at the end of its life unless committed.
class Transaction {
 public:
  // Takes the write lock at once, so that a later statement cannot find it
  // held by somebody else.
  static Result<Transaction> Begin(Database& database);
  Transaction(Transaction&& other) noexcept;
  Transaction& operator=(Transaction&&) = delete;
  ~Transaction();

  Result<void> Commit();

 private:
  explicit Transaction(Database* database) : database_(database) {}
  Database* database_;
};

}  // namespace edgewise

#endif  // EDGEWISE_STORE_DATABASE_H_
