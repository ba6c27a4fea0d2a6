#include <nlohmann/json.hpp>

#include "experiments/analysis/sweep_readers.h"
#include "measuring/results/sweep_json.h"

namespace opbench {

Result<SweptTimes> read_json_sweep(const Json& json, const std::string& path) {
  OPBENCH_TRY(const SweepResult result, parse_sweep(json, path));
  SweptTimes table = rows_of(result);
  table.source = path;
  table.time_name = "time_ms";
  return finished(std::move(table));
}

}  // namespace opbench
