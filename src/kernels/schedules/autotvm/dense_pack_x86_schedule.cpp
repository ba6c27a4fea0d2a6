#include <halide14/Halide.h>

#include "base/numbers/divisors.h"
#include "kernels/schedules/autotvm/template_product.h"
#include "kernels/schedules/autotvm/template_tile.h"
#include "kernels/schedules/kernel_builder.h"
#include "kernels/schedules/knobs/knob_values.h"
#include "kernels/schedules/knobs/tile_estimate.h"
#include "kernels/schedules/narrow.h"
#include "kernels/schedules/schedule.h"

namespace opbench {
namespace {

using Halide::Expr;
using Halide::Func;
using Halide::TailStrategy;
using Halide::Var;

/// AutoTVM's choice without a record.
std::optional<Config> dense_pack_x86_default_config(const KernelSpec& spec) {
  const std::optional<TemplateProduct> product = dense_product(spec);
  if (!product) return std::nullopt;
  const int64_t block = largest_divisor(product->n, 2 * int64_t{float_lanes(spec.target)});
  const int64_t rows = power_of_two_dividing(product->m, 8);
  return Config{{"tile_y", rows},  {"tile_y_1", middle_part(product->m / rows)},
                {"tile_x", block}, {"tile_x_1", middle_part(product->n / block)},
                {"tile_k", 1},     {"tile_inner", rows}};
}

Result<void> check_dense_pack_x86_config(const KernelSpec& spec) {
  const std::optional<TemplateProduct> product = dense_product(spec);
  if (!product) return Error{ErrorCode::kInvalidInput, "dense_pack_x86 does not take the workload"};
  const Config& config = spec.config;
  OPBENCH_CHECK(check_divisor(config, "tile_y", product->m));
  OPBENCH_CHECK(check_divisor(config, "tile_y_1", product->m / config.at("tile_y")));
  OPBENCH_CHECK(check_divisor(config, "tile_x", product->n));
  OPBENCH_CHECK(check_divisor(config, "tile_x_1", product->n / config.at("tile_x")));
  OPBENCH_CHECK(check_divisor(config, "tile_k", product->k));
  return check_divisor(config, "tile_inner", product->m);
}

/// One kernel of AutoTVM's template dense_pack.x86: a tile of `tile_y` rows and `tile_x` columns is
/// summed over all of k before the next, `tile_k` steps unrolled; `tile_inner` rows at a time of
/// the tile take these steps. The right matrix lies in panels of `tile_x` columns.
class DensePackX86 {
 public:
  DensePackX86(const KernelSpec& spec, KernelBuilder& builder)
      : spec_(spec), builder_(builder), product_(*dense_product(spec)) {
    const auto knob = [&](const char* name) { return narrow(spec.config.at(name)); };
    rows_ = knob("tile_y");
    columns_ = knob("tile_x");
    steps_ = knob("tile_k");
    inner_rows_ = knob("tile_inner");
    width_ = narrow(vector_part(columns_, builder.lanes()));
    vectors_ = vector_count(columns_, builder.lanes());
  }

  Func build() {
    define();
    const Var mt("mt"), mo("mo"), mi("mi"), zo("zo"), zi("zi"), task("task"), tile("tile");
    out_.bound(x_, 0, columns_).split(x_, xv_, x_, width_).vectorize(x_);
    out_.split(z_, zo, zi, narrow(spec_.config.at("tile_x_1")))
        .split(m_, mo, mi, rows_)
        .split(mo, mt, mo, narrow(spec_.config.at("tile_y_1")))
        .reorder(x_, xv_, mi, zi, mo, mt, zo)
        .fuse(mt, zo, task)
        .fuse(zi, mo, tile)
        .parallel(task);
    if (rows_ * vectors_ <= kMostUnrolled) out_.unroll(xv_).unroll(mi);
    sum_.compute_at(out_, tile).split(x_, xv_, x_, width_).reorder(x_, xv_, m_).vectorize(x_);
    if (rows_ * vectors_ <= kMostUnrolled) sum_.unroll(xv_).unroll(m_);
    schedule_update();
    return out_;
  }

 private:
  void define() {
    const Expr depth = narrow(product_.k);
    Func panel("panel");
    const Expr column = x_ + z_ * columns_;
    if (product_.has_known_right) {
      const std::vector<int64_t> extents = {columns_, product_.k, product_.n / columns_};
      panel(x_, k_, z_) = builder_.packed(*input_index(spec_.workload, 0, 1), extents)(x_, k_, z_);
    } else {
      panel(x_, k_, z_) = right_value(spec_, builder_, product_, k_, column, 0);
      panel.compute_root().split(x_, xv_, x_, width_).vectorize(x_).parallel(z_);
    }
    r_ = Halide::RDom(0, depth, "k");
    sum_(x_, m_, z_) = 0.0f;
    sum_(x_, m_, z_) += left_value(spec_, builder_, product_, r_, m_, 0) * panel(x_, r_, z_);
    out_(x_, z_, m_) = finished_value(spec_, builder_, product_, sum_(x_, m_, z_), column, m_, 0);
    builder_.set_output_extents({columns_, product_.n / columns_, product_.m});
  }

  void schedule_update() {
    const Var yo("yo"), yi("yi");
    const Halide::RVar ko("ko"), ki("ki");
    Halide::Stage update = sum_.update();
    update.split(x_, xv_, x_, width_).split(r_, ko, ki, steps_);
    std::vector<Halide::VarOrRVar> loops = {xv_, m_, ki};
    std::vector<int64_t> extents = {vectors_, rows_, steps_};
    const bool has_groups = inner_rows_ > 1 && inner_rows_ < rows_;
    if (has_groups) {
      update.split(m_, yo, yi, inner_rows_, TailStrategy::GuardWithIf);
      loops = {xv_, yi, ki, yo};
      extents = {vectors_, inner_rows_, steps_, (rows_ + inner_rows_ - 1) / inner_rows_};
    }
    std::vector<Halide::VarOrRVar> order = {x_};
    order.insert(order.end(), loops.begin(), loops.end());
    order.emplace_back(ko);
    update.reorder(order).vectorize(x_);
    const size_t count = unrolled_loops(extents, 1);
    for (size_t i = 0; i < count; ++i) update.unroll(loops[i]);
  }

  const KernelSpec& spec_;
  KernelBuilder& builder_;
  const TemplateProduct product_;
  int rows_ = 1;
  int columns_ = 1;
  int steps_ = 1;
  int inner_rows_ = 1;
  int width_ = 1;
  int64_t vectors_ = 1;
  Var x_{"x"}, xv_{"xv"}, m_{"m"}, z_{"z"}, k_{"k"};
  Halide::RDom r_;
  Func sum_{"sum"}, out_{"out"};
};

Func build_dense_pack_x86(const KernelSpec& spec, KernelBuilder& builder) {
  return DensePackX86(spec, builder).build();
}

/// Panels are read once for every tile of rows.
double estimate_dense_pack_x86(const KernelSpec& spec) {
  const TemplateProduct product = *dense_product(spec);
  const Config& config = spec.config;
  const int64_t vectors = vector_count(config.at("tile_x"), float_lanes(spec.target));
  const RegisterTile tile{config.at("tile_y"), vectors};
  const auto steps = static_cast<double>(product.k);
  const int64_t passes = product.m / tile.pixels;
  const int64_t tiles = passes * (product.n / config.at("tile_x"));
  constexpr double kLoop = 1;  // cycles of the loop over groups of unrolled steps
  const double step = step_cycles(tile, sum_registers(spec.target)) +
                      kLoop / static_cast<double>(config.at("tile_k"));
  const double sums = static_cast<double>(tiles) * (steps * step + tile_cycles(tile));
  const double right = steps * static_cast<double>(product.n) * sizeof(float);
  return beside(sums, read_cycles(static_cast<double>(passes) * right, right));
}

/// [K, N] as [N / tile_x, K, tile_x].
Result<Tensor> pack_dense_pack_x86(const KernelSpec& spec, size_t index, const Tensor& weight) {
  return pack_operand(spec, *dense_product(spec), index, weight, spec.config.at("tile_x"));
}

}  // namespace

ScheduleDef dense_pack_x86_schedule() {
  return {.name = "dense_pack_x86",
          .summary = "AutoTVM's template dense_pack.x86, for configs of its logs",
          .default_config = dense_pack_x86_default_config,
          .priority = -1,
          .pack = pack_dense_pack_x86,
          .check_config = check_dense_pack_x86_config,
          .estimate = estimate_dense_pack_x86,
          .build = build_dense_pack_x86};
}

}  // namespace opbench
