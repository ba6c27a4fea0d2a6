#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/errors/error.h"
#include "base/tables/table.h"
#include "records/json/record_grammar.h"
#include "records/record/benchmark_record.h"
#include "records/record/tuning_record.h"

/// Formats of records. A format is one file, `src/records/formats/<x>_codec.cpp`, that defines
/// `CodecDef <x>_codec()`: CMake finds it by its name, and with it `opbench records` reads (and,
/// if it can encode, writes) the format; nothing else is edited.
namespace opbench {

using AnyRecord = std::variant<TuningRecord, BenchmarkRecord>;

/// What a reader met next: a record, or a place that should have given one, with what is wrong
/// there. Comments and blank lines are passed over.
struct ReadItem {
  std::optional<AnyRecord> record;  ///< none: the issues hold an error
  std::vector<RecordIssue> issues;
  int64_t line = 0;         ///< of its begin; 1 is the first; in binary formats the record's number
  std::string_view text;    ///< as the file has it, without newline, until the next call; or empty
  bool is_of_file = false;  ///< the issues concern the file: this is none of its records
  std::optional<int64_t> torn_at;  ///< bytes of the file before a last record that has no end
};

/// Reads one file from its begin, in memory that does not depend on its size.
class RecordReader {
 public:
  virtual ~RecordReader() = default;
  /// The next item, nothing at the end. `kSystem` when reading fails. What the content lacks is an
  /// issue, after which reading goes on.
  virtual Result<std::optional<ReadItem>> next() = 0;
};

/// What a format is recognised by.
struct FileHead {
  std::string path;
  bool is_folder = false;
  std::string_view bytes;  ///< the first 64 KiB, less if the file has less; empty for a folder
};

struct CodecDef {
  std::string name;     ///< autotvm, ansor, …: what `--to` takes and reports print
  std::string summary;  ///< one line for lists
  /// Whether the content is of this format, also when some of its lines are bad. Cheap. At most one
  /// codec may say yes.
  bool (*recognises)(const FileHead& head) = nullptr;
  /// `kInvalidInput` if the file cannot be opened, or its format can be named but not read.
  Result<std::unique_ptr<RecordReader>> (*open)(const std::string& path) = nullptr;
  /// The bytes of one record, its newline or length included. `kInvalidInput` for a record that the
  /// format has no form for. Null: the format is only read.
  Result<std::string> (*encode)(const AnyRecord& record) = nullptr;
  /// The same with what only readers of the draft of tuning_record.proto need besides. Null: there
  /// is no such form.
  Result<std::string> (*encode_for_seed)(const AnyRecord& record) = nullptr;
  std::string file_begin = {};  ///< what a written file begins with
  /// What every written record begins with. With neither of the two the format is no tuner's log,
  /// to which trials are appended.
  std::string record_begin = {};
};

/// Every format, from the files `<x>_codec.cpp`.
const Table<CodecDef>& codec_table();

/// An opened file. Without records (empty, nothing but comments and blank lines) it has neither
/// codec nor reader.
struct RecordFile {
  const CodecDef* codec = nullptr;
  std::unique_ptr<RecordReader> reader;
};

/// Opens a file or folder in whatever format its content has. `kInvalidInput`: it cannot be read,
/// or no codec recognises it (with the known formats, or what it is if that can be said).
Result<RecordFile> open_records(const std::string& path);

}  // namespace opbench
