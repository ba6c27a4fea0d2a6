#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/files/file.h"
#include "measuring/results/profile_file.h"
#include "measuring/results/profile_json.h"
#include "presentation/report/exports/export.h"
#include "presentation/report/exports/export_rows.h"
#include "records/formats/codec.h"
#include "records/record/profile_records.h"

namespace opbench {

/// As `opbench export` gets it: written and read again, so with clean samples alone.
inline ProfileResult reread(const ProfileResult& profile) {
  const auto again = parse_profile(profile_json(profile), "p.json");
  EXPECT_TRUE(again) << to_text(again.error());
  return *again;
}

inline Result<ExportText> exported(const std::string& format, const ProfileResult& profile,
                                   const Graph* graph = nullptr) {
  const auto found = export_table().find(format);
  EXPECT_TRUE(found) << format;
  return (*found)->write({.profile = profile, .graph = graph});
}

inline std::vector<BenchmarkRecord> imported(const std::string& text, const std::string& format) {
  const auto folder = TemporaryFolder::make();
  const auto path = folder->path() / "file";
  EXPECT_TRUE(write_file(path, text));
  std::vector<BenchmarkRecord> records;
  const auto file = open_records(path.string());
  EXPECT_TRUE(file) << to_text(file.error());
  if (!file) return records;
  EXPECT_EQ(file->codec->name, format);
  while (true) {
    const auto item = file->reader->next();
    EXPECT_TRUE(item);
    if (!item || !*item) return records;
    for (const RecordIssue& issue : (*item)->issues) {
      EXPECT_FALSE(issue.is_error()) << issue.code << " " << issue.field << " " << issue.message;
    }
    if ((*item)->record) records.push_back(std::get<BenchmarkRecord>(*(*item)->record));
  }
}

inline int64_t ns_of_us(const Json& us) { return std::llround(us.get<double>() * 1000); }

inline std::pair<int, int> thread_of_event(const Json& event) {
  return {event["pid"].get<int>(), event["tid"].get<int>()};
}

/// Slices of a thread lie in each other or beside each other, and every flow has both ends, each in
/// a slice, the first not behind the second.
inline void expect_sound_trace(const Json& trace) {
  struct Slice {
    int64_t begin = 0, end = 0;
  };
  std::map<std::pair<int, int>, std::vector<Slice>> threads;
  std::map<int64_t, std::vector<Json>> flows;
  std::set<std::pair<int, int>> named;
  for (const Json& event : trace["traceEvents"]) {
    const std::string kind = event["ph"];
    if (event["name"] == "thread_name") named.insert(thread_of_event(event));
    if (kind == "X") {
      const int64_t begin = ns_of_us(event["ts"]);
      threads[thread_of_event(event)].push_back({begin, begin + ns_of_us(event["dur"])});
    }
    if (kind == "s" || kind == "f") flows[event["id"].get<int64_t>()].push_back(event);
  }
  for (const auto& [thread, slices] : threads) {
    EXPECT_TRUE(named.contains(thread));
    for (const Slice& a : slices) {
      EXPECT_GE(a.end, a.begin);
      for (const Slice& b : slices) {
        const bool are_apart = a.end <= b.begin || b.end <= a.begin;
        const bool is_inside =
            (a.begin <= b.begin && b.end <= a.end) || (b.begin <= a.begin && a.end <= b.end);
        EXPECT_TRUE(are_apart || is_inside) << a.begin << " " << a.end << " " << b.begin;
      }
    }
  }
  const auto lies_in_slice = [&](const Json& event) {
    const int64_t at = ns_of_us(event["ts"]);
    for (const Slice& slice : threads[thread_of_event(event)]) {
      if (slice.begin <= at && at <= slice.end) return true;
    }
    return false;
  };
  for (const auto& [id, ends] : flows) {
    ASSERT_THAT(ends, testing::SizeIs(2)) << id;
    EXPECT_EQ(ends[0]["ph"], "s");
    EXPECT_EQ(ends[1]["ph"], "f");
    EXPECT_LE(ns_of_us(ends[0]["ts"]), ns_of_us(ends[1]["ts"]));
    EXPECT_TRUE(lies_in_slice(ends[0])) << id;
    EXPECT_TRUE(lies_in_slice(ends[1])) << id;
  }
}

/// What a round trip must keep of a row.
inline void expect_row(const ProfileResult& profile, const ExportRow& row,
                       const BenchmarkRecord& record) {
  EXPECT_EQ(record.engine, row.engine->engine);
  EXPECT_EQ(record.timestamp, profile.timestamp);
  EXPECT_EQ(Json::parse(record.runtime_config->text)["num_cpu_threads"], row.engine->threads);
  if (row.unit != nullptr) {
    EXPECT_EQ(record.workload, workload_name(row.engine->engine, *row.unit));
  }
  const auto failure = failure_of_row(row);
  EXPECT_EQ(record.status, failure ? "error" : "ok");
  if (failure) {
    EXPECT_THAT(*record.error_message, testing::HasSubstr(failure->text));
    EXPECT_EQ(record.runtime_ms_mean, std::nullopt);
    return;
  }
  EXPECT_EQ(record.runtime_ms_median, ms_of_row(row));
  const Measurement* time = time_of_row(row);
  const bool has_interval = time != nullptr && time->low_ms < time->high_ms;
  EXPECT_EQ(record.runtime_ms_low, has_interval ? std::optional(time->low_ms) : std::nullopt);
  EXPECT_EQ(record.runtime_ms_high, has_interval ? std::optional(time->high_ms) : std::nullopt);
  if (row.unit != nullptr) {
    EXPECT_EQ(record.nodes, row.unit->identity.nodes);
    EXPECT_EQ(record.count, row.unit->count);
    EXPECT_EQ(record.runtime_ms_in_place, row.unit->in_place_ms);
  }
}

}  // namespace opbench
