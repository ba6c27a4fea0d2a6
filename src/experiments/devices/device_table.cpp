#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>

#include "base/errors/suggestion.h"
#include "base/json/json.h"
#include "experiments/devices/device_choice.h"
#include "experiments/unit_times/unit_times.h"
#include "measuring/results/profile_json.h"

namespace opbench {
namespace {

constexpr const char* kDeviceTableSchema = "opbench.device/1";

class TableReader {
 public:
  TableReader(const Json& json, const std::string& what) : json_(json), what_(what) {}

  Result<DeviceTable> read() {
    OPBENCH_CHECK(check_members());
    OPBENCH_TRY(table_.name, text("name"));
    OPBENCH_TRY(table_.kind, text("kind"));
    OPBENCH_TRY(table_.source, text("source"));
    const std::vector<std::string> kinds = {"simulated", "modelled", "measured"};
    if (std::ranges::find(kinds, table_.kind) == kinds.end()) {
      return unknown_name("kind of times", table_.kind, kinds).with("in", what_);
    }
    OPBENCH_CHECK(read_times());
    OPBENCH_TRY(table_.factor_of_others, positive("factor_of_others", json_));
    const auto transfer = json_.find("transfer");
    if (transfer == json_.end()) return std::move(table_);
    if (!transfer->is_object()) return refuse("\"transfer\" is no object");
    OPBENCH_TRY(table_.transfer_latency_ms, positive("latency_ms", *transfer));
    OPBENCH_TRY(table_.transfer_gbytes_per_s, positive("gbytes_per_s", *transfer));
    return std::move(table_);
  }

 private:
  Error refuse(const std::string& why) const {
    return Error{ErrorCode::kInvalidInput, why}.with("in", what_);
  }

  Result<void> check_members() const {
    const std::vector<std::string> known = {
        "schema", "name", "kind", "source", "times_ms", "factor_of_others", "transfer"};
    for (const auto& [key, value] : json_.items()) {
      if (std::ranges::find(known, key) == known.end()) {
        return unknown_name("member", key, known).with("in", what_);
      }
    }
    return {};
  }

  Result<std::string> text(const char* key) const {
    const auto member = json_.find(key);
    if (member == json_.end()) return std::string();
    if (!member->is_string()) return refuse(fmt::format("\"{}\" is no text", key));
    return member->get<std::string>();
  }

  Result<std::optional<double>> positive(const std::string& key, const Json& object) const {
    const auto member = object.find(key);
    if (member == object.end()) return std::optional<double>();
    const double value = member->is_number() ? member->get<double>() : 0;
    if (!std::isfinite(value) || value <= 0) {
      return refuse(fmt::format("\"{}\" must be a number above 0, not {}", key, member->dump()));
    }
    return std::optional<double>(value);
  }

  Result<void> read_times() {
    const auto times = json_.find("times_ms");
    if (times == json_.end()) return {};
    if (!times->is_object()) return refuse("\"times_ms\" is no object");
    for (const auto& [workload, value] : times->items()) {
      OPBENCH_TRY(const auto time, positive(workload, *times));
      table_.times_ms[workload] = *time;
    }
    return {};
  }

  const Json& json_;
  const std::string& what_;
  DeviceTable table_;
};

Result<DeviceTable> table_of_profile(const std::string& text, const std::string& what) {
  OPBENCH_TRY(const ProfileTimes times, parse_profile_times(text, what));
  const ThreadTimes& first = times.threads.front();
  DeviceTable table{.kind = "measured",
                    .source = fmt::format("in the model, {} thread{}, run {}", first.threads,
                                          first.threads == 1 ? "" : "s", times.run_id)};
  for (const UnitRow& row : first.rows) {
    double sum = 0;
    for (const double ms : row.in_place_ms) sum += ms;
    table.times_ms[workload_text(row.identity)] = sum / static_cast<double>(row.in_place_ms.size());
  }
  return table;
}

}  // namespace

Result<DeviceTable> parse_device_table(const std::string& text, const std::string& what) {
  OPBENCH_TRY(const Json json, parse_json(text, what));
  const Json schema = json.is_object() ? json.value("schema", Json()) : Json();
  if (is_profile(json)) return table_of_profile(text, what);
  if (schema != kDeviceTableSchema) {
    return Error{ErrorCode::kInvalidInput, fmt::format("\"{}\" holds no times of a device", what)}
        .with("known", fmt::format("{}, {}", kDeviceTableSchema, kProfileSchema));
  }
  return TableReader(json, what).read();
}

}  // namespace opbench
