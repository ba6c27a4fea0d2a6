#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <random>
#include <string>
#include <vector>

#include "base/tensors/tensor_difference.h"
#include "kernel_harness.h"
#include "machine/target/parse_target.h"

namespace opbench {
namespace {

using ::testing::Le;

constexpr double kTolerance = 2e-6;

/// A workload, the layouts of its operands, and the schedule that is to take it.
struct Row {
  const char* schedule;
  const char* workload;
  bool is_blocked_in = false;
  bool is_blocked_out = false;
};

Result<KernelSpec> spec_of(const Row& row, const std::string& target) {
  KernelSpec spec;
  OPBENCH_TRY(spec.workload, parse_workload(row.workload));
  OPBENCH_TRY(spec.target, parse_target(target));
  const int block = float_lanes(spec.target);
  for (const Value& input : spec.workload.graph.inputs) {
    const bool is_weight = spec.workload.is_weight(input.name);
    spec.layouts.push_back({row.is_blocked_in && !is_weight ? block : 0});
  }
  spec.layouts.push_back({row.is_blocked_out ? block : 0});
  if (!choose_schedule(spec))
    return Error{ErrorCode::kInvalidInput, "no schedule takes " + std::string(row.workload)};
  return spec;
}

const std::vector<Row> kProducts = {
    {"dense", "dense 1x512 w:100x512 w:100 transB=1"},
    {"dense", "dense 3x33 w:17x33 w:17 transB=1; relu"},
    {"dense", "dense 5x33 w:33x10 w:5x1 alpha=0.5 beta=2.0"},
    {"dense", "dense 33x7 w:33x50 transA=1"},
    {"dense", "dense 33x100 w:200x100 transB=1; add 33x200; relu"},
    {"dense", "matmul 2x3x20x31 w:31x45; add w:45"},
    {"dense", "matmul 7x7 w:7x1"},
    {"dense", "dense 1x33 w:10x33 =1,2,3,4,5,6,7,8,9,10 transB=1"},
    {"matmul", "dense 20x30 40x30 =2 transB=1 beta=0.5"},
    {"matmul", "matmul 2x3x20x31 3x31x45"},
    {"matmul", "matmul 2x3x20x31 31x45; relu"},
    {"matmul", "matmul 3x20x31 2x3x31x5; mul 3x20x5"},
    {"matmul", "matmul 3x1x31 3x31x50"},
    {"matmul", "dense 30x20 40x30 20x40 transA=1 transB=1 alpha=0.5"},
    {"matmul", "com.microsoft.fused_mat_mul 2x3x20x31 3x5x31 transB=1 alpha=0.5; relu"},
    {"matmul", "com.microsoft.fused_mat_mul 3x31x20 3x31x45 transA=1"},
};

const std::vector<Row> kRowScheduleRows = {
    {"softmax", "softmax 5x6x14 axis=1"},
    {"softmax", "softmax 5x6x3 axis=1"},
    {"softmax", "softmax 3x6x37 axis=1"},
    {"softmax", "softmax 1x1000"},
    {"softmax", "softmax 6x5x77 axis=1"},
    {"softmax", "softmax 2x3x33x40 axis=2"},
    {"softmax", "softmax 5x3"},
    {"softmax", "softmax 64x300; mul w:300"},
    {"softmax", "log_softmax 6x77"},
    {"softmax", "log_softmax 2x31x103 axis=1"},
    {"layer_norm", "layer_norm 5x13x77 w:77 w:77; relu"},
    {"layer_norm", "layer_norm 3x5x7 w:5x7 w:5x7 axis=1"},
    {"layer_norm", "rms_norm 5x13x77 w:77; relu"},
    {"layer_norm", "rms_norm 3x5x7 w:5x7 axis=1 epsilon=0.5"},
    {"layer_norm", "simplified_layer_norm 6x130 w:130"},
    {"layer_norm", "instance_norm 2x20x9x11 w:20 w:20"},
    {"layer_norm", "group_norm 2x12x9x11 w:12 w:12 num_groups=3; relu"},
    {"layer_norm", "group_norm 3x6x70 w:6 w:6 num_groups=6"},
    {"layer_norm", "mean_variance_norm 1x5x9x11"},
    {"layer_norm", "mean_variance_norm 3x5x9x11 axes=2,3"},
    {"batch_norm", "batch_norm 2x5x9x11 =1,2,3,4,5 =1,2,3,4,5 =1,2,3,4,5 =1,2,3,4,5; relu"},
    {"lrn", "lrn 1x32x13x11 size=5 alpha=0.5", true, true},
    {"lrn", "lrn 2x50x13x11 size=5 alpha=0.5", true, true},
    {"lrn", "lrn 1x40x5x3 size=4 alpha=0.5 beta=0.6 bias=2.0; relu", true, true},
    {"lrn", "lrn 2x20x5x7 size=5 alpha=0.5 beta=0.5"},
};

const std::vector<Row> kPools = {
    {"pool", "max_pool 1x32x15x13 kernel_shape=3,3 strides=2,2", true, true},
    {"pool", "max_pool 2x20x28x29 kernel_shape=3,3 strides=1,1 pads=1,1,1,1; relu", true, true},
    {"pool", "max_pool 1x32x13x7 kernel_shape=2,3 strides=1,2 dilations=2,1", true, true},
    {"pool", "max_pool 1x32x20x20 kernel_shape=9,9 strides=3,3 pads=4,4,4,4", true, true},
    {"pool", "average_pool 1x32x14x14 kernel_shape=3,3 strides=2,2 ceil_mode=1", true, true},
    {"pool",
     "average_pool 2x32x14x15 kernel_shape=3,3 strides=2,2 pads=1,1,1,1 "
     "count_include_pad=1 ceil_mode=1",
     true, true},
    {"pool", "average_pool 1x32x7x7 kernel_shape=7,7", true, true},
    {"pool", "average_pool 1x3x17x17 kernel_shape=3,3 pads=0,1,1,0"},
    {"pool", "max_pool 1x3x17x37 kernel_shape=3,3 strides=2,2 pads=1,1,1,1"},
    {"pool", "max_pool 2x5x37 kernel_shape=3 strides=2 pads=1,1"},
    {"pool", "average_pool 1x14x675 count_include_pad=1 kernel_shape=5 pads=2,2 strides=2"},
    {"pool", "average_pool 2x3x9x33 kernel_shape=1,5 pads=0,2,0,2"},
    {"pool", "lp_pool 2x3x9x70 kernel_shape=2,3 strides=1,3"},
    {"pool", "average_pool 1x3x7x9x11 kernel_shape=3,2,3 strides=2,1,1 pads=1,0,1,1,1,0"},
    {"pool", "max_pool 1x3x7x9x20 kernel_shape=5,5,5 pads=2,2,2,2,2,2 dilations=1,1,2"},
    {"pool", "lp_pool 1x3x17x20 kernel_shape=3,3 strides=2,1 pads=1,1,1,1"},
    {"pool", "lp_pool 2x3x40 kernel_shape=5 p=1"},
    {"global_pool", "global_average_pool 2x35x7x7", true, true},
    {"global_pool", "global_average_pool 2x35x7x7", true, false},
    {"global_pool", "global_max_pool 2x7x16x15"},
    {"global_pool", "global_average_pool 1x7x1x1"},
    {"global_pool", "reduce_mean 5x13x77 axes=-1"},
    {"global_pool", "reduce_sum 5x13x77 =-1:int64"},
    {"global_pool", "reduce_max 5x13x64 axes=1,2 keepdims=0"},
    {"global_pool", "reduce_mean 2x20x9x11 axes=2,3 keepdims=0"},
    {"global_pool", "reduce_mean 2x20x9x11 =2,3:int64", true, true},
};

const std::vector<Row> kStreams = {
    {"elementwise", "add 2x40x13x11 2x40x13x11; relu", true, true},
    {"elementwise", "add 2x40x13x11 w:40x1x1; relu; mul w:1x40x1x1", true, true},
    {"elementwise", "mul 2x40x13x11 2x40x1x1; sigmoid", true, true},
    {"elementwise", "add 7x1001 w:1001; tanh"},
    {"elementwise", "swish 7x1001 alpha=0.5; com.microsoft.quick_gelu"},
    {"elementwise", "com.microsoft.bias_gelu 7x1001 w:1001; com.microsoft.gelu"},
    {"elementwise", "com.microsoft.fast_gelu 7x1001 w:1001; com.microsoft.fast_gelu"},
    {"elementwise", "add 1x400x300 400x300"},
    {"elementwise", "add 5x400x7 400x1"},
    {"elementwise", "mul 2x5x7x1x9 w:5x1x1x1; add w:5x1x1x1"},
    {"elementwise", "add 3x1x4x1x1 3x1x1x1x1; mul 1x1x4x1x1"},
    {"elementwise", "sub 1x1x37x1 1x1x37x1"},
    {"elementwise", "add 2x32x1x11 2x32x1x1; relu", true, true},
    {"elementwise", "add 1x20x1x1 1x20x1x1", true, true},
    {"elementwise", "sub 2x3x4x5x6 3x1x5x6"},
    {"elementwise", "clip 1x32x17x3 =0 =0.5", true, true},
    {"elementwise", "mul 1x40x17x3 =0.5; exp", true, true},
    {"elementwise", "pow 5x77 =2"},
    {"elementwise", "pow 5x77 =3; sin"},
    {"identity", "identity 2x35x13x11", true, false},
    {"identity", "identity 1x3x2x3", true, false},
    {"identity", "identity 1x64x70x100", true, false},
    {"identity", "identity 2x35x13x11", false, true},
    {"identity", "identity 1x3x7x33", false, true},
    {"identity", "identity 1x64x70x100", false, true},
    {"concat", "concat 2x32x13x11 2x20x13x11", true, true},
    {"concat", "concat 2x33x3x11 2x33x4x11 axis=2", true, true},
    {"concat", "concat 2x3x70x50 2x1x70x50 2x10x70x50"},
    {"concat", "concat 30x3 30x50 30x20"},
    {"concat", "concat 617x300 617x122"},  // no multiple of the rows of a task
    {"concat", "concat 27x8x2x19 27x8x2x5 27x8x2x7 27x8x2x1 axis=3"},
    {"transpose", "transpose 2x3x9x21 perm=0,2,3,1"},
    {"transpose", "transpose 2x9x21x3 perm=0,3,1,2"},
    {"transpose", "transpose 2x2x40 perm=2,0,1"},
    {"transpose", "transpose 33x70"},
    {"transpose", "transpose 333x14"},
    {"transpose", "transpose 5x700"},
    {"transpose", "transpose 1x2x29x7x5 perm=0,2,1,3,4"},
    {"transpose", "transpose 2x35x17x23 perm=0,2,3,1"},
    {"transpose", "transpose 5x6x7x8 perm=3,1,2,0"},
};

void expect_row_schedule_correct(const std::vector<Row>& rows, const std::string& target) {
  for (const Row& row : rows) {
    SCOPED_TRACE(std::string(row.workload) + " for " + target);
    const auto spec = spec_of(row, target);
    ASSERT_TRUE(spec) << to_text(spec.error());
    if (row.schedule != nullptr) {
      EXPECT_EQ(spec->schedule, row.schedule);
    }
    const auto error = kernel_error(*spec);
    ASSERT_TRUE(error) << to_text(error.error());
    EXPECT_THAT(*error, Le(kTolerance));
  }
}

class RowSchedules : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Targets, RowSchedules,
                         ::testing::Values("host", "llvm -mcpu=core-avx2", "llvm"));

TEST(RowSchedule, LeavesTensorsWithWiderIndicesToTheReferences) {
  EXPECT_TRUE(kernel_spec("relu 40000x50000", "host"));
  EXPECT_FALSE(kernel_spec("relu 50000x50000", "host"));
  EXPECT_FALSE(kernel_spec("relu 2x1009x1025x1025", "llvm -mcpu=skylake-avx512"));  // 64 blocks
}

TEST(RowSchedule, LeavesConstantsThatAreNotFiniteToTheReferences) {
  EXPECT_TRUE(kernel_spec("add 1x4 =1e30", "host"));
  EXPECT_FALSE(kernel_spec("add 1x4 =-inf", "host"));
  EXPECT_FALSE(kernel_spec("mul 1x4 =1,nan,1,1", "host"));
}

TEST(RowSchedule, TakesMasksOfMinusInfinity) {
  const auto spec = kernel_spec("softmax 6x77", "host");
  ASSERT_TRUE(spec) << to_text(spec.error());
  auto kernel = LoadedKernel::load(*spec);
  ASSERT_TRUE(kernel) << to_text(kernel.error());
  std::vector<Tensor> inputs = random_inputs(spec->workload, 1);
  for (size_t i = 0; i < inputs[0].as<float>().size(); i += 3) {
    inputs[0].as<float>()[i] = -std::numeric_limits<float>::infinity();
  }
  const Tensor expected = run_reference(spec->workload, inputs).value();
  ASSERT_TRUE(kernel->bind(inputs));
  ASSERT_EQ(kernel->call(), 0);
  EXPECT_LT(max_relative_error(kernel->output().value(), expected), 1e-6);
}

/// Formulas by exp have 6e-8 of 1, which is nothing right of tanh(1e-5).
TEST(RowSchedule, KeepsTheDigitsOfTinyResults) {
  for (const std::string function : {"tanh", "erf", "elu", "selu", "celu", "softplus"}) {
    const bool is_softplus = function == "softplus";
    const auto spec = kernel_spec(function + " 4x77", "host");
    ASSERT_TRUE(spec) << to_text(spec.error());
    auto kernel = LoadedKernel::load(*spec);
    ASSERT_TRUE(kernel) << to_text(kernel.error());
    std::vector<Tensor> inputs = random_inputs(spec->workload, 1);
    for (float& value : inputs[0].as<float>()) value = is_softplus ? value - 30 : value * 1e-6F;
    const Tensor expected = run_reference(spec->workload, inputs).value();
    ASSERT_TRUE(kernel->bind(inputs));
    ASSERT_EQ(kernel->call(), 0);
    EXPECT_LT(max_relative_error(kernel->output().value(), expected), 2e-6) << function;
  }
}

TEST(RowSchedule, TurnsAnglesOfAnySize) {
  for (const std::string function : {"sin", "cos", "tan", "atan"}) {
    for (const float scale : {1.0F, 10.0F, 3e4F}) {
      const auto spec = kernel_spec(function + " 4x77", "host");
      ASSERT_TRUE(spec) << to_text(spec.error());
      auto kernel = LoadedKernel::load(*spec);
      ASSERT_TRUE(kernel) << to_text(kernel.error());
      std::vector<Tensor> inputs = random_inputs(spec->workload, 1);
      for (float& value : inputs[0].as<float>()) value *= scale;
      const Tensor expected = run_reference(spec->workload, inputs).value();
      ASSERT_TRUE(kernel->bind(inputs));
      ASSERT_EQ(kernel->call(), 0);
      EXPECT_LT(max_relative_error(kernel->output().value(), expected), 1e-6)
          << function << " of " << scale;
    }
  }
}

TEST(RowSchedule, LogSoftmaxKeepsItsDigitsFarFromZero) {
  for (const char* workload :
       {"log_softmax 4x77", "log_softmax 2x31x103 axis=1", "log_softmax 3x8"}) {
    const auto spec = kernel_spec(workload, "host");
    ASSERT_TRUE(spec) << to_text(spec.error());
    auto kernel = LoadedKernel::load(*spec);
    ASSERT_TRUE(kernel) << to_text(kernel.error());
    std::vector<Tensor> inputs = random_inputs(spec->workload, 1);
    for (float& value : inputs[0].as<float>()) value += 1e6F;
    const Tensor expected = run_reference(spec->workload, inputs).value();
    ASSERT_TRUE(kernel->bind(inputs));
    ASSERT_EQ(kernel->call(), 0);
    EXPECT_LT(max_relative_error(kernel->output().value(), expected), 1e-6) << workload;
  }
}

TEST_P(RowSchedules, ComputeMatrixProducts) { expect_row_schedule_correct(kProducts, GetParam()); }
TEST_P(RowSchedules, ComputeSoftmaxAndNormalisations) {
  expect_row_schedule_correct(kRowScheduleRows, GetParam());
}
TEST_P(RowSchedules, ComputePools) { expect_row_schedule_correct(kPools, GetParam()); }
TEST_P(RowSchedules, ComputeStreams) { expect_row_schedule_correct(kStreams, GetParam()); }

TEST(RowSchedulesOnTwoThreads, ComputeTheSame) {
  set_kernel_threads(2);
  for (const auto& rows : {kProducts, kRowScheduleRows, kPools, kStreams})
    expect_row_schedule_correct(rows, "host");
  set_kernel_threads(1);
}

/// Sizes that no tile divides, equal in every run.
class Sizes {
 public:
  std::string next(int least, int most) {
    return std::to_string(std::uniform_int_distribution<int>(least, most)(engine_));
  }

 private:
  std::mt19937 engine_{7};
};

TEST(RowSchedulesOfOddSizes, ComputeTheSame) {
  Sizes sizes;
  for (int i = 0; i < 6; ++i) {
    const std::string n = sizes.next(1, 3), c = sizes.next(1, 70), h = sizes.next(5, 37),
                      w = sizes.next(5, 37), k = sizes.next(1, 90), m = sizes.next(1, 40);
    const std::string image = n + "x" + c + "x" + h + "x" + w;
    const std::string stride = sizes.next(1, 2), pad = sizes.next(0, 1);
    const std::string window =
        " kernel_shape=3,4 strides=" + stride + "," + stride + " pads=" + pad + ",1,1," + pad;
    const std::vector<std::string> blocked = {
        "max_pool " + image + window, "average_pool " + image + window + " ceil_mode=1",
        "lrn " + image + " size=5 alpha=0.3", "add " + image + " " + image + "; relu"};
    const std::vector<std::string> plain = {
        "dense " + m + "x" + k + " w:" + c + "x" + k + " w:" + c + " transB=1; relu",
        "matmul " + n + "x" + m + "x" + k + " " + n + "x" + k + "x" + c,
        "softmax " + image + " axis=2", "transpose " + image + " perm=0,3,2,1"};
    for (const std::string& text : blocked)
      expect_row_schedule_correct({{nullptr, text.c_str(), true, true}}, "host");
    for (const std::string& text : plain)
      expect_row_schedule_correct({{nullptr, text.c_str()}}, "host");
    for (const bool is_packing : {true, false}) {
      const std::string text = "identity " + image;
      expect_row_schedule_correct({{"identity", text.c_str(), !is_packing, is_packing}}, "host");
    }
  }
}

TEST(RowScheduleDefaults, RefuseWhatTheyCannotCompute) {
  for (const Row& row : {
           Row{"", "concat 2x33x3x11 2x33x3x11", true, true},
           Row{"", "max_pool 1x3x5x5x5x5 kernel_shape=2,2,2,2"},
           Row{"", "softmax 1x64x3x3 axis=1", true, true},
           Row{"", "matmul 5x7:float64 7x3:float64"},
       })
    EXPECT_FALSE(spec_of(row, "host")) << row.workload;
}

TEST(DenseSchedule, RefusesMoreRowsThanTheMatrixHas) {
  auto spec = spec_of({"dense", "dense 3x33 w:17x33 transB=1"}, "host");
  ASSERT_TRUE(spec) << to_text(spec.error());
  spec->config["rows"] = 4;
  const auto kernel = LoadedKernel::load(*spec);
  ASSERT_FALSE(kernel);
  EXPECT_THAT(kernel.error().message, ::testing::HasSubstr("rows"));
}

}  // namespace
}  // namespace opbench
