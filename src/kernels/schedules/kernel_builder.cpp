#include "kernels/schedules/kernel_builder.h"

#include <halide14/Halide.h>
#include <unistd.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <system_error>
#include <utility>

#include "kernels/schedules/codegen/dense_accumulators.h"
#include "kernels/schedules/codegen/device_code.h"
#include "kernels/schedules/codegen/halide_library.h"
#include "kernels/schedules/codegen/kernel_bitcode.h"
#include "kernels/schedules/codegen/kernel_target.h"
#include "kernels/schedules/codegen/prefetch.h"
#include "kernels/schedules/codegen/register_limit.h"
#include "kernels/schedules/codegen/replaced_variables.h"
#include "kernels/schedules/expressions/elementwise_expr.h"
#include "kernels/schedules/expressions/half_casts.h"
#include "kernels/schedules/expressions/typed_expr.h"
#include "kernels/schedules/knobs/ahead_knob.h"
#include "kernels/schedules/narrow.h"
#include "kernels/schedules/operands/epilogue_operand.h"
#include "kernels/schedules/operands/free_axes.h"

namespace opbench {
namespace {

using Halide::Expr;
using KernelBuilderHalideTarget = Halide::Target;

/// `x2` for graph input 2: the argument's name in the object.
std::string argument_name(size_t index) { return "x" + std::to_string(index); }

constexpr int kAlignment = 64;  ///< bytes, of every buffer that is seen as a whole

/// Bytes to whose multiples a call's part of a buffer is aligned: argument `position`, counted on
/// from the inputs to the outputs.
int alignment_of(const KernelSpec& spec, const CallRepeat& repeat, int position) {
  const Graph& graph = spec.workload.graph;
  const auto index = static_cast<size_t>(position);
  const size_t inputs = graph.inputs.size();
  const Value& value = index < inputs ? graph.inputs[index] : graph.outputs[index - inputs];
  int alignment = kAlignment;
  if (std::ranges::count(repeat.moving, position) > 0) {
    const int64_t part = graph.types.at(value.name).bytes() / repeat.count;
    alignment = static_cast<int>(std::gcd<int64_t>(kAlignment, part));
  }
  for (const CallRepeat::Feed& feed : repeat.feeds) {
    if (feed.to == position) alignment = std::min(alignment, alignment_of(spec, repeat, feed.from));
  }
  return alignment;
}

std::vector<Expr> constants(const std::vector<int64_t>& numbers) {
  std::vector<Expr> result;
  for (const int64_t number : numbers) result.emplace_back(narrow(number));
  return result;
}

template <class Parameter>
void fix_dimensions(Parameter&& parameter, const std::vector<Expr>& extents,
                    int alignment = kAlignment) {
  Expr stride = 1;
  for (int i = 0; i < static_cast<int>(extents.size()); ++i) {
    const Expr& extent = extents[static_cast<size_t>(i)];
    parameter.dim(i).set_bounds(0, extent);
    parameter.dim(i).set_stride(stride);
    stride = stride * extent;
  }
  parameter.set_host_alignment(alignment);
}

/// The extents and strides of a buffer of these extents that are no constants, by Halide's name.
std::map<std::string, Expr> free_dimensions(const std::string& buffer,
                                            const std::vector<Expr>& extents) {
  std::map<std::string, Expr> values;
  Expr stride = 1;
  for (size_t i = 0; i < extents.size(); ++i) {
    const std::string number = "." + std::to_string(i);
    if (!Halide::Internal::is_const(extents[i])) values[buffer + ".extent" + number] = extents[i];
    if (!Halide::Internal::is_const(stride)) values[buffer + ".stride" + number] = stride;
    stride = stride * extents[i];
  }
  return values;
}

/// A buffer read under these extents, innermost first: a Func that is always inlined.
/// A flat one has all elements in its first dimension; the others of one with free axes only tell
/// extents.
Halide::Func view_of(const Halide::ImageParam& buffer, const std::vector<Expr>& extents,
                     OperandBuffers buffers) {
  std::vector<Halide::Var> position(extents.size());
  Halide::Func view(buffer.name() + "_view");
  if (buffers == OperandBuffers::kShaped) {
    view(position) = buffer(std::vector<Expr>(position.begin(), position.end()));
    return view;
  }
  Expr index = 0;
  Expr stride = 1;
  for (size_t i = 0; i < extents.size(); ++i) {
    index += position[i] * stride;
    stride = stride * extents[i];
  }
  std::vector<Expr> at(static_cast<size_t>(buffer.dimensions()), Expr(0));
  at.front() = index;
  view(position) = buffer(at);
  return view;
}

std::vector<int64_t> reversed(Shape shape) {
  std::ranges::reverse(shape);
  return shape;
}

}  // namespace

struct KernelBuilder::State {
  const KernelSpec& spec;
  OperandBuffers buffers = OperandBuffers::kFlat;
  CallRepeat repeat = repeat_of(spec);
  std::map<size_t, Halide::ImageParam> parameters = {};
  std::map<size_t, Halide::Func> views = {};
  std::vector<BufferStream> streams = {};
  std::vector<Expr> output_extents = {};
  bool keeps_loops = false;
  bool has_dot_products = false;

  Halide::Func parameter(size_t index, const std::vector<int64_t>& extents) {
    const std::string& name = spec.workload.graph.inputs[index].name;
    return parameter(index, extents, type_of(spec.workload, name).data_type);
  }

  Halide::Func parameter(size_t index, const std::vector<int64_t>& extents, DataType element) {
    const auto it = views.find(index);
    if (it != views.end()) return it->second;
    const Halide::Type type = halide_type(element);
    const bool is_free = has_free_axis(spec, index);
    const bool is_flat = buffers == OperandBuffers::kFlat && !is_free;
    const int dimensions = is_flat ? 1 : static_cast<int>(extents.size());
    Halide::ImageParam param(type, dimensions, argument_name(index));
    parameters.emplace(index, param);
    if (is_flat || is_free) {
      for (int i = 0; i < dimensions; ++i) param.dim(i).set_min(0);
      param.dim(0).set_stride(1);
      param.set_host_alignment(alignment_of(spec, repeat, static_cast<int>(index)));
    } else {
      fix_dimensions(param, constants(extents));
    }
    const std::vector<Expr> all = is_free ? physical_sizes(index) : constants(extents);
    const OperandBuffers form = is_free ? OperandBuffers::kFlat : buffers;
    return views.emplace(index, view_of(param, all, form)).first->second;
  }

  /// The number that the output has among the tensors.
  size_t output() const { return spec.workload.graph.inputs.size(); }

  const TensorType& tensor_type(size_t tensor) const {
    const Graph& graph = spec.workload.graph;
    return tensor < graph.inputs.size() ? type_of(spec.workload, graph.inputs[tensor].name)
                                        : output_type(spec.workload);
  }

  /// The extent that input `input` has along `axis` when the kernel is called. Blocked tensors have
  /// free batches, rows and columns, never free channels.
  Expr buffer_extent(size_t input, size_t axis) {
    const size_t rank = tensor_type(input).shape.size();
    const size_t inner = spec.layouts[input].block > 0 ? 1 : 0;
    if (!parameters.contains(input)) parameter(input, physical_extents(input));
    return parameters.at(input).dim(static_cast<int>(rank - 1 - axis + inner)).extent();
  }

  Expr free_extent(int number) {
    const Graph& graph = spec.workload.graph;
    for (size_t i = 0; i < graph.inputs.size(); ++i) {
      if (spec.workload.is_weight(graph.inputs[i].name)) continue;
      const auto at = std::ranges::find(spec.free[i], number);
      if (at == spec.free[i].end()) continue;
      return buffer_extent(i, static_cast<size_t>(at - spec.free[i].begin()));
    }
    throw Halide::CompileError("no input tells free extent " + std::to_string(number));
  }

  std::vector<Expr> sizes(size_t tensor) {
    std::vector<Expr> result = constants(tensor_type(tensor).shape);
    for (size_t i = 0; !spec.free.empty() && i < result.size(); ++i) {
      if (spec.free[tensor][i] > 0) result[i] = free_extent(spec.free[tensor][i]);
    }
    return result;
  }

  /// Innermost first.
  std::vector<int64_t> physical_extents(size_t tensor) const {
    return reversed(physical_shape(tensor_type(tensor).shape, spec.layouts[tensor]));
  }

  std::vector<Expr> physical_sizes(size_t tensor) {
    const int64_t block = spec.layouts[tensor].block;
    std::vector<Expr> result = sizes(tensor);
    if (block > 0 && result.size() >= 2) {
      result[1] = narrow(physical_shape(tensor_type(tensor).shape, spec.layouts[tensor])[1]);
      result.emplace_back(narrow(block));
    }
    std::ranges::reverse(result);
    return result;
  }

  /// The operand `name` of an elementwise step at `position` of the output.
  Expr operand_value(KernelBuilder& builder, const std::string& name,
                     const std::vector<Expr>& position) {
    const Graph& graph = spec.workload.graph;
    const TensorType& type = type_of(spec.workload, name);
    const auto constant = graph.constants.find(name);
    if (constant != graph.constants.end()) return constant_value(spec, constant->second, position);
    const size_t index = graph_input(spec.workload, name).value();
    const EpilogueOperand layout = epilogue_operand(spec, index);
    const Halide::Func param =
        layout.is_packed ? builder.packed(index, reversed(layout.extents)) : builder.operand(index);
    return param(operand_position(spec, type.shape, layout.layout, position));
  }
};

KernelBuilder::KernelBuilder(const KernelSpec& spec, OperandBuffers buffers)
    : state_(std::make_unique<State>(State{.spec = spec, .buffers = buffers})) {}
KernelBuilder::~KernelBuilder() = default;

Halide::Func KernelBuilder::operand(size_t index) {
  return state_->parameter(index, state_->physical_extents(index));
}

Expr KernelBuilder::extent(size_t index, int dimension) {
  if (state_->buffers == OperandBuffers::kShaped) {
    return buffer(index).dim(dimension).extent();
  }
  return state_->physical_sizes(index).at(static_cast<size_t>(dimension));
}

std::vector<Expr> KernelBuilder::sizes(size_t index) { return state_->sizes(index); }

std::vector<Expr> KernelBuilder::output_sizes() { return state_->sizes(state_->output()); }

Halide::ImageParam KernelBuilder::buffer(size_t index) {
  operand(index);  // one that nothing has read yet
  return state_->parameters.at(index);
}

Halide::Func KernelBuilder::packed(size_t index, const std::vector<int64_t>& extents) {
  return state_->parameter(index, extents);
}

Halide::Func KernelBuilder::packed(size_t index, const std::vector<int64_t>& extents,
                                   DataType type) {
  return state_->parameter(index, extents, type);
}

Halide::Func KernelBuilder::packed_stream(size_t index, const std::vector<int64_t>& extents,
                                          std::vector<std::string> again) {
  if (is_x86(state_->spec.target) && asks_ahead(state_->spec.config))
    state_->streams.push_back({argument_name(index), std::move(again)});
  return packed(index, extents);
}

Expr KernelBuilder::epilogue(const Expr& value, const std::vector<Expr>& position,
                             size_t first_step) {
  const std::vector<Node>& nodes = state_->spec.workload.graph.nodes;
  Expr result = value;
  bool is_finite = true;
  for (size_t step = first_step; step < nodes.size(); ++step) {
    const Node& node = nodes[step];
    std::vector<Expr> operands;
    for (const std::string& name : node.inputs) {
      const bool is_chain = step > 0 && name == nodes[step - 1].outputs[0];
      if (name.empty())
        operands.emplace_back();
      else
        operands.push_back(is_chain ? result : state_->operand_value(*this, name, position));
    }
    result =
        is_float_step(state_->spec, node)
            ? elementwise_expr(node, operands)
            : typed_expr(node, operands, type_of(state_->spec.workload, node.outputs[0]).data_type,
                         has_half_casts(state_->spec.target));
    is_finite = is_finite && !may_leave_finite(node);
  }
  const int64_t block = state_->spec.output_layout().block;
  if (is_finite || block == 0) return result;
  const int64_t channels = output_type(state_->spec.workload).shape[1];
  if (channels % block == 0) return result;
  const Expr channel = position.front() + static_cast<int>(block) * position[position.size() - 2];
  return Halide::select(channel < static_cast<int>(channels), result,
                        Halide::cast(result.type(), 0));
}

std::vector<Expr> KernelBuilder::output_extents() {
  return state_->physical_sizes(state_->output());
}

void KernelBuilder::set_output_extents(const std::vector<int64_t>& extents) {
  state_->output_extents = constants(extents);
}

void KernelBuilder::set_output_sizes(const std::vector<Expr>& extents) {
  state_->output_extents = extents;
}

void KernelBuilder::keep_loops() { state_->keeps_loops = true; }

void KernelBuilder::use_dot_products() { state_->has_dot_products = true; }

int KernelBuilder::lanes() const { return float_lanes(state_->spec.target); }

void KernelBuilder::fix_output(Halide::Func& output) const {
  const KernelSpec& spec = state_->spec;
  std::vector<Expr> extents = state_->output_extents;
  if (extents.empty()) extents = state_->physical_sizes(state_->output());
  int position = static_cast<int>(spec.workload.graph.inputs.size());
  const std::vector<Halide::OutputImageParam> buffers = output.output_buffers();
  fix_dimensions(Halide::OutputImageParam(buffers.front()), extents,
                 alignment_of(spec, state_->repeat, position));
  // Further ones take their bounds from the first.
  for (size_t i = 1; i < buffers.size(); ++i) {
    Halide::OutputImageParam buffer = buffers[i];
    Expr stride = 1;
    for (size_t d = 0; d < extents.size(); ++d) {
      buffer.dim(static_cast<int>(d)).set_stride(stride);
      stride = stride * extents[d];
    }
    buffer.set_host_alignment(alignment_of(spec, state_->repeat, ++position));
  }
}

void KernelBuilder::write_object(const Halide::Func& output, const std::string& function,
                                 const std::filesystem::path& object) {
  const std::vector<Expr> sizes =
      state_->output_extents.empty() ? output_extents() : state_->output_extents;
  std::vector<Halide::Argument> arguments;
  for (size_t i = 0; i < state_->spec.workload.graph.inputs.size(); ++i) {
    arguments.emplace_back(buffer(i));
  }
  const KernelBuilderHalideTarget target = halide_target(
      state_->spec.target,
      {.keeps_loops = state_->keeps_loops, .has_dot_products = state_->has_dot_products});
  Halide::Pipeline pipeline(output);
  if (!state_->spec.free.empty())
    replace_variables(pipeline, free_dimensions(output.name(), sizes));
  for (const BufferStream& stream : state_->streams) prefetch_stream(pipeline, stream);
  const DeviceType device = device_type(state_->spec.target);
  const bool is_for_cpu = device == DeviceType::kCpu;
  if (!is_for_cpu) {
    lower_for_device(pipeline, device);
    number_accumulators(pipeline);
  }
  Halide::Module module = pipeline.compile_to_module(arguments, function, target,
                                                     Halide::LinkageType::ExternalPlusArgv);
  if (is_for_cpu) append_bitcode(module, state_->spec, !state_->streams.empty());
  if (device == DeviceType::kCuda) limit_registers(module, state_->spec.target);
  module.compile({{Halide::OutputFileType::object, object.string()}});
}

Result<void> compile_kernel(const KernelSpec& spec, const std::string& function,
                            const std::filesystem::path& object) {
  OPBENCH_CHECK(check_spec(spec));
  OPBENCH_CHECK(load_halide());
  const ScheduleDef& schedule = **schedule_table().find(spec.schedule);
  const std::filesystem::path temporary = unfinished_object(object, ::getpid());
  try {
    KernelBuilder builder(spec);
    Halide::Func output = schedule.build(spec, builder);
    builder.fix_output(output);
    builder.write_object(output, function, temporary);
  } catch (const std::exception& error) {
    std::error_code ignored;
    std::filesystem::remove(temporary, ignored);
    if (dynamic_cast<const std::bad_alloc*>(&error) != nullptr) {
      return Error{ErrorCode::kSystem, "out of memory in the compiler"};
    }
    if (dynamic_cast<const Halide::InternalError*>(&error) != nullptr) {
      return Error{ErrorCode::kSystem, std::string("the compiler failed: ") + error.what()};
    }
    return Error{ErrorCode::kInvalidInput, "schedule \"" + spec.schedule +
                                               "\" is not valid for \"" + text_of(spec.workload) +
                                               "\": " + error.what()};
  }
  std::error_code failure;
  std::filesystem::rename(temporary, object, failure);
  if (failure)
    return Error{ErrorCode::kSystem, "cannot write " + object.string() + ": " + failure.message()};
  return {};
}

}  // namespace opbench
