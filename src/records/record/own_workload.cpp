#include "records/record/own_workload.h"

#include <nlohmann/json.hpp>

#include "base/json/json.h"
#include "records/json/json_member.h"
#include "records/json/record_grammar.h"

namespace opbench {

std::string own_workload(const BenchmarkRecord& record) {
  const std::string args = record.workload_args.value_or(JsonText{}).text;
  if (const auto json = parse_json(args, "workload_args")) {
    if (auto text = text_member(*json, "workload")) return *std::move(text);
  }
  std::vector<RecordIssue> ignored;
  const WorkloadName name = parse_workload_name(record.workload, ignored);
  return name.domain == "opbench" ? name.name : record.workload;
}

}  // namespace opbench
