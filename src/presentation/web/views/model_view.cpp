#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>

#include "presentation/web/model/model_records.h"
#include "presentation/web/requests/entry_choice.h"
#include "presentation/web/requests/list_query.h"
#include "presentation/web/view.h"

namespace opbench {
namespace {

double number_at(const Json& unit, const std::string& engine, const std::string& member) {
  const auto times = unit["by_engine"].find(engine);
  if (times == unit["by_engine"].end() || times->is_null()) return -1;
  const Json& value = (*times)[member];
  return value.is_number() ? value.get<double>() : -1;
}

Result<void> sort_units(const WebRequest& request, const ModelRecords& records,
                        std::vector<Json>& units) {
  const std::map<std::string, std::string> members = {{"total", "total_ms"},
                                                      {"ms", "ms"},
                                                      {"share", "share_pct"},
                                                      {"percent_of_peak", "percent_of_peak"},
                                                      {"name", ""}};
  std::vector<std::string> names;
  for (const auto& [name, member] : members) names.push_back(name);
  OPBENCH_TRY(const std::string sort, request.choice("sort", names, "total"));
  OPBENCH_TRY(const bool is_descending, request.is_descending(sort != "name"));
  std::vector<std::string> engines;
  for (const Json& engine : records.engines) engines.push_back(engine["key"].get<std::string>());
  if (engines.empty()) return {};
  OPBENCH_TRY(const std::string engine, request.choice("engine", engines, engines.front()));
  const std::string& member = members.at(sort);
  std::ranges::stable_sort(units, [&](const Json& x, const Json& y) {
    const Json& left = is_descending ? y : x;
    const Json& right = is_descending ? x : y;
    if (member.empty()) return left["unit"].get<std::string>() < right["unit"].get<std::string>();
    return number_at(left, engine, member) < number_at(right, engine, member);
  });
  return {};
}

Result<Json> run_model(const ViewContext& context, const WebRequest& request) {
  OPBENCH_TRY(const std::string selector, request.needed("run"));
  OPBENCH_TRY(const PageRange page, request.page(most_rows_of(context)));
  OPBENCH_TRY(Json info, entry_of(context.store, selector));
  const int64_t entry = take_entry(info);
  OPBENCH_TRY(const std::vector<std::string> models, models_of_entry(context.store, entry));
  OPBENCH_TRY(const std::string model, model_of_request(request, info, models));
  OPBENCH_TRY(ModelRecords records, model_records(context.store, entry, model));
  Json base;
  if (const std::string other = request.text("base"); !other.empty()) {
    OPBENCH_TRY(base, entry_of(context.store, other));
    const int64_t base_entry = take_entry(base);
    OPBENCH_TRY(const ModelRecords beside, model_records(context.store, base_entry, model));
    add_base(beside, records);
  }
  OPBENCH_CHECK(sort_units(request, records, records.units));
  Json units = Json::array();
  const auto end = std::min<int64_t>(std::ssize(records.units), page.offset + page.limit);
  for (int64_t at = page.offset; at < end; ++at) {
    units.push_back(records.units[static_cast<size_t>(at)]);
  }
  const Json command = info["command"];
  return Json{{"run", std::move(info)},
              {"base", std::move(base)},
              {"model", model},
              {"models", models},
              {"source", records.facts.front()["source"]},
              {"sha256", records.facts.front()["sha256"]},
              {"target", records.facts.front()["target"]},
              {"engines", records.engines},
              {"offset", page.offset},
              {"limit", page.limit},
              {"total", records.units.size()},
              {"units", std::move(units)},
              {"findings", std::move(records.findings)},
              {"command", command}};
}

}  // namespace

ViewDef model_view() {
  return {.name = "model",
          .parameters = {"run", "base", "model", "engine", "sort", "order", "offset", "limit"},
          .list = "units",
          .run = run_model};
}

}  // namespace opbench
