#include "benchmarks/kernels/rows.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <set>

#include "base/files/file.h"
#include "base/json/json.h"

namespace opbench {

const std::vector<std::string>& autoscheduler_peers() {
  static const std::vector<std::string> peers = {"adams2019", "mullapudi2016"};
  return peers;
}

std::string row_text(const KernelRow& row) {
  Json json = {{"set", row.shape.set},
               {"family", row.shape.family},
               {"workload", row.shape.workload},
               {"target", row.shape.target},
               {"shapes", row.shape.shapes},
               {"threads", row.threads},
               {"peer", row.peer},
               {"ours_ms", row.ours_ms},
               {"peer_ms", row.peer_ms},
               {"gflops", row.gflops},
               {"peak_gflops", row.peak_gflops},
               {"schedule", row.schedule},
               {"origin", row.origin},
               {"verdict", row.verdict},
               {"reason", row.reason},
               {"schedules", row.schedules}};
  if (row.ratio) {
    json["ratio"] = row.ratio->median;
    json["low"] = row.ratio->low;
    json["high"] = row.ratio->high;
  }
  return json.dump();
}

Result<KernelRow> parse_row(const std::string& text) {
  OPBENCH_TRY(const Json json, parse_json(text, "a row of kernels"));
  try {
    KernelRow row{.shape = {json.at("set"), json.at("family"), json.at("workload"),
                            json.at("target"), json.at("shapes")},
                  .threads = json.at("threads"),
                  .peer = json.at("peer"),
                  .ratio = {},
                  .verdict = json.at("verdict"),
                  .ours_ms = json.at("ours_ms"),
                  .peer_ms = json.at("peer_ms"),
                  .gflops = json.at("gflops"),
                  .peak_gflops = json.at("peak_gflops"),
                  .schedule = json.at("schedule"),
                  .origin = json.at("origin"),
                  .reason = json.at("reason"),
                  .schedules = json.value("schedules", "")};
    if (json.contains("ratio")) {
      row.ratio = Ratio{json.at("ratio"), json.at("low"), json.at("high")};
    }
    return row;
  } catch (const nlohmann::json::exception& error) {
    return Error{ErrorCode::kInvalidInput, "a row of kernels cannot be read"}.with("reason",
                                                                                   error.what());
  }
}

Result<std::vector<KernelRow>> read_rows(const std::filesystem::path& file) {
  std::vector<KernelRow> rows;
  std::error_code ignored;
  if (!std::filesystem::exists(file, ignored)) return rows;
  OPBENCH_TRY(const std::string text, read_file(file));
  for (const std::string& line : split(text, '\n')) {
    if (line.empty()) continue;
    auto row = parse_row(line);
    if (!row) return Error(row.error()).with("in", file.string());
    rows.push_back(std::move(*row));
  }
  return rows;
}

const KernelRow* find_row(const std::vector<KernelRow>& rows, const KernelShape& shape, int threads,
                          const std::string& peer) {
  const auto found = std::ranges::find_if(rows, [&](const KernelRow& row) {
    return row.shape.workload == shape.workload && row.shape.target == shape.target &&
           row.threads == threads && row.peer == peer;
  });
  return found == rows.end() ? nullptr : &*found;
}

int64_t count_of_others(const std::vector<KernelRow>& rows, const std::string& version) {
  return std::ssize(rows) - std::ranges::count(rows, version, &KernelRow::schedules);
}

double geometric_mean(const std::vector<double>& values) {
  if (values.empty()) return 0;
  double sum = 0;
  for (const double value : values) sum += std::log(value);
  return std::exp(sum / static_cast<double>(values.size()));
}

}  // namespace opbench
