#include "presentation/web/compare/run_samples.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <map>
#include <set>

namespace opbench {
namespace {

constexpr size_t kMostSamples = 500;
constexpr int kDeepest = 6;  // objects in objects: a record may hold any

/// Every n-th of a list, so that at most 500 are left.
Json thinned(const Json& list) {
  const size_t step = (list.size() + kMostSamples - 1) / kMostSamples;
  if (step <= 1) return list;
  Json kept = Json::array();
  for (size_t i = 0; i < list.size(); i += step) kept.push_back(list[i]);
  return kept;
}

Json parsed(const Json& text) {
  if (!text.is_string()) return nullptr;
  Json json = Json::parse(text.get<std::string>(), nullptr, false);
  return json.is_discarded() ? Json() : json;
}

void add_samples(const Json& record, Json& samples) {
  const Json all = parsed(record["runtime_raw"]);
  Json times = Json::array(), flags = Json::array();
  if (all.is_array() && !all.empty()) {
    for (const Json& sample : all) {
      if (!sample.is_object() || !sample.contains("runtime_ms")) continue;
      times.push_back(sample["runtime_ms"]);
      flags.push_back(sample.value("flag", Json()));
    }
  } else if (record["runtime_raw_ms"].is_array()) {
    times = record["runtime_raw_ms"];
    for (size_t i = 0; i < times.size(); ++i) flags.push_back(nullptr);
  }
  samples["total"] = times.size();
  samples["ms"] = thinned(times);
  samples["flags"] = thinned(flags);
  if (!record["samples_dropped"].is_object()) return;
  for (const auto& [cause, count] : record["samples_dropped"].items()) {
    samples["dropped"].push_back({{"cause", cause}, {"count", count}});
  }
}

/// Members of objects as `a.b.c`, values as text.
void add_facts(const std::string& name, const Json& value, int depth,
               std::map<std::string, std::string>& facts) {
  if (value.is_object() && depth < kDeepest) {
    for (const auto& [key, member] : value.items()) {
      add_facts(name.empty() ? key : name + "." + key, member, depth + 1, facts);
    }
    return;
  }
  if (value.is_null()) return;
  facts[name] = value.is_string() ? value.get<std::string>() : value.dump();
}

Result<std::map<std::string, std::string>> facts_of_entry(WebStore& store, int64_t entry) {
  OPBENCH_TRY(const std::string records, store.records_of_entry(entry));
  OPBENCH_TRY(const QueryResult found,
              store.query("SELECT hw_model, os, cpu_count, memory_gb, hardware_config, "
                          "software_config, engine_version FROM " +
                          records + " ORDER BY \"timestamp\" DESC LIMIT 1"));
  std::map<std::string, std::string> facts;
  if (found.rows.empty()) return facts;
  const Json row = row_json(found);
  add_facts("processor", row["hw_model"], 0, facts);
  add_facts("system", row["os"], 0, facts);
  add_facts("cpus", row["cpu_count"], 0, facts);
  add_facts("memory_gb", row["memory_gb"], 0, facts);
  add_facts("engine_version", row["engine_version"], 0, facts);
  add_facts("hardware", parsed(row["hardware_config"]), 0, facts);
  add_facts("software", parsed(row["software_config"]), 0, facts);
  return facts;
}

}  // namespace

Result<Json> samples_of(WebStore& store, int64_t entry, const std::string& series_id) {
  OPBENCH_TRY(const std::string records, store.records_of_entry(entry));
  OPBENCH_TRY(const QueryResult found,
              store.query(fmt::format(
                  "SELECT r.runtime_raw, r.runtime_raw_ms, r.samples_dropped, r.stop_reason, "
                  "r.reproducer FROM {} r JOIN series s ON s.id = {} AND r.engine = s.engine AND "
                  "coalesce(r.num_cpu_threads, 1) = s.threads AND r.scope = s.scope AND "
                  "coalesce(map_extract(r.labels, 'watch_subject')[1], r.model, '') = s.model AND "
                  "(s.unit = 'model' OR r.workload = s.unit OR substr(r.workload, "
                  "strpos(r.workload, '.') + 1) = s.unit) AND (s.node IS NULL OR r.nodes[1] = "
                  "s.node) ORDER BY r.\"timestamp\" DESC LIMIT 1",
                  records, sql_text(series_id))));
  Json samples = {{"ms", Json::array()},      {"flags", Json::array()}, {"total", 0},
                  {"dropped", Json::array()}, {"stop_reason", nullptr}, {"reproducer", nullptr}};
  if (found.rows.empty()) return samples;
  const Json record = row_json(found);
  add_samples(record, samples);
  samples["stop_reason"] = record["stop_reason"];
  samples["reproducer"] = record["reproducer"];
  return samples;
}

Result<Json> environment_difference(WebStore& store, int64_t entry_a, int64_t entry_b) {
  OPBENCH_TRY(const auto a, facts_of_entry(store, entry_a));
  OPBENCH_TRY(const auto b, facts_of_entry(store, entry_b));
  std::set<std::string> names;
  for (const auto& [name, value] : a) names.insert(name);
  for (const auto& [name, value] : b) names.insert(name);
  Json answer = {{"same", 0}, {"rows", Json::array()}};
  int64_t same = 0;
  for (const std::string& name : names) {
    const auto left = a.find(name), right = b.find(name);
    const Json before = left == a.end() ? Json() : Json(left->second);
    const Json after = right == b.end() ? Json() : Json(right->second);
    if (before == after) {
      ++same;
    } else {
      answer["rows"].push_back({{"field", name}, {"a", before}, {"b", after}});
    }
  }
  answer["same"] = same;
  return answer;
}

}  // namespace opbench
