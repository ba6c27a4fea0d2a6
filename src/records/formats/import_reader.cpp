#include "records/formats/import_reader.h"

#include <nlohmann/json.hpp>
#include <sys/stat.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "records/json/odd_number.h"
#include "records/json/strict_json.h"
#include "records/record/benchmark_times.h"
#include "records/record/record_validation.h"

namespace opbench {
namespace {

constexpr size_t kMostGroups = 10'000;
constexpr size_t kMostTimes = 65'536;

}  // namespace

ImportReader::ImportReader(JsonValues values, std::string path)
    : values_(std::move(values)), path_(std::move(path)) {}

Result<std::optional<ReadItem>> ImportReader::next() {
  while (ready_.empty()) {
    if (is_over_ && order_.empty()) return std::optional<ReadItem>();
    if (is_over_) {
      give_out(order_.front());
      continue;
    }
    OPBENCH_TRY(const bool has_more, read_more());
    is_over_ = !has_more;
    if (order_.size() > kMostGroups) give_out(order_.front());
  }
  ReadItem item = std::move(ready_.front());
  ready_.pop_front();
  return std::optional(std::move(item));
}

void ImportReader::take(const JsonSlice&, const Json&, Issues&) {}

Result<bool> ImportReader::read_more() {
  if (!values_) return false;
  OPBENCH_TRY(const std::optional<JsonSlice> slice, values_->next());
  if (!slice) return false;
  Issues issues;
  std::string quoted;
  std::string_view text = slice->text;
  if (has_python_numbers_ && has_bare_word(text)) {
    quoted = with_quoted_words(text);
    text = quoted;
  }
  if (slice->issue) {
    issues.push_back(*slice->issue);
  } else if (const auto json = StrictJson::parse(text, issues, slice->line, slice->column)) {
    take(*slice, json->value(), issues);
    json->place(issues);
  }
  report(slice->line, std::move(issues));
  return true;
}

void ImportReader::report(int64_t line, Issues issues) {
  if (issues.empty()) return;
  ready_.push_back({.issues = std::move(issues), .line = line});
}

void ImportReader::give_out(const std::string& key) {
  const auto found = groups_.find(key);
  Group group = std::move(found->second);
  groups_.erase(found);
  order_.pop_front();
  finish(group);
  ReadItem item{.issues = std::move(group.issues), .line = group.line};
  for (RecordIssue& issue : validate_record(to_json(group.record), {.now_us = now_us()})) {
    item.issues.push_back(std::move(issue));
  }
  if (!has_errors(item.issues)) item.record = std::move(group.record);
  ready_.push_back(std::move(item));
}

ImportReader::Group& ImportReader::group(const std::string& key, int64_t line) {
  const auto [place, is_new] = groups_.try_emplace(key);
  if (is_new) {
    place->second.line = line;
    order_.push_back(key);
  }
  return place->second;
}

void ImportReader::add_time(Group& group, double time_ms) {
  if (group.times_ms.size() < kMostTimes) {
    group.times_ms.push_back(time_ms);
  } else {
    ++group.dropped_times;
  }
}

void ImportReader::set_result(Group& group) {
  BenchmarkRecord& record = group.record;
  for (const auto& [name, values] : group.values) {
    if (!record.metrics) record.metrics.emplace();
    (*record.metrics)[name] = mean_of(values);
  }
  if (group.dropped_times > 0) {
    if (!record.samples_dropped) record.samples_dropped.emplace();
    (*record.samples_dropped)["beyond_65536"] = group.dropped_times;
  }
  if (record.status == "error") return;
  record.status = "ok";
  const bool has_mean = record.runtime_ms_mean.has_value();
  if (group.times_ms.empty() && has_mean) return;
  const double mean = group.times_ms.empty() ? 0 : mean_of(group.times_ms);
  if (!(mean > 0) || !std::isfinite(mean)) {
    record.status = "error";
    record.error_no = 8;
    record.error_message = "no time above zero was taken";
    record.runtime_ms_mean.reset();
    return;
  }
  set_times(record, group.times_ms);
  const bool is_below_clock = std::ranges::any_of(group.times_ms, [](double t) { return t <= 0; });
  if (!is_below_clock) return;
  record.runtime_raw_ms.reset();  // holds times above zero only
  if (*record.runtime_ms_min <= 0) record.runtime_ms_min.reset();
  if (*record.runtime_ms_median <= 0) record.runtime_ms_median.reset();
}

void ImportReader::warn_of_file(const char* code, const char* field, const std::string& message) {
  if (!warned_.insert(code + (" " + message)).second) return;
  ReadItem item{.line = 1, .is_of_file = true};
  item.issues.push_back({code, field, message});
  ready_.push_back(std::move(item));
}

void ImportReader::assume_timestamp(BenchmarkRecord& record) {
  struct stat info {};
  constexpr int64_t kMicro = 1'000'000;
  const bool is_there = ::stat(path_.c_str(), &info) == 0;
  record.timestamp = rfc3339_of_us(is_there ? info.st_mtim.tv_sec * kMicro : now_us());
  warn_of_file("W_TIMESTAMP", "timestamp", "the file has none; taken from its last change");
}

void ImportReader::assume_hardware(BenchmarkRecord& record) {
  record.hardware = "unknown";
  warn_of_file("W_HARDWARE", "hardware", "the file does not name it");
}

std::string without_controls(std::string name) {
  std::ranges::replace_if(
      name, [](char c) { return static_cast<unsigned char>(c) < ' '; }, ' ');
  return name;
}

}  // namespace opbench
