#include "kernels/tasks/templates/cuda/cuda_limits.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "kernels/tasks/convolution_arguments.h"
#include "kernels/tasks/matrix_arguments.h"

namespace opbench {
namespace {

using Sizes = std::vector<int64_t>;
using Splits = GpuDemands::Splits;
using Arguments = std::vector<Argument>;

int64_t bytes_of(const std::string& type) {
  if (type.ends_with("64")) return 8;
  if (type.ends_with("16")) return 2;
  return type.ends_with("int8") ? 1 : 4;
}

/// A product that stays at a number beyond every limit, as logs may hold any sizes.
int64_t product_of(std::initializer_list<int64_t> factors) {
  constexpr int64_t kBeyond = int64_t{1} << 56;
  int64_t product = 1;
  for (const int64_t factor : factors) {
    if (__builtin_mul_overflow(product, factor, &product) || product > kBeyond) return kBeyond;
  }
  return product;
}

/// What one block covers of an axis: all parts but the outermost.
int64_t covered(const Sizes& sizes) {
  int64_t product = 1;
  for (size_t i = 1; i < sizes.size(); ++i) product = product_of({product, sizes[i]});
  return product;
}

/// Inputs along an axis that `outputs` neighbours with `taps` of the kernel read.
int64_t span_of(const ConvolutionArguments& conv, size_t axis, int64_t outputs, int64_t taps) {
  return product_of({outputs - 1, conv.strides[axis]}) +
         product_of({taps - 1, conv.dilation[axis]}) + 1;
}

/// Splits f, y, x, rc, ry, rx.
Result<GpuDemands::Rule> direct_rule(const Arguments& arguments) {
  OPBENCH_TRY(const ConvolutionArguments conv, read_convolution(arguments));
  return GpuDemands::Rule([conv, bytes = bytes_of(conv.data_type)](const Splits& splits) {
    const auto& [f, y, x] = std::tie(*splits[0], *splits[1], *splits[2]);
    const int64_t channels = (*splits[3])[1];
    const int64_t high = (*splits[4])[1];
    const int64_t wide = (*splits[5])[1];
    const int64_t data = product_of(
        {channels, span_of(conv, 0, covered(y), high), span_of(conv, 1, covered(x), wide)});
    return GpuDemand{
        .threads_x = x[2],
        .threads_y = y[2],
        .threads_z = f[2],
        .shared_bytes = product_of({bytes, data + product_of({covered(f), channels, high, wide})})};
  });
}

/// Splits f, y, x.
Result<GpuDemands::Rule> depthwise_rule(const Arguments& arguments) {
  OPBENCH_TRY(const ConvolutionArguments conv, read_convolution(arguments));
  return GpuDemands::Rule([conv, bytes = bytes_of(conv.data_type)](const Splits& splits) {
    const auto& [f, y, x] = std::tie(*splits[0], *splits[1], *splits[2]);
    const int64_t data =
        span_of(conv, 0, covered(y), conv.kernel[0]) * span_of(conv, 1, covered(x), conv.kernel[1]);
    return GpuDemand{
        .threads_x = x[2],
        .threads_y = y[2],
        .threads_z = f[2],
        .shared_bytes = product_of({bytes, covered(f), data + conv.kernel[0] * conv.kernel[1]})};
  });
}

/// Splits b, y, x, rc.
Result<GpuDemands::Rule> winograd_rule(const Arguments& arguments) {
  OPBENCH_TRY(const ConvolutionArguments conv, read_convolution(arguments));
  return GpuDemands::Rule([bytes = bytes_of(conv.data_type)](const Splits& splits) {
    const Sizes& y = *splits[1];
    const Sizes& x = *splits[2];
    return GpuDemand{.threads_x = x[2],
                     .threads_y = y[2],
                     .shared_bytes = product_of({bytes, (*splits[3])[1], covered(x) + covered(y)})};
  });
}

/// Split k.
Result<GpuDemands::Rule> small_dense_rule(const Arguments&) {
  return GpuDemands::Rule(
      [](const Splits& splits) { return GpuDemand{.threads_x = (*splits[0])[1]}; });
}

/// Splits x, y, k. Two buffers of each input.
Result<GpuDemands::Rule> large_dense_rule(const Arguments& arguments) {
  OPBENCH_TRY(const MatrixArguments matrix, read_dense(arguments));
  return GpuDemands::Rule([bytes = bytes_of(matrix.data_type)](const Splits& splits) {
    const auto& [x, y, k] = std::tie(*splits[0], *splits[1], *splits[2]);
    return GpuDemand{.threads_x = x[2],
                     .threads_y = y[2],
                     .shared_bytes = product_of({2, bytes, covered(k), covered(x) + covered(y)}),
                     .do_threads_agree = x[2] == y[2]};
  });
}

/// Splits y, x, k.
Result<GpuDemands::Rule> batch_matmul_rule(const Arguments& arguments) {
  OPBENCH_TRY(const MatrixArguments matrix, read_batch_matmul(arguments));
  return GpuDemands::Rule([bytes = bytes_of(matrix.data_type)](const Splits& splits) {
    const auto& [y, x, k] = std::tie(*splits[0], *splits[1], *splits[2]);
    return GpuDemand{.threads_x = x[1],
                     .threads_y = y[1],
                     .shared_bytes = product_of({bytes, k[1], covered(x) + covered(y)})};
  });
}

struct NamedRule {
  std::string_view name;
  Result<GpuDemands::Rule> (*make)(const Arguments& arguments);
};

constexpr std::array kRules = {
    NamedRule{"conv2d_nchw.cuda", direct_rule},
    NamedRule{"depthwise_conv2d_nchw.cuda", depthwise_rule},
    NamedRule{"conv2d_nchw_winograd.cuda", winograd_rule},
    NamedRule{"conv2d_nchw_winograd_without_weight_transform.cuda", winograd_rule},
    NamedRule{"dense_small_batch.gpu", small_dense_rule},
    NamedRule{"dense_large_batch.gpu", large_dense_rule},
    NamedRule{"batch_matmul.cuda", batch_matmul_rule},
};

Sizes sizes_of(const Argument& value) {
  Sizes sizes;
  for (const Argument& item : value.items) sizes.push_back(item.integer);
  return sizes;
}

int64_t threads_of(const GpuDemand& demand) {
  return product_of({demand.threads_x, demand.threads_y, demand.threads_z});
}

}  // namespace

std::string fault_of(const GpuDemand& demand, const GpuLimits& limits) {
  const int64_t threads = threads_of(demand);
  if (!demand.do_threads_agree) {
    return fmt::format("loads want {} and {} threads along one axis", demand.threads_x,
                       demand.threads_y);
  }
  if (threads > limits.threads) return fmt::format("{} threads of {}", threads, limits.threads);
  if (demand.threads_z > limits.threads_z) {
    return fmt::format("{} threads of {} along z", demand.threads_z, limits.threads_z);
  }
  if (demand.shared_bytes > limits.shared_bytes) {
    return fmt::format("{} bytes of shared memory of {}", demand.shared_bytes, limits.shared_bytes);
  }
  return {};
}

bool can_be_met(const GpuDemand& demand, const GpuLimits& limits) {
  return demand.do_threads_agree && demand.threads_z <= limits.threads_z &&
         demand.shared_bytes <= limits.shared_bytes && threads_of(demand) <= limits.threads;
}

GpuDemands::GpuDemands(const ConfigSpace& space, Rule rule) : rule_(std::move(rule)) {
  for (size_t i = 0; i < space.knobs.size(); ++i) {
    if (space.knobs[i].kind != KnobKind::kSplit) continue;
    SplitKnob knob{.name = space.knobs[i].name, .position = i};
    for (const Argument& entity : space.knobs[i].entities) knob.sizes.push_back(sizes_of(entity));
    splits_.push_back(std::move(knob));
  }
}

Result<std::optional<GpuDemands>> GpuDemands::make(const Task& task) {
  OPBENCH_TRY(const ConfigSpace space, space_of(task));
  const auto found = std::ranges::find(kRules, task.name, &NamedRule::name);
  if (found == kRules.end()) return std::optional<GpuDemands>();
  OPBENCH_TRY(Rule rule, found->make(task.arguments));
  return std::optional<GpuDemands>(GpuDemands(space, std::move(rule)));
}

GpuDemand GpuDemands::at(const std::vector<size_t>& digits) const {
  Splits splits;
  for (const SplitKnob& knob : splits_) splits.push_back(&knob.sizes[digits[knob.position]]);
  return rule_(splits);
}

Result<GpuDemand> GpuDemands::of(const KnobConfig& config) const {
  std::vector<Sizes> sizes;
  for (const SplitKnob& knob : splits_) {
    const auto value = std::ranges::find(config.knobs, knob.name, &KnobValue::name);
    if (value == config.knobs.end() || value->value.items.size() != knob.sizes[0].size()) {
      return Error{ErrorCode::kInvalidInput,
                   fmt::format("a config without a split \"{}\" in {} parts", knob.name,
                               knob.sizes[0].size())};
    }
    sizes.push_back(sizes_of(value->value));
  }
  Splits splits;
  for (const Sizes& list : sizes) splits.push_back(&list);
  return rule_(splits);
}

}  // namespace opbench
