#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>

#include "machine/target/tvm_target.h"
#include "records/formats/logs/tuning_codec.h"

namespace opbench {
namespace {

/// What TopHub called the tasks of version 0.1 in 0.2 (docs/reference/formats.md, "Upgrade from
/// AutoTVM 0.1").
struct Successor {
  std::string_view backend;
  std::string_view old_task;
  std::string_view template_key;  ///< empty: any
  std::string_view task;
};

constexpr std::array kSuccessors = {
    Successor{"cuda", "topi_nn_conv2d", "direct", "conv2d_nchw.cuda"},
    Successor{"cuda", "topi_nn_conv2d", "winograd", "conv2d_nchw_winograd.cuda"},
    Successor{"cuda", "topi_nn_depthwise_conv2d_nchw", "", "depthwise_conv2d_nchw.cuda"},
    Successor{"cuda", "topi_nn_conv2d_transpose_nchw", "", "conv2d_transpose_nchw.cuda"},
    Successor{"arm_cpu", "topi_nn_conv2d", "direct", "conv2d_nchw_spatial_pack.arm_cpu"},
    Successor{"arm_cpu", "topi_nn_conv2d", "winograd", "conv2d_nchw_winograd.arm_cpu"},
    Successor{"arm_cpu", "topi_nn_depthwise_conv2d_nchw", "", "depthwise_conv2d_nchw.arm_cpu"},
    Successor{"arm_cpu", "topi_nn_conv2d_transpose_nchw", "", "conv2d_transpose_nchw.arm_cpu"},
    Successor{"arm_cpu", "topi_nn_dense", "", "dense_nopack.x86"},
    Successor{"mali", "topi_nn_conv2d", "direct", "conv2d_nchw_spatial_pack.mali"},
    Successor{"mali", "topi_nn_conv2d", "winograd", "conv2d_nchw_winograd.mali"},
    Successor{"mali", "topi_nn_depthwise_conv2d_nchw", "", "depthwise_conv2d_nchw.mali"},
    Successor{"mali", "topi_nn_dense", "", "dense.mali"},
    Successor{"llvm", "topi_x86_conv2d_NCHWc", "", "conv2d_NCHWc.x86"},
    Successor{"llvm", "topi_nn_dense", "", "dense_nopack.x86"},
    Successor{"intel_graphics", "topi_intel_graphics_conv2d_NCHWc", "",
              "conv2d_NCHWc.intel_graphics"},
    Successor{"vta", "topi_nn_conv2d", "", "conv2d_packed.vta"},
    Successor{"vta", "conv2d", "", "conv2d_packed.vta"},
    Successor{"vta", "topi_nn_group_conv2d_nchw", "", "group_conv2d_packed.vta"},
    Successor{"vta", "group_conv2d", "", "group_conv2d_packed.vta"},
    Successor{"vta", "topi_nn_conv2d_transpose_nchw", "", "conv2d_transpose_packed.vta"},
    Successor{"vta", "conv2d_transpose", "", "conv2d_transpose_packed.vta"},
    Successor{"vta", "topi_nn_dense", "", "dense_packed.vta"},
    Successor{"vta", "dense", "", "dense_packed.vta"},
};

/// Which templates TVM 0.6 took for a target.
std::string backend_of(const TvmTarget& target) {
  const auto device = target.identity.attributes.find("device");
  if (device != target.identity.attributes.end()) {
    for (const char* name : {"arm_cpu", "mali", "intel_graphics"}) {
      if (device->second == name) return name;
    }
    if (device->second.starts_with("vta")) return target.identity.kind == "llvm" ? "llvm" : "vta";
  }
  const std::string& kind = target.identity.kind;
  if (kind == "rocm" || kind == "opencl" || kind == "nvptx") return "cuda";
  return kind == "ext_dev" ? "vta" : kind;
}

using Arguments = std::vector<Argument>;

bool is_list(const Argument& argument) { return argument.kind == ArgumentKind::kTuple; }
bool is_tensor(const Argument& argument) { return argument.kind == ArgumentKind::kTensor; }
bool is_text(const Argument& argument) { return argument.kind == ArgumentKind::kString; }
bool is_int(const Argument& argument) { return argument.kind == ArgumentKind::kInt; }

Argument list_of(const std::vector<int64_t>& values) {
  Arguments items;
  for (const int64_t value : values) items.push_back(Argument::of_int(value));
  return Argument::of_tuple(std::move(items));
}

/// [h, w] as [top, left, bottom, right].
Argument four_sided(const Argument& padding) {
  if (!is_list(padding) || padding.items.size() != 2) return padding;
  const Argument& h = padding.items[0];
  const Argument& w = padding.items[1];
  return Argument::of_tuple({h, w, h, w});
}

/// Data, kernel, strides, padding, then what `rest` makes of the others.
bool is_convolution(const Arguments& old) {
  return old.size() >= 5 && is_tensor(old[0]) && is_tensor(old[1]) && is_list(old[2]) &&
         is_list(old[3]);
}

/// The extents of a kernel's window.
Argument window_of(const Argument& kernel) {
  constexpr std::ptrdiff_t kAxes = 2;
  if (std::ssize(kernel.items) < kAxes) return Argument::of_tuple({});
  return Argument::of_tuple({kernel.items.end() - kAxes, kernel.items.end()});
}

/// TVM 0.4 gave NCHWc convolutions as data, kernel, num_filter, kernel_size, strides, padding, …:
/// the arguments without those two. The row's workload never held them.
Arguments without_filter_size(const Arguments& old, const std::optional<Argument>& workload) {
  if (old.size() < 3 || !is_tensor(old[1]) || !is_int(old[2])) return old;
  constexpr std::ptrdiff_t kTensors = 2;
  Arguments arguments(old.begin(), old.begin() + kTensors);
  constexpr std::ptrdiff_t kNamed = 1 + kTensors;  // the operator's name, then data and kernel
  if (workload && is_list(*workload) && std::ssize(workload->items) > kNamed) {
    arguments.insert(arguments.end(), workload->items.begin() + kNamed, workload->items.end());
    return arguments;
  }
  const bool has_window = old.size() > 3 && old[3] == window_of(old[1]);
  arguments.insert(arguments.end(), old.begin() + (has_window ? 4 : 3), old.end());
  return arguments;
}

/// Padding four-sided, a dilation always there; of the layouts none is left unless `has_layout`.
Arguments convolution_arguments(const Arguments& old, bool has_layout) {
  if (!is_convolution(old)) return {};
  Arguments arguments = {old[0], old[1], old[2], four_sided(old[3])};
  size_t at = 4;
  arguments.push_back(is_list(old[at]) ? old[at] : list_of({1, 1}));
  if (is_list(old[at])) ++at;
  if (at >= old.size() || !is_text(old.back())) return {};
  if (!has_layout) at = old.size() - 1;
  arguments.insert(arguments.end(), old.begin() + static_cast<std::ptrdiff_t>(at), old.end());
  return arguments;
}

/// Data, kernel, strides, padding, out_dtype, output_padding.
Arguments transpose_arguments(const Arguments& old) {
  if (!is_convolution(old) || !is_text(old[4])) return {};
  Arguments arguments = old;
  arguments[3] = four_sided(old[3]);
  if (arguments.size() == 5) arguments.push_back(list_of({0, 0}));
  return arguments;
}

Arguments dense_arguments(const Arguments& old) {
  if (old.size() < 3 || old.size() > 4 || !is_tensor(old[0]) || !is_tensor(old[1])) return {};
  Arguments arguments = old;
  if (arguments.size() == 3) arguments.push_back(Argument::null());
  return arguments;
}

/// Rows and columns of VTA's multiplier, from a model like pynq_1x16_i8w8a32_15_15_18_17.
bool read_vta_blocks(const std::string& model, int64_t& batch, int64_t& block) {
  const size_t begin = model.find('_');
  const size_t cross = model.find('x', begin);
  if (begin == std::string::npos || cross == std::string::npos) return false;
  const char* end = model.data() + model.size();
  return std::from_chars(model.data() + begin + 1, end, batch).ec == std::errc() &&
         std::from_chars(model.data() + cross + 1, end, block).ec == std::errc() && batch > 0 &&
         block > 0;
}

Argument autotvm_upgrade_tensor_of(const std::vector<int64_t>& extents, const std::string& type) {
  return {.kind = ArgumentKind::kTensor, .text = type, .items = list_of(extents).items};
}

/// N, CI, H, W, CO, KH, KW, strides, padding, dilation, in_dtype, out_dtype as blocked tensors.
Arguments vta_scalar_arguments(const Arguments& old, const std::string& model) {
  constexpr size_t kExtents = 7;
  int64_t batch = 0;
  int64_t block = 0;
  const bool has_form = old.size() == 12 &&
                        std::all_of(old.begin(), old.begin() + kExtents, is_int) &&
                        std::all_of(old.begin() + kExtents, old.begin() + 10, is_list) &&
                        is_text(old[10]) && is_text(old[11]);
  if (!has_form || !read_vta_blocks(model, batch, block)) return {};
  const auto extent = [&](size_t i) { return old[i].integer; };
  return {
      autotvm_upgrade_tensor_of(
          {extent(0) / batch, extent(1) / block, extent(2), extent(3), batch, block}, old[10].text),
      autotvm_upgrade_tensor_of(
          {extent(4) / block, extent(1) / block, extent(5), extent(6), block, block}, old[10].text),
      old[7],
      four_sided(old[8]),
      old[9],
      Argument::of_string("NCHW" + std::to_string(batch) + "n" + std::to_string(block) + "c"),
      old[11]};
}

Arguments upgraded_arguments(std::string_view task, const TuningRecord& record,
                             const std::string& model) {
  Arguments old;
  for (const NamedArgument& argument : record.arguments) old.push_back(argument.value);
  if (task.starts_with("dense")) return dense_arguments(old);
  if (task.find("conv2d_transpose") != std::string_view::npos) return transpose_arguments(old);
  if (task.starts_with("group_conv2d")) {
    if (!is_convolution(old)) return {};
    Arguments arguments = old;
    arguments[3] = four_sided(old[3]);
    return arguments;
  }
  if (task == "conv2d_packed.vta" && !old.empty() && is_int(old[0])) {
    return vta_scalar_arguments(old, model);
  }
  const bool has_layout = task.starts_with("conv2d_NCHWc") || task == "conv2d_packed.vta";
  return convolution_arguments(without_filter_size(old, record.legacy_workload), has_layout);
}

void replace_target_key(std::string& target) {
  constexpr std::string_view kOld = "-target=";
  for (size_t at = target.find(kOld); at != std::string::npos; at = target.find(kOld, at)) {
    target.replace(at, kOld.size(), "-mtriple=");
  }
}

Error no_successor(const TuningRecord& record, const std::string& backend) {
  std::string task = "\"" + record.task + "\"";
  if (record.template_key) task += " (template \"" + *record.template_key + "\")";
  return {ErrorCode::kInvalidInput,
          "AutoTVM 0.2 has no successor of task " + task + " on " + backend};
}

}  // namespace

Result<TuningRecord> upgrade_autotvm(const TuningRecord& record) {
  if (record.origin.format != TuningFormat::kAutotvm01) return record;
  OPBENCH_TRY(const TvmTarget target, parse_tvm_target(record.target));
  const std::string backend = backend_of(target);
  const std::string key = record.template_key.value_or("direct");
  const auto successor = std::ranges::find_if(kSuccessors, [&](const Successor& entry) {
    return entry.backend == backend && entry.old_task == record.task &&
           (entry.template_key.empty() || entry.template_key == (key.empty() ? "direct" : key));
  });
  if (successor == kSuccessors.end()) return no_successor(record, backend);
  Arguments arguments = upgraded_arguments(successor->task, record, target.model);
  if (arguments.empty()) {
    return Error{ErrorCode::kInvalidInput,
                 "the arguments of task \"" + record.task + "\" have no form in AutoTVM 0.2"};
  }
  TuningRecord upgraded = record;
  replace_target_key(upgraded.target);
  upgraded.task = successor->task;
  upgraded.arguments.clear();
  for (Argument& argument : arguments) upgraded.arguments.push_back({"", std::move(argument)});
  upgraded.template_key.reset();
  upgraded.legacy_workload.reset();
  if (!upgraded.tvm_version) upgraded.tvm_version = "0.7.dev0";  // as TopHub did
  upgraded.origin.format = TuningFormat::kAutotvm02;
  upgraded.origin.format_version = "0.2";
  upgraded.origin.key_order.clear();
  upgraded.origin.config_order.clear();
  return upgraded;
}

}  // namespace opbench
