#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

#include "presentation/web/model/model_records.h"
#include "presentation/web/model/recorded_graph.h"
#include "presentation/web/requests/entry_choice.h"
#include "presentation/web/view.h"

namespace opbench {
namespace {

/// Which engine's steps are drawn: the one that is asked for, else the first that has some.
Result<const RecordedSteps*> graph_steps_of(const WebRequest& request,
                                            const std::vector<RecordedSteps>& runs) {
  std::vector<std::string> engines;
  for (const RecordedSteps& run : runs) engines.push_back(run.engine);
  std::string asked = request.text("engine");
  if (!asked.empty()) {
    OPBENCH_TRY(asked, request.choice("engine", engines, asked));
  }
  for (const RecordedSteps& run : runs) {
    if (asked.empty() ? !run.steps.empty() : run.engine == asked) return &run;
  }
  return nullptr;
}

Result<Json> run_model_graph(const ViewContext& context, const WebRequest& request) {
  OPBENCH_TRY(const std::string selector, request.needed("run"));
  OPBENCH_TRY(Json info, entry_of(context.store, selector));
  const int64_t entry = take_entry(info);
  OPBENCH_TRY(const std::vector<std::string> models, models_of_entry(context.store, entry));
  OPBENCH_TRY(const std::string model, model_of_request(request, info, models));
  OPBENCH_TRY(const auto runs, recorded_steps(context.store, entry, model));
  OPBENCH_TRY(const RecordedSteps* const run, graph_steps_of(request, runs));
  Json answer = run == nullptr ? drawn_graph({}) : drawn_graph(*run);
  answer["model"] = model;
  answer["engine"] = run == nullptr ? Json() : Json(run->engine);
  answer["engines"] = Json::array();
  for (const RecordedSteps& one : runs) {
    if (!one.steps.empty()) answer["engines"].push_back(one.engine);
  }
  answer["why_no_edges"] =
      why_no_edges(run, std::ranges::none_of(runs, &RecordedSteps::has_model), model);
  return answer;
}

}  // namespace

ViewDef model_graph_view() {
  return {.name = "model/graph",
          .parameters = {"run", "model", "engine"},
          .list = "nodes",
          .run = run_model_graph};
}

}  // namespace opbench
