#include <halide14/Halide.h>

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "base/numbers/divisors.h"
#include "kernels/schedules/expressions/elementwise_expr.h"
#include "kernels/schedules/kernel_builder.h"
#include "kernels/schedules/knobs/ahead_knob.h"
#include "kernels/schedules/knobs/knob_values.h"
#include "kernels/schedules/knobs/tile_rule.h"
#include "kernels/schedules/narrow.h"
#include "kernels/schedules/operands/anchor_check.h"
#include "model/operators/recurrent/recurrent_steps.h"

// One call is one time step. The previous state comes in one buffer, the new one goes to another:
// the rows of Y serve as both. Every thread has its own units, the same in every step, so that
// their weights stay in the cache of its core.

namespace opbench {
namespace {

using Halide::Expr;
using Halide::Func;
using Halide::RDom;
using Halide::TailStrategy;
using Halide::Var;

constexpr const char* kRecurrentStepsVectors = "vectors";  ///< of units in a panel of weights
constexpr const char* kRecurrentStepsRows =
    "rows";  ///< of the batch that share the weights they load
constexpr const char* kRecurrentStepsTasks = "tasks";  ///< parts of the units that run in parallel
constexpr int64_t kRecurrentStepsMostVectors = 4;
constexpr int64_t kRecurrentStepsMostTasks = 16;

RecurrentStepsExtents recurrent_steps_extents_of(const KernelSpec& spec) {
  return recurrent_steps_extents(anchor_type(spec, kSums).shape,
                                 anchor_type(spec, kRecurrentWeight).shape);
}

/// Activations without values of their own that vectors compute.
bool has_known_activations(const Node& node) {
  constexpr std::array<std::string_view, 4> kKnown = {"Sigmoid", "Tanh", "Relu", "Softsign"};
  return std::ranges::all_of(step_activations(node), [&](const std::string& name) {
    return std::ranges::count(kKnown, name) > 0;
  });
}

bool is_taken(const KernelSpec& spec) {
  const Workload& workload = spec.workload;
  const Node& node = anchor_of(spec);
  const bool is_ours =
      node.type == "LstmSteps" || node.type == "RnnSteps" || is_linear_before_reset(node);
  if (workload.graph.nodes.size() != 1 || !is_ours || !has_known_activations(node)) return false;
  // The cell passes from call to call in its output.
  if (node.type == "LstmSteps" && workload.graph.outputs.size() != 2) return false;
  const bool is_dense = std::ranges::all_of(spec.layouts, &Layout::is_dense);
  const bool has_floats = std::ranges::all_of(workload.graph.types, [](const auto& entry) {
    return entry.second.data_type == DataType::kFloat32 && entry.second.size() > 0;
  });
  return is_dense && has_floats && workload.is_weight(node.inputs[kRecurrentWeight]) &&
         !workload.is_weight(node.inputs[kSums]) &&
         std::ranges::all_of(node.inputs, [&](const auto& name) {
           return !workload.graph.constants.contains(name);
         });
}

int64_t width_of(const KernelSpec& spec) {
  return spec.config.at(kRecurrentStepsVectors) * float_lanes(spec.target);
}

/// Few rows leave room for more vectors, whose sums hide the latency of multiply-adds.
std::optional<Config> recurrent_steps_default_config(const KernelSpec& spec) {
  if (!is_taken(spec)) return std::nullopt;
  constexpr int64_t kLeastTask = 1 << 16;  // multiply-adds: longer than threads need to meet
  constexpr int64_t kFewSums = 8;
  const auto [steps, batch, gates, units] = recurrent_steps_extents_of(spec);
  const int64_t lanes = float_lanes(spec.target);
  int64_t rows = 1;
  for (const int64_t candidate : divisors(batch, batch)) {
    if (candidate * gates <= most_sums(spec.target)) rows = candidate;
  }
  int64_t vectors = 1;
  while (2 * vectors <= kRecurrentStepsMostVectors && rows * gates * vectors < kFewSums &&
         2 * rows * gates * vectors <= most_sums(spec.target) && 2 * vectors * lanes <= units) {
    vectors *= 2;
  }
  const int64_t panels = ceil_div(units, vectors * lanes);
  const int64_t work = units * units * gates * batch;
  const int64_t tasks =
      std::min({panels, int64_t{spec.threads}, work / kLeastTask, kRecurrentStepsMostTasks});
  Config config = {{kRecurrentStepsVectors, vectors},
                   {kRecurrentStepsRows, rows},
                   {kRecurrentStepsTasks, std::max<int64_t>(tasks, 1)}};
  return with_ahead(std::move(config), spec.target, gates * units * units);
}

std::vector<KnobRange> recurrent_steps_knobs(const KernelSpec& spec) {
  const auto [steps, batch, gates, units] = recurrent_steps_extents_of(spec);
  const Config usual = recurrent_steps_default_config(spec).value();
  const int64_t most_rows = std::max(most_sums(spec.target) / gates, usual.at(kRecurrentStepsRows));
  std::vector<KnobRange> recurrent_steps_knobs = {
      {kRecurrentStepsVectors,
       doublings(kRecurrentStepsMostVectors, usual.at(kRecurrentStepsVectors))},
      {kRecurrentStepsRows, divisors(batch, most_rows)},
      {kRecurrentStepsTasks, doublings(kRecurrentStepsMostTasks, usual.at(kRecurrentStepsTasks))}};
  return with_ahead(std::move(recurrent_steps_knobs), spec.target, gates * units * units);
}

Result<void> check_recurrent_steps_config(const KernelSpec& spec) {
  const auto [steps, batch, gates, units] = recurrent_steps_extents_of(spec);
  OPBENCH_CHECK(check_range(spec.config, kRecurrentStepsVectors, 1, kRecurrentStepsMostVectors));
  OPBENCH_CHECK(check_divisor(spec.config, kRecurrentStepsRows, batch, "the batch"));
  OPBENCH_CHECK(check_range(spec.config, kRecurrentStepsTasks, 1, kRecurrentStepsMostTasks));
  const int64_t sums =
      gates * spec.config.at(kRecurrentStepsVectors) * spec.config.at(kRecurrentStepsRows);
  return check_sums(sums, most_sums(spec.target));
}

/// Sums and rows of Y move; the first state is that of the operand, later ones the row before.
CallRepeat repeat(const KernelSpec& spec) {
  const int y = static_cast<int>(anchor_of(spec).inputs.size());
  CallRepeat repeat{.count = recurrent_steps_extents_of(spec).steps,
                    .is_backward = goes_backward(anchor_of(spec)),
                    .moving = {kSums, y},
                    .feeds = {{y, kInitialHidden}}};
  if (anchor_of(spec).type == "LstmSteps") repeat.feeds.push_back({y + 1, kCellOrBias});
  return repeat;
}

/// The recurrent weights in panels of units, [panel, k, gate, unit], zeros past the last unit: in
/// the order in which a step reads them.
Result<Tensor> pack_recurrent_steps(const KernelSpec& spec, size_t index, const Tensor& weight) {
  if (index != input_index(spec.workload, 0, kRecurrentWeight)) return weight;
  const auto [steps, batch, gates, units] = recurrent_steps_extents_of(spec);
  const int64_t width = width_of(spec);
  Tensor packed =
      Tensor::empty({DataType::kFloat32, {ceil_div(units, width), units, gates, width}});
  const auto from = weight.as<float>();
  auto to = packed.as<float>().begin();
  for (int64_t panel = 0; panel < packed.type.shape[0]; ++panel) {
    for (int64_t k = 0; k < units; ++k) {
      for (int64_t gate = 0; gate < gates; ++gate) {
        for (int64_t unit = panel * width; unit < (panel + 1) * width; ++unit) {
          const auto source = static_cast<size_t>((gate * units + unit) * units + k);
          *to++ = unit < units ? from[source] : 0.0f;
        }
      }
    }
  }
  return packed;
}

/// The state after one step, of one unit of one sequence.
class Cell {
 public:
  Cell(const KernelSpec& spec, KernelBuilder& builder)
      : node_(anchor_of(spec)), activations_(step_activations(node_)) {
    const auto [steps, batch, gates, units] = recurrent_steps_extents_of(spec);
    units_ = narrow(units);
    from_input_ = builder.packed(index(spec, kSums), {gates * units, batch});
    hidden_ = builder.packed(index(spec, kInitialHidden), {units, batch});
    if (node_.inputs.size() <= kCellOrBias) return;
    const bool is_bias = node_.type == "GruSteps";
    last_ = builder.packed(index(spec, kCellOrBias), {units, is_bias ? 1 : batch});
  }

  const Func& hidden() const { return hidden_; }

  /// One value for every output. `sum` is the product with the recurrent weights.
  std::vector<Expr> next(const Func& sum, const Expr& u, const Expr& b) const {
    const auto product = [&](int gate) { return sum(u, gate, b); };
    const auto input = [&](int gate) { return from_input_(gate * units_ + u, b); };
    if (node_.type == "RnnSteps") return {activation(0, input(0) + product(0))};
    if (node_.type == "GruSteps") {
      const Expr update = activation(0, input(0) + product(0));
      const Expr reset = activation(0, input(1) + product(1));
      const Expr fresh = activation(1, input(2) + reset * (product(2) + last_(u, 0)));
      return {fresh + update * (hidden_(u, b) - fresh)};
    }
    const auto gate = [&](int g) { return activation(g == 3 ? 1 : 0, input(g) + product(g)); };
    const Expr cell = gate(2) * last_(u, b) + gate(0) * gate(3);
    return {gate(1) * activation(2, cell), cell};
  }

 private:
  static size_t index(const KernelSpec& spec, size_t operand) {
    return *input_index(spec.workload, 0, operand);
  }

  Expr activation(size_t which, const Expr& x) const {
    return elementwise_expr({.type = activations_.at(which)}, {x});
  }

  const Node& node_;
  std::vector<std::string> activations_;
  int units_ = 0;
  Func from_input_, hidden_;
  Func last_;  ///< the cell of LSTM, the bias of GRU's hidden gate
};

Func build_recurrent_steps(const KernelSpec& spec, KernelBuilder& builder) {
  const auto [steps, batch, gates, units] = recurrent_steps_extents_of(spec);
  const int width = narrow(width_of(spec));
  const int64_t panels = ceil_div(units, int64_t{width});
  const auto rows = static_cast<int>(spec.config.at(kRecurrentStepsRows));
  const int panels_of_task = narrow(ceil_div(panels, spec.config.at(kRecurrentStepsTasks)));
  const Func weights = builder.packed_stream(*input_index(spec.workload, 0, kRecurrentWeight),
                                             {width, gates, units, panels}, {"bo"});
  const Cell cell(spec, builder);
  const Var u("u"), gate("gate"), b("b");
  const Var ui("ui"), panel("panel"), task("task"), bo("bo"), bi("bi");
  const RDom k(0, narrow(units), "k");
  Func sum("sum"), out("out");
  sum(u, gate, b) = 0.0f;
  sum(u, gate, b) += weights(u % width, gate, k, u / width) * cell.hidden()(k, b);
  out(u, b) = Halide::Tuple(cell.next(sum, u, b));
  builder.set_output_extents({units, batch});

  out.split(u, panel, ui, width, TailStrategy::GuardWithIf)
      .split(panel, task, panel, panels_of_task, TailStrategy::GuardWithIf)
      .split(b, bo, bi, rows, TailStrategy::GuardWithIf)
      .reorder(ui, bi, bo, panel, task)
      .vectorize(ui, builder.lanes())
      .unroll(ui)
      .unroll(bi);
  if (spec.config.at(kRecurrentStepsTasks) > 1) out.parallel(task);
  sum.compute_at(out, bo).bound_extent(u, width);
  sum.vectorize(u, builder.lanes()).unroll(u).unroll(gate).unroll(b);
  sum.update()
      .reorder(u, gate, b, k.x)
      .vectorize(u, builder.lanes())
      .unroll(u)
      .unroll(gate)
      .unroll(b)
      .unroll(k.x, unrolled_steps(units));
  return out;
}

}  // namespace

ScheduleDef recurrent_steps_schedule() {
  return {.name = "recurrent_steps",
          .summary = "a recurrent layer step by step, weights in panels, gates in registers",
          .default_config = recurrent_steps_default_config,
          .knobs = recurrent_steps_knobs,
          .priority = 10,
          .has_all_outputs = true,
          .repeat = repeat,
          .pack = pack_recurrent_steps,
          .check_config = check_recurrent_steps_config,
          .build = build_recurrent_steps};
}

}  // namespace opbench
