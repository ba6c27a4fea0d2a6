#include "tuning/trials/task_workload.h"

#include <fmt/format.h>

#include <numeric>

#include "base/errors/suggestion.h"
#include "kernels/tasks/convolution_arguments.h"
#include "kernels/tasks/matrix_arguments.h"

namespace opbench {
namespace {

std::string list_text(const std::vector<int64_t>& values) {
  std::vector<std::string> words;
  for (const int64_t value : values) words.push_back(std::to_string(value));
  return join(words, ",");
}

std::string shape_of(int64_t first, int64_t second, const std::vector<int64_t>& rest) {
  Shape shape = {first, second};
  shape.insert(shape.end(), rest.begin(), rest.end());
  return shape_text(shape);
}

Error not_float(const std::string& type) {
  return Error{ErrorCode::kInvalidInput, "kernels here are of float32, not " + type};
}

/// Depthwise kernels are [C, M, KH, KW], which become OIHW with C x M filters of one channel.
Result<Workload> convolution(const Task& task, bool is_depthwise,
                             const ConvolutionForm& form = {}) {
  OPBENCH_TRY(const ConvolutionArguments conv, read_convolution(task.arguments, form));
  if (conv.data_type != "float32") return not_float(conv.data_type);
  const int64_t out = is_depthwise ? conv.kernel_out * conv.kernel_in : conv.kernel_out;
  const int64_t in = is_depthwise ? 1 : conv.kernel_in;
  std::vector<int64_t> pads = conv.padding_before;
  pads.insert(pads.end(), conv.padding_after.begin(), conv.padding_after.end());
  std::string text = fmt::format("conv2d {} w:{} dilations={} pads={} strides={}",
                                 shape_of(conv.batch, conv.in_channels, conv.input),
                                 shape_of(out, in, conv.kernel), list_text(conv.dilation),
                                 list_text(pads), list_text(conv.strides));
  if (is_depthwise) text += fmt::format(" group={}", conv.in_channels);
  return parse_workload(text);
}

Result<Workload> dense(const Task& task) {
  OPBENCH_TRY(const MatrixArguments matrix, read_dense(task.arguments));
  if (matrix.data_type != "float32") return not_float(matrix.data_type);
  return parse_workload(fmt::format("dense {}x{} w:{}x{} transB=1", matrix.rows, matrix.depth,
                                    matrix.columns, matrix.depth));
}

Result<Workload> batch_matmul(const Task& task) {
  OPBENCH_TRY(const MatrixArguments matrix, read_batch_matmul(task.arguments));
  if (matrix.data_type != "float32") return not_float(matrix.data_type);
  return parse_workload(fmt::format("matmul {}x{}x{} {}x{}x{}", matrix.batch, matrix.rows,
                                    matrix.depth, matrix.batch, matrix.depth, matrix.columns));
}

}  // namespace

Result<Workload> workload_of_task(const Task& task) {
  const ConvolutionForm blocked{.rest = {"dilation", "layout", "out_layout", "out_dtype"}};
  if (task.name.starts_with("conv2d_NCHWc.")) return convolution(task, false, blocked);
  if (task.name.starts_with("depthwise_conv2d_NCHWc.")) return convolution(task, true, blocked);
  if (task.name == "conv2d_nchw.cuda" || task.name == "conv2d_nchw_spatial_pack.mali")
    return convolution(task, false);
  if (task.name == "depthwise_conv2d_nchw.cuda") return convolution(task, true);
  if (task.name.starts_with("dense_") || task.name == "dense.mali") return dense(task);
  if (task.name.starts_with("batch_matmul.")) return batch_matmul(task);
  return Error{ErrorCode::kInvalidInput,
               "template \"" + task.name + "\" computes what has no kernel here"};
}

}  // namespace opbench
