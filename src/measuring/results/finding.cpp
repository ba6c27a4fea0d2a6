#include "measuring/results/finding.h"

#include <nlohmann/json.hpp>

#include "base/json/json_members.h"

namespace opbench {

Json findings_json(const std::vector<Finding>& findings) {
  Json list = Json::array();
  for (const Finding& one : findings) {
    Json json = {{"finding", one.finding},
                 {"where", one.where},
                 {"evidence", one.evidence},
                 {"gain_low_pct", one.gain_low_pct},
                 {"gain_high_pct", one.gain_high_pct},
                 {"command", one.command}};
    if (one.measured_gain_pct) json["measured_gain_pct"] = *one.measured_gain_pct;
    if (one.not_measured) json["measured_gain_pct_reason"] = *one.not_measured;
    list.push_back(std::move(json));
  }
  return list;
}

std::vector<Finding> findings_of(const Json& json) {
  std::vector<Finding> findings;
  if (!json.is_array()) return findings;
  for (const Json& entry : json) {
    Finding one{.finding = text_of_member(entry, "finding"),
                .where = text_of_member(entry, "where"),
                .evidence = text_of_member(entry, "evidence"),
                .gain_low_pct = number_of(entry, "gain_low_pct"),
                .gain_high_pct = number_of(entry, "gain_high_pct"),
                .command = text_of_member(entry, "command")};
    if (one.finding.empty()) continue;
    const auto measured = entry.find("measured_gain_pct");
    if (measured != entry.end() && measured->is_number()) one.measured_gain_pct = *measured;
    const std::string reason = text_of_member(entry, "measured_gain_pct_reason");
    if (!reason.empty()) one.not_measured = reason;
    findings.push_back(std::move(one));
  }
  return findings;
}

}  // namespace opbench
