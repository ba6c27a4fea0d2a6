#include "benchmarks/kernels/contest.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

#include "base/files/file.h"
#include "base/json/json.h"
#include "base/numbers/hash.h"
#include "benchmarks/common/program_run.h"
#include "experiments/compare/compare_request.h"
#include "experiments/sessions/model/model_source.h"
#include "machine/ceilings/ceilings.h"
#include "machine/resources/cpu_choice.h"
#include "machine/resources/pinning.h"
#include "model/graph/onnx_file.h"

namespace opbench {
namespace {

/// What the names in shape number `index` of a model begin with.
std::string prefix_of(size_t index) { return fmt::format("s{}_", index); }

/// Adds a workload as nodes that no other node touches.
void add_workload(Model& model, const Workload& workload, size_t index) {
  const std::string prefix = prefix_of(index);
  Model one = model_of_workload(workload, 0);
  for (Node& node : one.graph.nodes) {
    node.name = prefix + node.name;
    for (auto* names : {&node.inputs, &node.outputs}) {
      for (std::string& name : *names) name = name.empty() ? name : prefix + name;
    }
    model.graph.nodes.push_back(std::move(node));
  }
  for (Value& input : one.graph.inputs) {
    input.name = prefix + input.name;
    model.graph.inputs.push_back(std::move(input));
  }
  for (Value& output : one.graph.outputs) {
    output.name = prefix + output.name;
    model.graph.outputs.push_back(std::move(output));
  }
  for (auto& [name, tensor] : one.graph.constants) {
    model.graph.constants.emplace(prefix + name, std::move(tensor));
  }
  model.opset = one.opset;
  model.ir_version = one.ir_version;
}

Result<void> write_model(const std::vector<KernelContender>& contenders,
                         const std::filesystem::path& path) {
  Model model;
  model.name = "kernels";
  for (size_t i = 0; i < contenders.size(); ++i) {
    add_workload(model, contenders[i].spec.workload, i);
  }
  return write_onnx(model, path);
}

CompareRequest kernel_contest_request_of(const std::vector<KernelContender>& contenders,
                                         const std::filesystem::path& model,
                                         const ContestOptions& options) {
  VariantRequest side;
  side.model.name = model;
  side.variant.threads = options.threads;
  side.measure.cache = options.cache;
  side.variant.settings.target = contenders.front().shape.target;
  for (const KernelContender& one : contenders) {
    side.variant.settings.kernels.insert(side.variant.settings.kernels.end(), one.choices.begin(),
                                         one.choices.end());
  }
  CompareRequest request;
  for (const char* engine : {"halide", kDefaultPeer, kBestPeer}) {
    side.variant.engine = engine;
    request.sides.push_back(side);
  }
  request.units = UnitKind::kOwn;
  request.budget_s = options.budget_s * static_cast<double>(contenders.size());
  return request;
}

/// The verdict on ours, when `theirs` is on the peer.
std::string kernel_contest_verdict_on_ours(Verdict theirs) {
  if (theirs == Verdict::kSlower) return std::string(name_of(Verdict::kFaster));
  if (theirs == Verdict::kFaster) return std::string(name_of(Verdict::kSlower));
  return std::string(name_of(theirs));
}

double peak_of(const std::vector<int>& cpus) { return remeasure_peak(cpus).value_or(0); }

void fill(KernelRow& row, const CompareUnit& unit, const Workload& workload) {
  if (unit.candidate) row.peer_ms = unit.candidate->median_ms;
  if (unit.base) set_our_time(row, unit.base->median_ms, workload);
  row.ratio = unit.ratio;
  if (unit.verdict) row.verdict = kernel_contest_verdict_on_ours(*unit.verdict);
  if (!unit.verdict) row.reason = unit.reason.empty() ? "it was not timed" : unit.reason;
}

/// The unit that computes shape number `index`.
const CompareUnit* kernel_contest_unit_of(const Comparison& comparison, size_t index) {
  const std::string prefix = prefix_of(index);
  const auto found = std::ranges::find_if(comparison.units, [&](const CompareUnit& unit) {
    const std::vector<std::string>& nodes = unit.identity.nodes;
    return !nodes.empty() && nodes.front().starts_with(prefix);
  });
  return found == comparison.units.end() ? nullptr : &*found;
}

}  // namespace

KernelRow begun_row(const KernelContender& contender, const std::string& peer, int threads) {
  return {.shape = contender.shape,
          .threads = threads,
          .peer = peer,
          .schedule = contender.spec.schedule,
          .origin = contender.origin};
}

void set_our_time(KernelRow& row, double milliseconds, const Workload& workload) {
  constexpr double kMilliToGiga = 1e-6;
  row.ours_ms = milliseconds;
  row.gflops = milliseconds > 0 ? flops_of(workload) / milliseconds * kMilliToGiga : 0;
}

Result<std::vector<int>> contest_cpus(int threads) {
  OPBENCH_TRY(const Topology topology, this_topology());
  return choose_cpus(topology, threads, current_affinity());
}

Result<std::vector<KernelRow>> compare_with_engines(const std::vector<KernelContender>& contenders,
                                                    const ContestOptions& options) {
  OPBENCH_TRY(const TemporaryFolder folder, TemporaryFolder::make());
  const std::filesystem::path model = folder.path() / "kernels.onnx";
  OPBENCH_CHECK(write_model(contenders, model));
  OPBENCH_TRY(const std::vector<int> cpus, contest_cpus(options.threads));
  const double peak = peak_of(cpus);
  OPBENCH_TRY(const CompareResult result,
              run_compare(kernel_contest_request_of(contenders, model, options)));
  for (const std::string& warning : result.warnings) Report::progress(warning);
  std::vector<KernelRow> rows;
  for (size_t i = 0; i < contenders.size(); ++i) {
    for (const Comparison& comparison : result.comparisons) {
      const std::string& peer = result.sides[comparison.candidate].engine;
      KernelRow row = begun_row(contenders[i], peer, options.threads);
      row.peak_gflops = peak;
      if (const CompareUnit* unit = kernel_contest_unit_of(comparison, i)) {
        fill(row, *unit, contenders[i].spec.workload);
      } else {
        row.reason = "the comparison has no such unit";
      }
      rows.push_back(std::move(row));
    }
  }
  return rows;
}

}  // namespace opbench
