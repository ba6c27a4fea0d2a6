// `./dev bench symbolic`: three convolutions whose batch, or width and batch, are read from the
// buffers when the kernel is called, against the same schedule with every extent compiled in. Where
// a bar is missed, a model with free dimensions needs a version of the kernel for each width.
#include <fmt/format.h>
#include <halide14/Halide.h>

#include <array>
#include <string>
#include <vector>

#include "base/system/monotonic_clock.h"
#include "base/tensors/tensor_difference.h"
#include "benchmarks/common/benchmark.h"
#include "kernel_harness.h"
#include "kernels/schedules/kernel_builder.h"
#include "machine/resources/pinning.h"
#include "measuring/results/statistics.h"

namespace opbench {
namespace {

constexpr double kSymbolicLimitPercent = 5;
constexpr double kSymbolicTolerance = 1e-5;  // max |kernel - reference| / max |reference|
constexpr int kSymbolicRounds = 101;
constexpr double kSymbolicSampleSeconds = 5e-3;

/// A square image, padded so that it keeps its extents, with a relu.
struct SymbolicConvolution {
  int64_t channels, width, kernel, filters;

  std::string workload(int64_t batch, int64_t columns) const {
    const int64_t pad = kernel / 2;
    return fmt::format("conv2d {}x{}x{}x{} w:{}x{}x{}x{} w:{} pads={},{},{},{}; relu", batch,
                       channels, width, columns, filters, channels, kernel, kernel, filters, pad,
                       pad, pad, pad);
  }
  std::string text() const {
    return fmt::format("{}x{}x{} {}x{} to {}", channels, width, width, kernel, kernel, filters);
  }
};

constexpr SymbolicConvolution kConvolutions[] = {
    {64, 56, 3, 64}, {128, 28, 3, 128}, {256, 14, 1, 512}};

/// Which extents a kernel leaves open.
struct Freedom {
  const char* text;
  bool is_width_free;
};
constexpr std::array<Freedom, 2> kFreedoms = {{{"batch", false}, {"width and batch", true}}};

/// Dimensions of a blocked tensor, innermost first.
constexpr int kWidth = 1;
constexpr int kSymbolicBatch = 4;

template <class Parameter>
void free_extents(Parameter&& parameter, const Freedom& freedom) {
  const Halide::Expr open;
  parameter.dim(kSymbolicBatch).set_extent(open);
  if (!freedom.is_width_free) return;
  parameter.dim(kWidth).set_extent(open);
  for (int outer = kWidth + 1; outer <= kSymbolicBatch; ++outer)
    parameter.dim(outer).set_stride(open);
}

Result<void> compile_symbolic(const KernelSpec& spec, const Freedom& freedom,
                              const std::string& function, const std::filesystem::path& object) {
  OPBENCH_TRY(const ScheduleDef* schedule, schedule_table().find(spec.schedule));
  try {
    KernelBuilder builder(spec, OperandBuffers::kShaped);
    Halide::Func output = schedule->build(spec, builder);
    builder.fix_output(output);
    free_extents(output.output_buffer(), freedom);
    free_extents(builder.buffer(*input_index(spec.workload, 0, 0)), freedom);
    builder.write_object(output, function, object);
  } catch (const Halide::Error& error) {
    return Error{ErrorCode::kInvalidInput, error.what()};
  }
  return {};
}

/// Calls the kernel once on seeded inputs and compares with the reference.
Result<void> check(const KernelSpec& spec, LoadedKernel& kernel) {
  const std::vector<Tensor> inputs = random_inputs(spec.workload, 1);
  OPBENCH_CHECK(kernel.bind(inputs));
  kernel.call();
  OPBENCH_TRY(const Tensor result, kernel.output());
  OPBENCH_TRY(const Tensor reference, run_reference(spec.workload, inputs));
  const double error = max_relative_error(result, reference);
  if (error <= kSymbolicTolerance) return {};
  return Error{ErrorCode::kSystem,
               fmt::format("error {:.1e} for {}", error, text_of(spec.workload))};
}

/// The kernel compiled for `spec` but for the free extents, checked there and, since nothing tells
/// it these extents, at others.
Result<LoadedKernel> symbolic_kernel(const SymbolicConvolution& convolution, const KernelSpec& spec,
                                     const Freedom& freedom) {
  const auto compile = [&](const std::string& function, const std::filesystem::path& object) {
    return compile_symbolic(spec, freedom, function, object);
  };
  KernelSpec elsewhere = spec;
  const int64_t columns = convolution.width + (freedom.is_width_free ? 9 : 0);
  OPBENCH_TRY(elsewhere.workload, parse_workload(convolution.workload(3, columns)));
  OPBENCH_TRY(LoadedKernel other, LoadedKernel::load(elsewhere, compile));
  OPBENCH_CHECK(check(elsewhere, other));
  OPBENCH_TRY(LoadedKernel kernel, LoadedKernel::load(spec, compile));
  OPBENCH_CHECK(check(spec, kernel));
  return kernel;
}

/// CPU seconds: right also while other programs take the CPU away.
double symbolic_time_of(LoadedKernel& kernel, int calls) {
  const double start = thread_cpu_s();
  for (int i = 0; i < calls; ++i) kernel.call();
  return (thread_cpu_s() - start) / calls;
}

/// One list a kernel, of seconds a call in every round; the kernels take turns.
std::vector<std::vector<double>> symbolic_times_of(std::vector<LoadedKernel>& kernels) {
  const int calls = 1 + static_cast<int>(kSymbolicSampleSeconds / symbolic_time_of(kernels[0], 5));
  std::vector<std::vector<double>> times(kernels.size());
  for (int round = 0; round < kSymbolicRounds; ++round)
    for (size_t i = 0; i < kernels.size(); ++i)
      times[i].push_back(symbolic_time_of(kernels[i], calls));
  return times;
}

Result<void> measure_symbolic(const SymbolicConvolution& convolution, Report& report) {
  OPBENCH_TRY(const KernelSpec spec,
              kernel_spec(convolution.workload(1, convolution.width), "host", "conv2d_direct"));
  std::vector<LoadedKernel> kernels;
  OPBENCH_TRY(LoadedKernel fixed, LoadedKernel::load(spec));
  OPBENCH_CHECK(check(spec, fixed));
  kernels.push_back(std::move(fixed));
  for (const Freedom& freedom : kFreedoms) {
    OPBENCH_TRY(LoadedKernel kernel, symbolic_kernel(convolution, spec, freedom));
    kernels.push_back(std::move(kernel));
  }
  const std::vector<std::vector<double>> times = symbolic_times_of(kernels);
  const double flops = flops_of(spec.workload);
  report.note(fmt::format("{}: fixed {:.1f} us, {:.1f} GFLOP/s", convolution.text(),
                          median(times[0]) * 1e6, flops / median(times[0]) * 1e-9));
  for (size_t i = 0; i < kFreedoms.size(); ++i) {
    std::vector<double> ratios;
    for (size_t round = 0; round < kSymbolicRounds; ++round)
      ratios.push_back(times[i + 1][round] / times[0][round]);
    report.add({fmt::format("symbolic {}: {}, percent slower than fixed", kFreedoms[i].text,
                            convolution.text()),
                (median(ratios) - 1) * 100, kSymbolicLimitPercent});
  }
  return {};
}

Result<void> run_symbolic(const Arguments&, Report& report) {
  OPBENCH_CHECK(pin_this_thread({current_affinity().front()}));
  for (const SymbolicConvolution& convolution : kConvolutions) {
    OPBENCH_CHECK(measure_symbolic(convolution, report));
  }
  return {};
}

}  // namespace
}  // namespace opbench

int bench_symbolic_main(int argc, char** argv) {
  const opbench::BenchmarkDef benchmark{
      .name = "symbolic",
      .summary = "what it costs when a kernel learns width and batch at the call",
      .run = opbench::run_symbolic};
  return opbench::run_benchmark(benchmark, argc, argv);
}
