#include "presentation/cli/operators/catalog_text.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/errors/suggestion.h"
#include "presentation/report/text/number_text.h"

namespace opbench {
namespace {

constexpr const char* kCatalogSchema = "opbench.catalog/1";

std::string_view name_of(TimeSource source) {
  return source == TimeSource::kPredicted ? "predicted" : "measured";
}

std::vector<TimeSource> sources_of(const Catalog& catalog) {
  if (!catalog.has_measured) return {TimeSource::kPredicted};
  return {TimeSource::kPredicted, TimeSource::kMeasured};
}

std::string catalog_text_counts_text(const std::map<std::string, int64_t>& counts) {
  std::vector<std::string> parts;
  for (const auto& [model, count] : counts) parts.push_back(fmt::format("{} × {}", model, count));
  return join(parts);
}

std::string config_text(const std::map<std::string, int64_t>& config) {
  std::vector<std::string> parts;
  for (const auto& [knob, value] : config) parts.push_back(fmt::format("{}={}", knob, value));
  return join(parts, " ");
}

std::optional<double> share_of(const CatalogEntry& entry, TimeSource source, double sum) {
  if (!entry.ms(source) || sum <= 0) return {};
  return entry.total_ms(source) / sum;
}

Json catalog_text_json_of(std::optional<double> value) { return value ? Json(*value) : Json(); }

Json coverage_json(const Catalog& catalog, TimeSource source) {
  const Coverage coverage = coverage_of(catalog, source);
  Json json = {{"percent", 100 * kCovered},         {"all_ms", coverage.ms},
               {"timed_workloads", coverage.timed}, {"workloads", Json::array()},
               {"operators", Json::array()},        {"kinds", Json::array()}};
  for (const size_t i : coverage.workloads) {
    json["workloads"].push_back(workload_text(catalog.entries[i].what.identity));
  }
  for (const auto& [name, share] : coverage.operators) {
    json["operators"].push_back({{"operator", name}, {"share", share}});
  }
  for (const KindShare& kind : coverage.kinds) {
    json["kinds"].push_back({{"kind", kind.kind}, {"share", kind.share}, {"heavy", kind.is_heavy}});
  }
  return json;
}

std::string kinds_text(const std::vector<KindShare>& kinds, bool is_heavy) {
  std::vector<std::string> parts;
  for (const KindShare& kind : kinds) {
    if (kind.is_heavy != is_heavy) continue;
    parts.push_back(fmt::format("{} {}", kind.kind, percent_text(kind.share)));
  }
  return parts.empty() ? "none" : join(parts);
}

}  // namespace

TextTable catalog_table(const Catalog& catalog) {
  TextTable table;
  table.columns = {{.header = "operator", .shrinks_to = 16},
                   {.header = "shapes", .shrinks_to = 12},
                   {.header = "count", .is_right_aligned = true},
                   {.header = "FLOPs", .is_right_aligned = true, .unit = "a call"},
                   {.header = "bytes", .is_right_aligned = true, .unit = "a call"},
                   {.header = "schedule", .shrinks_to = 12, .unit = "default"}};
  std::map<TimeSource, double> sums;
  for (const TimeSource source : sources_of(catalog)) {
    sums[source] = coverage_of(catalog, source).ms;
    table.columns.push_back(
        {.header = "ms a call", .is_right_aligned = true, .unit = std::string(name_of(source))});
    table.columns.push_back({.header = "share of time",
                             .is_right_aligned = true,
                             .unit = std::string(name_of(source))});
  }
  table.columns.push_back({.header = "models", .shrinks_to = 16});
  for (const CatalogEntry& entry : catalog.entries) {
    const OperatorEntry& what = entry.what;
    TextRow row{{what.identity.operator_text + (what.is_known() ? "" : " (?)"),
                 short_shapes(what.identity), std::to_string(what.count()),
                 what.flops ? scaled_text(*what.flops) : "-",
                 what.bytes ? scaled_text(*what.bytes) : "-",
                 entry.schedule.empty() ? "-" : entry.schedule}};
    for (const TimeSource source : sources_of(catalog)) {
      const auto ms = entry.ms(source);
      const auto share = share_of(entry, source, sums[source]);
      row.cells.push_back(ms ? ms_text(*ms) : "-");
      row.cells.push_back(share ? percent_text(*share) : "-");
    }
    row.cells.push_back(catalog_text_counts_text(what.counts));
    row.below.push_back(what.is_known() ? workload_text(what.identity) : what.note);
    if (!entry.config.empty()) row.below.push_back(config_text(entry.config));
    table.rows.push_back(std::move(row));
  }
  return table;
}

TextTable exact_catalog_table(const Catalog& catalog) {
  TextTable table;
  for (const char* name :
       {"operator", "shapes", "count", "flops", "bytes", "schedule", "config", "predicted_ms",
        "predicted_share", "measured_ms", "measured_share", "models", "workload", "note"}) {
    table.columns.push_back({.header = name});
  }
  const double predicted = coverage_of(catalog, TimeSource::kPredicted).ms;
  const double measured = coverage_of(catalog, TimeSource::kMeasured).ms;
  for (const CatalogEntry& entry : catalog.entries) {
    const OperatorEntry& what = entry.what;
    table.rows.push_back(
        {{what.identity.operator_text, short_shapes(what.identity), std::to_string(what.count()),
          exact_text(what.flops), exact_text(what.bytes), entry.schedule, config_text(entry.config),
          exact_text(entry.predicted_ms),
          exact_text(share_of(entry, TimeSource::kPredicted, predicted)),
          exact_text(entry.measured_ms),
          exact_text(share_of(entry, TimeSource::kMeasured, measured)),
          catalog_text_counts_text(what.counts), workload_text(what.identity), what.note}});
  }
  return table;
}

std::string coverage_text(const Catalog& catalog) {
  std::string text;
  for (const TimeSource source : sources_of(catalog)) {
    const Coverage coverage = coverage_of(catalog, source);
    std::vector<std::string> operators;
    for (const auto& [name, share] : coverage.operators) {
      operators.push_back(fmt::format("{} {}", name, percent_text(share)));
    }
    text +=
        fmt::format("90 % of the {} time: {} of {} workloads with one; {} {}: {}\n",
                    name_of(source), coverage.workloads.size(), coverage.timed, operators.size(),
                    operators.size() == 1 ? "operator" : "operators", join(operators));
    text += fmt::format("  heavy kinds: {}; light: {}\n", kinds_text(coverage.kinds, true),
                        kinds_text(coverage.kinds, false));
  }
  return text;
}

Json catalog_json(const Catalog& catalog) {
  const double predicted = coverage_of(catalog, TimeSource::kPredicted).ms;
  const double measured = coverage_of(catalog, TimeSource::kMeasured).ms;
  Json rows = Json::array();
  for (const CatalogEntry& entry : catalog.entries) {
    const OperatorEntry& what = entry.what;
    rows.push_back(
        {{"operator", what.identity.operator_text},
         {"shapes", short_shapes(what.identity)},
         {"count", what.count()},
         {"models", what.counts},
         {"flops", catalog_text_json_of(what.flops)},
         {"bytes", catalog_text_json_of(what.bytes)},
         {"schedule", entry.schedule.empty() ? Json() : Json(entry.schedule)},
         {"config", entry.config},
         {"predicted_ms", catalog_text_json_of(entry.predicted_ms)},
         {"predicted_share",
          catalog_text_json_of(share_of(entry, TimeSource::kPredicted, predicted))},
         {"measured_ms", catalog_text_json_of(entry.measured_ms)},
         {"measured_share", catalog_text_json_of(share_of(entry, TimeSource::kMeasured, measured))},
         {"workload", what.is_known() ? Json(workload_text(what.identity)) : Json()},
         {"note", what.note}});
  }
  const bool has_measured = catalog.has_measured;
  return {
      {"schema", kCatalogSchema},
      {"models", catalog.models},
      {"workloads", std::move(rows)},
      {"covering_predicted", coverage_json(catalog, TimeSource::kPredicted)},
      {"covering_measured", has_measured ? coverage_json(catalog, TimeSource::kMeasured) : Json()}};
}

}  // namespace opbench
