#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "presentation/web/compare/run_samples.h"
#include "presentation/web/requests/entry_choice.h"
#include "presentation/web/view.h"

namespace opbench {
namespace {

/// The newest run with this software, or the run that a selector names.
Result<int64_t> entry_with(WebStore& store, const std::string& name) {
  OPBENCH_TRY(const QueryResult found,
              store.query(fmt::format("SELECT entry FROM entries WHERE starts_with(software, {}) "
                                      "ORDER BY ended_ms DESC LIMIT 1",
                                      sql_text(name))));
  if (!found.rows.empty()) return found.rows[0][0].get<int64_t>();
  OPBENCH_TRY(Json info, entry_of(store, name));
  return take_entry(info);
}

Result<Json> run_machines_diff(const ViewContext& context, const WebRequest& request) {
  OPBENCH_TRY(const std::string a, request.needed("a"));
  OPBENCH_TRY(const std::string b, request.needed("b"));
  OPBENCH_TRY(const int64_t entry_a, entry_with(context.store, a));
  OPBENCH_TRY(const int64_t entry_b, entry_with(context.store, b));
  OPBENCH_TRY(Json difference, environment_difference(context.store, entry_a, entry_b));
  difference["a"] = a;
  difference["b"] = b;
  return difference;
}

}  // namespace

ViewDef machines_diff_view() {
  return {
      .name = "machines/diff", .parameters = {"a", "b"}, .list = "rows", .run = run_machines_diff};
}

}  // namespace opbench
