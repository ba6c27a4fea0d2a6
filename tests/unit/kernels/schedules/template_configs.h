#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "base/numbers/random.h"
#include "kernel_harness.h"
#include "machine/target/parse_target.h"

namespace opbench {

/// Draws configs of the config spaces that TVM's CPU templates have, as kernels of a workload:
/// split sizes divide their extent (`tile_ow` of conv2d may also be a power of two), blocks become
/// layouts. Equal seeds, equal configs.
class TemplateConfigs {
 public:
  explicit TemplateConfigs(uint64_t seed) : random_(seed) {}

  Result<KernelSpec> conv2d(const std::string& workload, const std::string& target) {
    OPBENCH_TRY(KernelSpec spec, spec_of("conv2d_nchwc_x86", workload, target));
    const Shape weight = input_shape(spec, 1);
    const Shape output = output_shape(spec);
    const std::vector<int64_t> rows_columns = undilated_output(spec);
    Config& config = spec.config;
    config["tile_ic"] = any_of(divisors(input_shape(spec, 0)[1]));
    config["tile_oc"] = any_of(divisors(output[1]));
    config["tile_ow"] = any_of(pixel_tiles(rows_columns[1], true));
    if (weight[2] == 1 && weight[3] == 1)
      config["tile_oh"] =
          any_of(rows_columns[0] > 1 ? std::vector<int64_t>{1, 2} : std::vector<int64_t>{1});
    else
      config["unroll_kw"] = any_of({0, 1});
    return blocked(std::move(spec));
  }

  Result<KernelSpec> depthwise(const std::string& workload, const std::string& target) {
    OPBENCH_TRY(KernelSpec spec, spec_of("depthwise_conv2d_nchwc_x86", workload, target));
    const Shape output = output_shape(spec);
    spec.config["tile_ic"] = any_of(divisors(output[1]));
    spec.config["tile_oc"] = any_of(divisors(output[1]));
    spec.config["tile_ow"] = any_of(pixel_tiles(output[3], false));
    spec.config["unroll_kw"] = any_of({0, 1});
    return blocked(std::move(spec));
  }

  /// `schedule`: dense_nopack_x86, dense_pack_x86 or batch_matmul_x86. `m`, `n`, `k`: the product's
  /// extents as the template sees them.
  Result<KernelSpec> matrix(const std::string& schedule, const std::string& workload,
                            const std::string& target, int64_t m, int64_t n, int64_t k) {
    OPBENCH_TRY(KernelSpec spec, spec_of(schedule, workload, target));
    Config& config = spec.config;
    const bool has_three_parts = schedule == "dense_pack_x86";
    config["tile_y"] = any_of(divisors(m));
    config["tile_x"] = any_of(divisors(n));
    config["tile_k"] = any_of(divisors(k));
    if (has_three_parts) {
      config["tile_y_1"] = any_of(divisors(m / config["tile_y"]));
      config["tile_x_1"] = any_of(divisors(n / config["tile_x"]));
      config["tile_inner"] = any_of(up_to(divisors(m), 16));
    }
    return spec;
  }

  uint64_t below(uint64_t limit) { return random_.below(limit); }

  int64_t any_of(const std::vector<int64_t>& values) {
    return values[static_cast<size_t>(random_.below(values.size()))];
  }

 private:
  static Result<KernelSpec> spec_of(const std::string& schedule, const std::string& workload,
                                    const std::string& target) {
    KernelSpec spec;
    OPBENCH_TRY(spec.workload, parse_workload(workload));
    OPBENCH_TRY(spec.target, parse_target(target));
    spec.layouts.assign(spec.workload.graph.inputs.size() + 1, Layout{});
    spec.schedule = schedule;
    return spec;
  }

  static Shape input_shape(const KernelSpec& spec, size_t index) {
    return spec.workload.graph.types.at(spec.workload.graph.inputs[index].name).shape;
  }

  static Shape output_shape(const KernelSpec& spec) {
    return spec.workload.graph.types.at(spec.workload.graph.outputs[0].name).shape;
  }

  /// Height and width without dilation, by which the space of conv2d goes (or less by one).
  static std::vector<int64_t> undilated_output(const KernelSpec& spec) {
    const Node& node = spec.workload.graph.nodes[0];
    const Shape weight = input_shape(spec, 1);
    const auto dilations = ints_attribute(node, "dilations", {1, 1});
    const auto strides = ints_attribute(node, "strides", {1, 1});
    const Shape output = output_shape(spec);
    std::vector<int64_t> result;
    for (size_t i = 0; i < 2; ++i)
      result.push_back(output[2 + i] + (dilations[i] - 1) * (weight[2 + i] - 1) / strides[i]);
    return result;
  }

  /// The first input and all operands of the output's shape get the blocks that the config names.
  static KernelSpec blocked(KernelSpec spec) {
    const Shape output = output_shape(spec);
    const int block = static_cast<int>(spec.config["tile_oc"]);
    for (size_t i = 1; i < spec.workload.graph.inputs.size(); ++i) {
      const bool is_weight = spec.workload.is_weight(spec.workload.graph.inputs[i].name);
      if (!is_weight && input_shape(spec, i) == output) spec.layouts[i] = Layout{block};
    }
    spec.layouts.front() = Layout{static_cast<int>(spec.config["tile_ic"])};
    spec.layouts.back() = Layout{block};
    return spec;
  }

  static std::vector<int64_t> divisors(int64_t number) {
    std::vector<int64_t> result;
    for (int64_t i = 1; i <= number; ++i)
      if (number % i == 0) result.push_back(i);
    return result;
  }

  static std::vector<int64_t> up_to(std::vector<int64_t> values, int64_t most) {
    std::erase_if(values, [most](int64_t value) { return value > most; });
    return values;
  }

  static std::vector<int64_t> pixel_tiles(int64_t width, bool has_powers) {
    std::vector<int64_t> result = divisors(width);
    for (int64_t power = 1; has_powers && power <= width; power *= 2)
      if (width % power != 0) result.push_back(power);
    return up_to(std::move(result), 64);
  }

  Random random_;
};

}  // namespace opbench
