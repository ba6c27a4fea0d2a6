#include "presentation/web/store/summary_sql.h"

#include <fmt/format.h>

namespace opbench {
namespace {

/// A column, or null of its type where the parts are older than it.
class PartScan {
 public:
  PartScan(std::string scan, const std::set<std::string>& columns)
      : scan_(std::move(scan)), columns_(columns) {}

  std::string column(const std::string& name, const std::string& type) const {
    return columns_.contains(name) ? "\"" + name + "\"" : "NULL::" + type;
  }
  std::string text(const std::string& name) const { return column(name, "VARCHAR"); }
  std::string number(const std::string& name) const { return column(name, "DOUBLE"); }
  std::string label(const std::string& name) const { return member("labels", "VARCHAR", name); }
  std::string metric(const std::string& name) const { return member("metrics", "DOUBLE", name); }
  const std::string& from() const { return scan_; }

  std::string threads() const { return column("num_cpu_threads", "BIGINT"); }
  std::string first_node() const {
    return columns_.contains("nodes") ? "nodes[1]" : "NULL::VARCHAR";
  }
  /// What the engine's device is called; null: it runs on the CPU.
  std::string device() const {
    return fmt::format(
        "CASE WHEN contains({0}, '\"device\"') THEN coalesce(json_extract_string({0}, "
        "'$.device.description'), json_extract_string({0}, '$.device.kind')) END",
        text("engine_config"));
  }
  /// The clock of the times; null: the CPU's.
  std::string clock() const {
    const std::string timer =
        columns_.contains("execution_config") ? "execution_config.timer" : "NULL::VARCHAR";
    return fmt::format(
        "CASE WHEN {0} IS NOT NULL THEN 'emulated' WHEN {1} IN ('event', 'simulated') THEN {1} END",
        text("emulator"), timer);
  }
  /// The subject of a night names its model or workload.
  std::string subject() const {
    return fmt::format("coalesce({}, {}, '')", label("watch_subject"), text("model"));
  }

  /// What makes two records points of one series.
  std::string series_key() const {
    return fmt::format("hash({})", fmt::join(series_members(), ", "));
  }
  std::vector<std::string> series_members() const {
    return {text("engine"),
            threads(),
            subject(),
            text("workload"),
            text("workload_args"),
            text("scope"),
            text("cache"),
            text("machine_hash"),
            label("watch_suite"),
            label("watch_branch"),
            first_node(),
            label("side_build"),
            device(),
            clock()};
  }
  std::string run_key() const {
    return fmt::format("hash(coalesce({}, {} || ' ' || CAST(\"timestamp\" AS DATE)), {}, {})",
                       text("run_id"), text("source_form"), label("side"), label("watch_night"));
  }

 private:
  std::string member(const std::string& map, const std::string& type,
                     const std::string& name) const {
    if (!columns_.contains(map)) return "NULL::" + type;
    return fmt::format("map_extract({}, '{}')[1]", map, name);
  }

  std::string scan_;
  const std::set<std::string>& columns_;
};

std::string points_of(const PartScan& scan) {
  return fmt::format(
      "INSERT INTO points SELECT {}, {}, epoch_ms(\"timestamp\"), CASE WHEN status = 'ok' THEN "
      "coalesce({}, {}) END, {}, {}, {}, {}, coalesce({}, 1), CASE WHEN {} IS NOT NULL THEN "
      "hash({}) END, {} FROM {}",
      scan.series_key(), scan.run_key(), scan.number("runtime_ms_median"),
      scan.number("runtime_ms_mean"), scan.number("runtime_ms_low"), scan.number("runtime_ms_high"),
      scan.number("runtime_ms_in_place"), scan.metric("share"), scan.column("count", "BIGINT"),
      scan.text("code_hash"), scan.text("code_hash"), scan.metric("device_ms"), scan.from());
}

/// The text of a unit without the domain before its first dot; `model` for a whole model.
std::string unit_of(const PartScan& scan) {
  return fmt::format(
      "CASE WHEN scope = 'model' THEN 'model' WHEN workload_domain IS NOT NULL OR {} LIKE "
      "'opbench.%' THEN substr(workload, strpos(workload, '.') + 1) ELSE workload END",
      scan.text("workload"));
}

std::string series_of_scan(const PartScan& scan) {
  return fmt::format(
      "INSERT INTO series SELECT key, left(md5(concat_ws(chr(31), engine, threads, model, "
      "workload, args, scope, cache, machine, suite, branch, node, build, device, clock)), 16), "
      "engine, threads, "
      "model, unit, json_extract_string(args, '$.shapes'), scope, cache, machine, suite, branch, "
      "node, engine || '/' || model || '@' || threads || '/' || unit, device, coalesce(clock, "
      "'wall') FROM (SELECT {} AS key, "
      "any_value(engine) AS engine, coalesce(any_value({}), 1) AS threads, any_value({}) AS model, "
      "any_value(workload) AS workload, any_value({}) AS args, any_value({}) AS unit, "
      "any_value(scope) AS scope, any_value({}) AS cache, coalesce(any_value({}), '') AS machine, "
      "any_value({}) AS suite, any_value({}) AS branch, any_value({}) AS node, any_value({}) AS "
      "build, any_value({}) AS device, any_value({}) AS clock FROM {} GROUP BY 1) WHERE key NOT IN "
      "(SELECT series_key FROM series)",
      scan.series_key(), scan.threads(), scan.subject(), scan.text("workload_args"), unit_of(scan),
      scan.text("cache"), scan.text("machine_hash"), scan.label("watch_suite"),
      scan.label("watch_branch"), scan.first_node(), scan.label("side_build"), scan.device(),
      scan.clock(), scan.from());
}

std::string failures_of(const PartScan& scan) {
  return fmt::format(
      "INSERT INTO failures SELECT {}, {}, epoch_ms(\"timestamp\"), coalesce({}, 'no reason is "
      "known') FROM {} WHERE status <> 'ok'",
      scan.series_key(), scan.run_key(), scan.text("error_message"), scan.from());
}

/// What a run has in common by model, engine, threads and file first: lists of distinct values over
/// all records would take most of the time of a start.
std::string runs_of(const PartScan& scan) {
  return fmt::format(
      "INSERT INTO run_parts SELECT run_key, any_value(run_id), any_value(side), any_value(suite), "
      "any_value(branch), any_value(night), any_value(commit_id), any_value(method), "
      "any_value(surroundings), any_value(machine), any_value(software), any_value(machine_name), "
      "min(began_ms), max(ended_ms), sum(rows), sum(failures), list_sort(list(DISTINCT model)), "
      "list_sort(list(DISTINCT engine)), list_sort(list(DISTINCT threads)), any_value(argv), "
      "list(DISTINCT filename) FROM (SELECT {} AS run_key, {} AS model, {} AS engine, {} AS "
      "threads, "
      "filename, coalesce(any_value({}), any_value({})) AS run_id, any_value({}) AS side, "
      "any_value({}) AS suite, any_value({}) AS branch, any_value({}) AS night, "
      "coalesce(any_value({}), any_value({})) AS commit_id, any_value({}) AS method, any_value({}) "
      "AS "
      "surroundings, coalesce(any_value({}), '') AS machine, any_value({}) AS software, "
      "any_value({}) AS machine_name, min(epoch_ms(\"timestamp\")) AS began_ms, "
      "max(epoch_ms(\"timestamp\")) AS ended_ms, count(*) AS rows, count(*) FILTER (status <> "
      "'ok') "
      "AS failures, any_value({}) AS argv FROM {} GROUP BY 1, 2, 3, 4, 5) GROUP BY run_key",
      scan.run_key(), scan.subject(), scan.text("engine"), scan.threads(), scan.text("run_id"),
      scan.text("source_form"), scan.label("side"), scan.label("watch_suite"),
      scan.label("watch_branch"), scan.label("watch_night"), scan.label("watch_commit"),
      scan.label("side_commit"), scan.label("watch_method"), scan.label("watch_surroundings"),
      scan.text("machine_hash"), scan.text("software_hash"), scan.text("hw_model"),
      scan.column("argv", "VARCHAR[]"), scan.from());
}

std::string machines_of(const PartScan& scan) {
  return fmt::format(
      "INSERT INTO machine_parts SELECT {0}, any_value({1}), any_value({2}), any_value({3}), "
      "any_value({4}), list(DISTINCT {5}), count(*), min(epoch_ms(\"timestamp\")), "
      "max(epoch_ms(\"timestamp\")) FROM {6} WHERE {0} IS NOT NULL GROUP BY {0}",
      scan.text("machine_hash"), scan.text("hw_model"), scan.column("cpu_count", "BIGINT"),
      scan.number("memory_gb"), scan.text("os"), scan.text("engine"), scan.from());
}

}  // namespace

std::vector<std::string> summary_tables() {
  return {
      "CREATE TABLE points (series_key UBIGINT, run_key UBIGINT, at_ms BIGINT, ms DOUBLE, low_ms "
      "DOUBLE, high_ms DOUBLE, in_place_ms DOUBLE, share DOUBLE, count BIGINT, code UBIGINT, "
      "device_ms DOUBLE)",
      "CREATE TABLE series (series_key UBIGINT, id VARCHAR, engine VARCHAR, threads BIGINT, model "
      "VARCHAR, unit VARCHAR, shapes VARCHAR, scope VARCHAR, cache VARCHAR, machine VARCHAR, suite "
      "VARCHAR, branch VARCHAR, node VARCHAR, watch_id VARCHAR, device VARCHAR, clock VARCHAR)",
      "CREATE TABLE failures (series_key UBIGINT, run_key UBIGINT, at_ms BIGINT, text VARCHAR)",
      "CREATE TABLE run_parts (run_key UBIGINT, run_id VARCHAR, side VARCHAR, suite VARCHAR, "
      "branch "
      "VARCHAR, night VARCHAR, commit_id VARCHAR, method VARCHAR, surroundings VARCHAR, machine "
      "VARCHAR, software VARCHAR, machine_name VARCHAR, began_ms BIGINT, ended_ms BIGINT, rows "
      "BIGINT, failures BIGINT, models VARCHAR[], engines VARCHAR[], threads BIGINT[], argv "
      "VARCHAR[], files VARCHAR[])",
      "CREATE TABLE machine_parts (machine VARCHAR, cpu VARCHAR, cpu_count BIGINT, memory_gb "
      "DOUBLE, os VARCHAR, engines VARCHAR[], records BIGINT, first_ms BIGINT, last_ms BIGINT)",
      "CREATE MACRO moment(ms) AS strftime(make_timestamp(ms * 1000), '%Y-%m-%dT%H:%M:%SZ')"};
}

std::vector<std::string> summary_additions(const std::string& scan,
                                           const std::set<std::string>& columns) {
  const PartScan parts(scan, columns);
  return {points_of(parts), series_of_scan(parts), failures_of(parts), runs_of(parts),
          machines_of(parts)};
}

std::vector<std::string> summary_conclusions() {
  return {
      "CREATE OR REPLACE TABLE runs AS SELECT CASE WHEN night IS NOT NULL THEN 'night:' || "
      "url_encode(suite) || '/' || url_encode(coalesce(branch, '')) || '/' || url_encode(night) || "
      "'@' || left(machine, 12) WHEN side IS NOT NULL THEN 'run:' || url_encode(run_id) || '@' || "
      "url_encode(side) ELSE 'run:' || url_encode(run_id) END AS selector, * FROM (SELECT run_key, "
      "any_value(run_id) AS run_id, any_value(side) "
      "AS side, any_value(suite) AS suite, any_value(branch) AS branch, any_value(night) AS night, "
      "any_value(commit_id) AS commit_id, any_value(method) AS method, any_value(surroundings) AS "
      "surroundings, any_value(machine) AS machine, any_value(software) AS software, "
      "any_value(machine_name) AS machine_name, min(began_ms) AS began_ms, max(ended_ms) AS "
      "ended_ms, sum(rows)::BIGINT AS rows, sum(failures)::BIGINT AS failures, "
      "list_sort(list_distinct(flatten(list(models)))) AS models, "
      "list_sort(list_distinct(flatten(list(engines)))) AS engines, "
      "list_sort(list_distinct(flatten(list(threads)))) AS threads, any_value(argv) AS argv, "
      "list_distinct(flatten(list(files))) AS files FROM run_parts GROUP BY run_key)",
      // What a night measured is one entry, whatever number of runs it took.
      "CREATE OR REPLACE TABLE entries AS SELECT row_number() OVER (ORDER BY ended_ms, selector) "
      "AS "
      "entry, * FROM (SELECT selector, CASE WHEN any_value(night) IS NOT NULL THEN "
      "'night' WHEN any_value(side) IS NOT NULL THEN 'compare_side' ELSE 'run' END AS kind, "
      "any_value(suite) AS suite, any_value(branch) AS branch, any_value(night) AS night, "
      "any_value(side) AS side, any_value(run_id) AS run_id, arg_max(commit_id, ended_ms) AS "
      "commit_id, arg_max(method, ended_ms) AS method, arg_max(surroundings, ended_ms) AS "
      "surroundings, any_value(machine) AS machine, any_value(machine_name) AS machine_name, "
      "arg_max(software, ended_ms) AS software, min(began_ms) AS began_ms, max(ended_ms) AS "
      "ended_ms, sum(rows)::BIGINT AS rows, sum(failures)::BIGINT AS failures, "
      "list_sort(list_distinct(flatten(list(models)))) AS models, "
      "list_sort(list_distinct(flatten(list(engines)))) AS engines, "
      "list_sort(list_distinct(flatten(list(threads)))) AS threads, arg_max(argv, ended_ms) AS "
      "argv FROM runs GROUP BY selector)",
      "CREATE OR REPLACE TABLE entry_runs AS SELECT e.entry, r.run_key, r.files FROM runs r JOIN "
      "entries e USING (selector)",
      "CREATE OR REPLACE TABLE stats AS SELECT series_key, points, failures, first_ms, last_ms, "
      "tail[1] AS newest, list_aggregate(tail[2:8], 'median') AS before, CASE WHEN len(tail) >= 6 "
      "THEN list_aggregate(list_transform(range(1, len(tail)), i -> abs(ln(tail[i] / tail[i + "
      "1]))), 'median') / 0.9539 END AS noise FROM (SELECT series_key, count(*) AS points, "
      "count(*) FILTER (ms IS NULL) AS failures, min(at_ms) AS first_ms, max(at_ms) AS last_ms, "
      "arg_max(ms, at_ms, 25) FILTER (ms > 0) AS tail FROM points GROUP BY series_key)",
      "CREATE OR REPLACE TABLE machines AS SELECT machine, any_value(cpu) AS cpu, "
      "any_value(cpu_count) AS cpu_count, any_value(memory_gb) AS memory_gb, any_value(os) AS os, "
      "list_sort(list_distinct(flatten(list(engines)))) AS engines, sum(records)::BIGINT AS "
      "records, min(first_ms) AS first_ms, max(last_ms) AS last_ms FROM machine_parts GROUP BY "
      "machine",
      "CREATE OR REPLACE TABLE noise AS SELECT machine, (at_ms // 86400000) * 86400000 AS day, 100 "
      "* median((high_ms - low_ms) / ms) AS spread FROM points JOIN series USING (series_key) "
      "WHERE ms > 0 AND high_ms IS NOT NULL GROUP BY ALL"};
}

}  // namespace opbench
