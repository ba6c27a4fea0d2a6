#include "benchmarks/kernels/autoscheduled/autoscheduled_kernel.h"

#include <fmt/format.h>
#include <halide14/Halide.h>

#include <algorithm>
#include <functional>

#include "base/errors/suggestion.h"
#include "engines/protocol/sampling.h"
#include "kernels/schedules/codegen/halide_library.h"
#include "kernels/schedules/convolution/convolution_shape.h"
#include "kernels/schedules/kernel_builder.h"
#include "kernels/schedules/operands/anchor_check.h"

namespace opbench {
namespace {

using Halide::Expr;
using Halide::Func;
using Halide::ImageParam;
using Halide::RDom;
using Halide::Var;

struct Autoscheduler {
  const char* name;
  const char* name_in_halide;
};

constexpr Autoscheduler kAutoschedulers[] = {{"adams2019", "Adams2019"},
                                             {"mullapudi2016", "Mullapudi2016"}};

int narrow_extent(int64_t value) { return static_cast<int>(value); }

/// [0, extent) in every dimension, innermost first.
Halide::Region whole(const Shape& shape) {
  Halide::Region region;
  for (auto it = shape.rbegin(); it != shape.rend(); ++it)
    region.emplace_back(0, narrow_extent(*it));
  return region;
}

/// An operand of the anchor to be read at positions given innermost first.
using Operand = std::function<Expr(const std::vector<Expr>& at)>;

/// The anchor's operand, its extents being estimates too.
ImageParam operand_of(const KernelSpec& spec, KernelBuilder& builder, size_t operand) {
  ImageParam param = builder.buffer(*input_index(spec.workload, 0, operand));
  param.set_estimates(whole(anchor_type(spec, operand).shape));
  return param;
}

Operand readable(const ImageParam& param, OperandReads reads) {
  if (reads == OperandReads::kDirect) {
    return [param](const std::vector<Expr>& at) { return Expr(param(at)); };
  }
  std::vector<Var> at;
  for (int i = 0; i < param.dimensions(); ++i) at.emplace_back(fmt::format("d{}", i));
  Func staged("staged");
  staged(at) = param(std::vector<Expr>(at.begin(), at.end()));
  return [staged](const std::vector<Expr>& position) { return Expr(staged(position)); };
}

bool has_padding(const ConvolutionShape& s) { return s.pads_columns() || s.pads_rows(); }

Operand padded(const ImageParam& param, const ConvolutionShape& s) {
  const Func with_zeros =
      Halide::BoundaryConditions::constant_exterior(param, 0.0F,
                                                    {{0, narrow_extent(s.width)},
                                                     {0, narrow_extent(s.height)},
                                                     {Expr(), Expr()},
                                                     {Expr(), Expr()}});
  return [with_zeros](const std::vector<Expr>& at) { return Expr(with_zeros(at)); };
}

Func autoscheduled_kernel_convolution(const KernelSpec& spec, KernelBuilder& builder,
                                      OperandReads reads) {
  const ConvolutionShape s = *convolution_shape(spec.workload);
  const ImageParam param = operand_of(spec, builder, 0);
  const Operand input = has_padding(s) ? padded(param, s) : readable(param, reads);
  const Operand filters = readable(operand_of(spec, builder, 1), reads);
  const int group_in = narrow_extent(s.channels / s.groups);
  const int group_out = narrow_extent(s.out_channels / s.groups);
  const Var x("x"), y("y"), c("c"), n("n");
  const RDom r(0, narrow_extent(s.kernel_w), 0, narrow_extent(s.kernel_h), 0, group_in, "r");
  const Expr column =
      x * narrow_extent(s.stride_w) + r.x * narrow_extent(s.dilation_w) - narrow_extent(s.pad_left);
  const Expr row =
      y * narrow_extent(s.stride_h) + r.y * narrow_extent(s.dilation_h) - narrow_extent(s.pad_top);
  const Expr channel = s.groups == 1 ? Expr(r.z) : c / group_out * group_in + r.z;
  Func sum("sum"), out("out");
  sum(x, y, c, n) = 0.0F;
  sum(x, y, c, n) += input({column, row, channel, n}) * filters({r.x, r.y, r.z, c});
  out(x, y, c, n) = sum(x, y, c, n);
  return out;
}

/// Every row of the left operand, whatever its rank, times one matrix.
Func autoscheduled_kernel_dense(const KernelSpec& spec, KernelBuilder& builder,
                                OperandReads reads) {
  const bool is_transposed = int_attribute(anchor_of(spec), "transB", 0) != 0;
  const Operand left = readable(operand_of(spec, builder, 0), reads);
  const Operand right = readable(operand_of(spec, builder, 1), reads);
  const RDom k(0, narrow_extent(anchor_type(spec, 0).shape.back()), "k");
  const Var column("n");
  std::vector<Var> at = {column};
  std::vector<Expr> left_at = {k};
  for (size_t i = 1; i < anchor_type(spec, 0).shape.size(); ++i) {
    at.emplace_back(fmt::format("m{}", i));
    left_at.emplace_back(at.back());
  }
  Func sum("sum"), out("out");
  sum(at) = 0.0F;
  sum(at) += left(left_at) *
             right(is_transposed ? std::vector<Expr>{k, column} : std::vector<Expr>{column, k});
  out(at) = sum(std::vector<Expr>(at.begin(), at.end()));
  return out;
}

Result<Func> algorithm_of(const KernelSpec& spec, KernelBuilder& builder, OperandReads reads) {
  const Node& node = anchor_of(spec);
  const bool is_single = spec.workload.graph.nodes.size() == 1 && node.inputs.size() == 2;
  const bool is_product = node.type == "Gemm" || node.type == "MatMul";
  if (is_single && convolution_shape(spec.workload))
    return autoscheduled_kernel_convolution(spec, builder, reads);
  if (is_single && is_product && anchor_type(spec, 1).shape.size() == 2 &&
      int_attribute(node, "transA", 0) == 0) {
    return autoscheduled_kernel_dense(spec, builder, reads);
  }
  return Error{ErrorCode::kInvalidInput,
               fmt::format("no plain algorithm for \"{}\"", text_of(spec.workload))};
}

/// What the object is compiled for, as far as schedules depend on it.
Halide::Target halide_target(const Target& target) {
  using T = Halide::Target;
  std::vector<T::Feature> features = {T::NoRuntime, T::NoBoundsQuery, T::NoAsserts, T::UserContext,
                                      T::SSE41};
  const VectorIsa isa = vector_isa(target);
  if (isa == VectorIsa::kAvx2 || isa == VectorIsa::kAvx512) {
    features.insert(features.end(), {T::AVX, T::AVX2, T::FMA, T::F16C});
  }
  if (isa == VectorIsa::kAvx512) {
    features.insert(features.end(), {T::AVX512, T::AVX512_Skylake});
  }
  return {T::Linux, T::X86, 64, features};
}

Result<void> load_plugin_of(const std::string& name) {
  const std::filesystem::path plugin =
      std::filesystem::path(OPBENCH_HALIDE_PLUGINS) / fmt::format("libautoschedule_{}.so", name);
  std::error_code ignored;
  if (!std::filesystem::exists(plugin, ignored)) {
    return Error{ErrorCode::kEnvironment, "there is no plugin " + plugin.string()};
  }
  Halide::load_plugin(plugin.string());
  return {};
}

}  // namespace

std::vector<std::string> autoscheduler_names() {
  std::vector<std::string> names;
  for (const Autoscheduler& one : kAutoschedulers) names.emplace_back(one.name);
  return names;
}

Result<void> compile_autoscheduled(const KernelSpec& spec, const std::string& autoscheduler,
                                   int threads, OperandReads reads, const std::string& function,
                                   const std::filesystem::path& object) {
  const auto* known = std::ranges::find_if(
      kAutoschedulers, [&](const Autoscheduler& one) { return one.name == autoscheduler; });
  if (known == std::end(kAutoschedulers)) {
    return unknown_name("autoscheduler", autoscheduler, autoscheduler_names());
  }
  constexpr float kBalance = 40;  // what a load costs more than arithmetic: Halide's own default
  OPBENCH_CHECK(load_halide());
  try {
    OPBENCH_CHECK(load_plugin_of(autoscheduler));
    KernelBuilder builder(spec, OperandBuffers::kShaped);
    OPBENCH_TRY(Func output, algorithm_of(spec, builder, reads));
    output.set_estimates(whole(anchor_result(spec).shape));
    Halide::Pipeline(output).auto_schedule(
        known->name_in_halide, halide_target(spec.target),
        Halide::MachineParams(threads, last_level_cache_bytes(), kBalance));
    builder.fix_output(output);
    builder.write_object(output, function, object);
  } catch (const std::exception& error) {
    return Error{ErrorCode::kSystem, error.what()};
  }
  return {};
}

}  // namespace opbench
