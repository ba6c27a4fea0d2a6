#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/json/json.h"
#include "records/formats/codec.h"
#include "records/json/json_values.h"

namespace opbench {

/// Makes benchmark records of another tool's file, in which several values may belong to one
/// record. Memory is bounded: when there are more than 10 000 records under way, the first is
/// given out, and of one record the first 65 536 times are kept.
class ImportReader : public RecordReader {
 public:
  ImportReader(JsonValues values, std::string path);
  /// For content that is no JSON, or more than one file: the reader has a `read_more` of its own.
  explicit ImportReader(std::string path) : path_(std::move(path)) {}
  Result<std::optional<ReadItem>> next() override;

 protected:
  /// A record under way.
  struct Group {
    BenchmarkRecord record;
    std::vector<double> times_ms;
    std::vector<RecordIssue> issues;
    std::map<std::string, std::vector<double>> values;  ///< become metrics, as means
    int64_t line = 0;                                   ///< of its first value
    int64_t dropped_times = 0;
  };
  using Issues = std::vector<RecordIssue>;

  /// Looks at one value of the file: `slice.key` is the member it stands in. Issues are about it
  /// alone.
  virtual void take(const JsonSlice& slice, const Json& value, Issues& issues);
  /// Completes a record whose values have all been seen.
  virtual void finish(Group& group) = 0;

  /// Reads on by one value, line or file; false at the end.
  virtual Result<bool> read_more();
  /// Issues of one place of the file, of which no record comes. Nothing for none.
  void report(int64_t line, Issues issues);
  /// Names Python's NaN and Infinity, which are no JSON, by words (number_or_word reads them).
  void accept_python_numbers() { has_python_numbers_ = true; }

  /// The record of this key, made when it is new.
  Group& group(const std::string& key, int64_t line);
  bool has_group(const std::string& key) const { return groups_.contains(key); }
  static void add_time(Group& group, double time_ms);
  /// Times and mean values into the record; those without a usable time become errors.
  static void set_result(Group& group);
  /// A warning about the whole file, given out once.
  void warn_of_file(const char* code, const char* field, const std::string& message);
  /// The moment of the file's last change, with a warning that it is no more than that.
  void assume_timestamp(BenchmarkRecord& record);
  void assume_hardware(BenchmarkRecord& record);
  const std::string& path() const { return path_; }

 private:
  void give_out(const std::string& key);

  std::optional<JsonValues> values_;
  std::string path_;
  std::map<std::string, Group> groups_;
  std::deque<std::string> order_;  ///< keys of groups, oldest first
  std::deque<ReadItem> ready_;
  std::set<std::string> warned_;
  bool is_over_ = false;
  bool has_python_numbers_ = false;
};

/// A workload's name with blanks for its control characters, which no record may hold there.
std::string without_controls(std::string name);

/// Opens a file for one of the readers. `into_objects`: the reader takes the members of one object,
/// else whole objects, of which the file holds one, an array, or one a line.
template <class Reader>
Result<std::unique_ptr<RecordReader>> open_import(const std::string& path, bool into_objects) {
  OPBENCH_TRY(JsonValues values, JsonValues::open(path, {.into_objects = into_objects}));
  return std::unique_ptr<RecordReader>(std::make_unique<Reader>(std::move(values), path));
}

template <class Reader>
Result<std::unique_ptr<RecordReader>> open_import(const std::string& path) {
  return open_import<Reader>(path, true);
}

}  // namespace opbench
