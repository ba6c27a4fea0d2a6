#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "presentation/web/view.h"

namespace opbench {
namespace {

constexpr const char* kMachines =
    "SELECT machine AS machine_hash, left(machine, 12) AS machine, coalesce(cpu, 'unknown "
    "machine') AS name, cpu, cpu_count, memory_gb, os, engines, records, moment(first_ms) AS "
    "first_at, moment(last_ms) AS last_at FROM machines ORDER BY last_ms DESC LIMIT 50";

Result<Json> software_of(WebStore& store, const std::string& machine) {
  OPBENCH_TRY(
      const QueryResult found,
      store.query("SELECT left(software, 12) AS software, moment(min(began_ms)) AS first_at, "
                  "moment(max(ended_ms)) AS last_at, sum(rows)::BIGINT AS records FROM runs "
                  "WHERE software IS NOT NULL AND machine = " +
                  sql_text(machine) + " GROUP BY 1 ORDER BY max(ended_ms) DESC LIMIT 50"));
  return rows_json(found);
}

/// How far apart samples lay, by day.
Result<Json> noise_of_machine(WebStore& store, const std::string& machine) {
  OPBENCH_TRY(const QueryResult found,
              store.query("SELECT day, spread FROM noise WHERE machine = " + sql_text(machine) +
                          " ORDER BY day DESC LIMIT 400"));
  Json at = Json::array(), spread = Json::array(), none = Json::array();
  for (auto row = found.rows.rbegin(); row != found.rows.rend(); ++row) {
    at.push_back((*row)[0]);
    spread.push_back((*row)[1]);
    none.push_back(nullptr);
  }
  return Json{{"at_epoch_ms", std::move(at)},
              {"spread_pct", std::move(spread)},
              {"peak_gflops", none},
              {"memory_gbytes_per_s", none}};
}

Result<Json> run_machines(const ViewContext& context, const WebRequest&) {
  OPBENCH_TRY(const QueryResult found, context.store.query(kMachines));
  Json machines = rows_json(found);
  for (Json& machine : machines) {
    const std::string hash = machine["machine_hash"].get<std::string>();
    machine.erase("machine_hash");
    OPBENCH_TRY(machine["software"], software_of(context.store, hash));
    OPBENCH_TRY(machine["noise"], noise_of_machine(context.store, hash));
  }
  return Json{{"machines", std::move(machines)}};
}

}  // namespace

ViewDef machines_view() {
  return {.name = "machines", .parameters = {}, .list = "machines", .run = run_machines};
}

}  // namespace opbench
