#include "benchmarks/together/graphs.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <filesystem>
#include <map>
#include <optional>
#include <sstream>

#include "base/files/file.h"
#include "base/numbers/random.h"
#include "base/system/seconds.h"
#include "engines/package/layout_plan.h"
#include "engines/package/memory_plan.h"
#include "experiments/sessions/model/model_source.h"
#include "experiments/sessions/request/profile_request.h"
#include "experiments/unit_times/unit_times.h"
#include "machine/target/parse_target.h"
#include "model/passes/passes.h"
#include "prediction/costs/expected_seconds.h"

namespace opbench {
namespace {

/// Measured times by workload, in the order of the model's units.
std::map<std::string, std::deque<double>> measured_times(const ThreadTimes& times,
                                                         const std::vector<std::string>& order) {
  std::map<std::string, std::deque<double>> found;
  std::map<std::string, int64_t> count;
  for (const std::string& workload : order) ++count[workload];
  for (const UnitRow& row : times.rows) {
    const std::string workload = workload_text(row.identity);
    auto& list = found[workload];
    const bool is_mean = row.in_place_ms.size() == 1;
    const int64_t copies = is_mean ? std::max<int64_t>(1, count[workload]) : 1;
    for (int64_t i = 0; i < copies; ++i) {
      list.insert(list.end(), row.in_place_ms.begin(), row.in_place_ms.end());
    }
  }
  return found;
}

Result<NamedGraph> graph_of_model(const std::string& name, const ProfileTimes* profile) {
  ProfileRequest request;
  request.model.name = name;
  request.model.is_zoo = true;
  OPBENCH_TRY(RequestedModel model, load_model(request.model, request.measure, request.hooks));
  OPBENCH_TRY(const Target target, parse_target(request.settings.target));
  OPBENCH_CHECK(infer_types(model));
  OPBENCH_TRY(const std::vector<Unit> units, lower(model));
  OPBENCH_TRY(const std::vector<PlannedStep> steps, plan_layouts(model, units, target));
  const MemoryPlan memory = plan_memory(model, steps);
  std::vector<std::string> order;
  for (const size_t planned : memory.planned) {
    order.push_back(text_of(steps[planned].workload()));
  }
  const ThreadTimes* times = nullptr;
  if (profile != nullptr) {
    const auto one = std::ranges::find(profile->threads, 1, &ThreadTimes::threads);
    if (one != profile->threads.end()) times = &*one;
  }
  auto measured = times != nullptr ? measured_times(*times, order)
                                   : std::map<std::string, std::deque<double>>();
  NamedGraph result{.name = name,
                    .times = times != nullptr ? "measured on one thread" : "predicted"};
  size_t missing = 0;
  for (size_t i = 0; i < memory.planned.size(); ++i) {
    const Workload& workload = steps[memory.planned[i]].workload();
    GraphUnit unit{.name = steps[memory.planned[i]].values.output, .kind = operator_text(workload)};
    auto& list = measured[order[i]];
    double ms = s_to_ms(expected_seconds(workload));
    if (!list.empty()) {
      ms = list.front();
      list.pop_front();
    } else if (times != nullptr) {
      ++missing;
    }
    for (const int need : memory.program.steps[i].needs) unit.needs.push_back({need});
    result.timed.add(std::move(unit), {.times_ms = {std::max(ms, 1e-6)}});
  }
  if (missing > 0) result.times += fmt::format(", {} units predicted", missing);
  OPBENCH_CHECK(check_timed(result.timed));
  return result;
}

Result<NamedGraph> read_graph(const std::filesystem::path& path) {
  OPBENCH_TRY(const std::string text, read_file(path));
  std::istringstream lines(text);
  size_t nodes = 0;
  size_t edges = 0;
  lines >> nodes >> edges;
  NamedGraph result{.name = path.stem().string(), .times = "seeded"};
  Random random(0, result.name);
  for (size_t i = 0; i < nodes && nodes < 100000; ++i) {
    result.timed.add({.name = fmt::format("n{}", i), .kind = "conv2d"},
                     {.times_ms = {0.1 + random.uniform()}});
  }
  for (size_t i = 0; i < edges; ++i) {
    size_t from = 0;
    size_t to = 0;
    if (!(lines >> from >> to) || from >= nodes || to >= nodes) break;
    result.timed.graph.units[to].needs.push_back({static_cast<int>(from)});
    result.timed.costs[to].emplace_back();
  }
  OPBENCH_CHECK(check_timed(result.timed));
  return result;
}

}  // namespace

Result<std::vector<NamedGraph>> model_graphs(const Arguments& arguments) {
  std::map<std::string, ProfileTimes> profiles;
  std::vector<std::string> names = arguments.values("--models");
  for (const std::string& file : arguments.values("--profiles")) {
    OPBENCH_TRY(const std::string text, read_file(file));
    OPBENCH_TRY(ProfileTimes times, parse_profile_times(text, file));
    if (std::ranges::find(names, times.model) == names.end()) names.push_back(times.model);
    profiles.emplace(times.model, std::move(times));
  }
  std::vector<NamedGraph> graphs;
  for (const std::string& name : names) {
    const auto profile = profiles.find(name);
    OPBENCH_TRY(NamedGraph graph,
                graph_of_model(name, profile == profiles.end() ? nullptr : &profile->second));
    graphs.push_back(std::move(graph));
  }
  return graphs;
}

Result<std::vector<NamedGraph>> generated_graphs(const Arguments& arguments) {
  std::vector<NamedGraph> graphs;
  std::error_code ignored;
  std::vector<std::filesystem::path> files;
  for (const auto& entry :
       std::filesystem::directory_iterator(arguments.value("--graphs"), ignored)) {
    if (entry.path().filename().string().starts_with("ws-")) files.push_back(entry.path());
  }
  std::ranges::sort(files);
  for (const auto& file : files) {
    OPBENCH_TRY(NamedGraph graph, read_graph(file));
    graphs.push_back(std::move(graph));
  }
  return graphs;
}

}  // namespace opbench
