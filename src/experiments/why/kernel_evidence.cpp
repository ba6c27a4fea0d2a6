#include "experiments/why/kernel_evidence.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/numbers/divisors.h"
#include "engines/package/kernel_cache.h"
#include "engines/package/kernel_listing.h"
#include "engines/package/layout_plan.h"
#include "kernels/schedules/convolution/conv_geometry.h"
#include "kernels/schedules/matrix/product_shape.h"
#include "prediction/workloads/all_taps.h"
#include "prediction/workloads/kernel_work.h"

namespace opbench {
namespace {

constexpr int kFloatBits = 32;

int64_t knob_of(const KernelSpec& spec, const char* name) {
  const auto found = spec.config.find(name);
  return found == spec.config.end() ? 1 : std::max<int64_t>(found->second, 1);
}

// How many times `extent` is covered by parts of `part`.
double covered(int64_t extent, int64_t part) {
  if (extent <= 0 || part <= 1) return 1;
  return static_cast<double>(ceil_div(extent, part) * part) / static_cast<double>(extent);
}

// Outputs that the tiles of a kernel compute over those that there are.
double tile_waste_of(const KernelSpec& spec) {
  const int lanes = std::max(float_lanes(spec.target), 1);
  const bool is_product = spec.schedule == "matmul" || spec.schedule == "dense";
  if (is_product && takes_product(spec)) {
    const GemmExtents extents = product_of(spec).extents;
    return covered(extents.n, knob_of(spec, "vectors") * lanes) *
           covered(extents.m, knob_of(spec, "rows"));
  }
  const Shape& out = spec.workload.graph.types.at(spec.workload.graph.outputs.front().name).shape;
  if (out.empty()) return 1;
  const int64_t columns = ceil_div(std::max<int64_t>(out.back(), 1), knob_of(spec, "m"));
  return covered(columns, std::min(knob_of(spec, "tile_x"), columns));
}

double tap_flops_of(const KernelSpec& spec) {
  const auto geometry = conv_geometry(spec.workload);
  if (!geometry) return 0;
  return flops_of_all_taps(*geometry, static_cast<double>(element_count(geometry->output)));
}

}  // namespace

std::optional<KernelSpec> kernel_spec_of(const EngineRun& engine_run, const PreparedUnit& unit) {
  const bool is_ours = engine_run.asked.definition.takes_packages && unit.identity.workload &&
                       unit.identity.schedule != kReferenceSchedule;
  if (!is_ours) return std::nullopt;
  KernelSpec spec;
  spec.workload = *unit.identity.workload;
  spec.target = engine_run.asked.options.target;
  spec.threads = engine_run.asked.options.threads;
  const std::vector<int> blocks = unit.identity.blocks.empty()
                                      ? blocks_alone(spec.workload, spec.target)
                                      : unit.identity.blocks;
  for (const int block : blocks) spec.layouts.push_back({block});
  if (spec.layouts.size() != spec.workload.graph.inputs.size() + 1) return std::nullopt;
  const KernelChoices choices(engine_run.asked.options.kernels);
  if (choices.complete(spec, {}) == nullptr && !choose_schedule(spec)) return std::nullopt;
  // A kernel that could not be built has another in its place.
  const std::string& schedule = unit.identity.schedule;
  if (!schedule.empty() && spec.schedule != schedule) return std::nullopt;
  return spec;
}

KernelEvidence kernel_evidence(const KernelSpec& spec, const std::filesystem::path& cache) {
  KernelEvidence evidence;
  evidence.work = kernel_work(spec);
  evidence.tap_flops = tap_flops_of(spec);
  evidence.tile_waste = tile_waste_of(spec);
  evidence.target_bits = float_lanes(spec.target) * kFloatBits;
  evidence.schedule = spec.schedule;
  for (const auto& [knob, value] : spec.config) {
    evidence.schedule += fmt::format(" {}={}", knob, value);
  }
  if (!is_x86(spec.target)) {
    evidence.no_code = "only code for x86 is read";
    return evidence;
  }
  const Result<std::string> listing = kernel_listing(key_of(spec, cache).object);
  if (!listing) {
    evidence.no_code = listing.error().message;
    return evidence;
  }
  evidence.code = read_listing(*listing);
  if (!evidence.code.hot) evidence.no_code = "its code has no vector instruction";
  return evidence;
}

double converted_bytes(const KernelSpec& spec) {
  double bytes = 0;
  const Graph& graph = spec.workload.graph;
  const auto add = [&](const std::string& name, const Layout& layout) {
    // Each value is read in one layout and written in the other.
    if (!layout.is_dense()) bytes += 2 * static_cast<double>(graph.types.at(name).bytes());
  };
  for (size_t i = 0; i < graph.inputs.size(); ++i) {
    if (!spec.workload.is_weight(graph.inputs[i].name)) add(graph.inputs[i].name, spec.layouts[i]);
  }
  if (!graph.outputs.empty()) add(graph.outputs.front().name, spec.output_layout());
  return bytes;
}

}  // namespace opbench
