#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "kernel_harness.h"
#include "model/operators/operator.h"

namespace opbench {
namespace {

/// A usual workload of every operator that carries time. Layers that a pass takes apart (lstm, gru,
/// rnn) are asked for as they come.
const std::vector<std::string> kUsual = {
    "arg_max 4x64 axis=1",
    "attention 1x2x8x16 1x2x8x16 1x2x8x16",
    "average_pool 1x8x9x9 kernel_shape=3,3",
    "batch_norm 1x8x9x9 w:8 w:8 w:8 w:8",
    "add 4x64 4x64",
    "bitwise_and 64:int32 64:int32",
    "cast 4x64 to=7",
    "clip 4x64 =0 =6",
    "concat 4x8 4x8 axis=1",
    "conv2d 1x8x9x9 w:8x8x3x3",
    "conv_integer 1x32x9x9:uint8 w:24x32x3x3:int8",
    "conv_transpose 1x8x9x9 w:8x8x3x3",
    "softmax_cross_entropy_loss 2x3 2:int32",
    "cum_sum 8x64 =0:int64",
    "dense 4x64 w:64x8",
    "depth_to_space 1x8x9x9 blocksize=2",
    "det 2x3x3",
    "dft 1x64x1",
    "dynamic_quantize 64",
    "einsum 2x3 3x2 equation=ij,jk->ik",
    "com.microsoft.embed_layer_normalization 1x4:int32 _ 9x8 9x8 _ 8 8",
    "expand 4x1 =4,8:int64",
    "com.microsoft.fused_mat_mul 2x3x20x31 3x5x31 transB=1",
    "gather_elements 4x64 4x8:int64 axis=1",
    "gather_nd 4x5 3x1:int64",
    "gather 4x64 8:int64",
    "global_average_pool 1x8x9x9",
    "grid_sample 1x3x8x8 1x4x4x2",
    "group_norm 1x8x9x9 w:8 w:8 num_groups=2",
    "com.microsoft.group_query_attention 1x5x64 1x5x32 1x5x32 _ _ 1:int32 =5:int32 "
    "kv_num_heads=2 num_heads=4",
    "gru 5x2x3 w:1x12x3 w:1x12x4 hidden_size=4",
    "hardmax 4x64",
    "instance_norm 1x8x9x9 w:8 w:8",
    "is_inf 64",
    "is_nan 64",
    "layer_norm 4x64 w:64 w:64",
    "lp_norm 4x64",
    "lp_pool 1x8x9x9 kernel_shape=3,3",
    "lrn 1x8x9x9 size=3",
    "lstm 5x2x3 w:1x16x3 w:1x16x4 hidden_size=4",
    "matmul_integer 4x64:uint8 64x8:int8",
    "matmul 4x64 64x8",
    "com.microsoft.mat_mul_nbits 1x64 w:48x2x16:uint8 w:96 K=64 N=48 block_size=32",
    "max_pool 1x8x9x9 kernel_shape=3,3",
    "max_unpool 1x1x2 1x1x2:int64 kernel_shape=2 strides=2",
    "mean_variance_norm 1x8x9x9",
    "com.microsoft.gelu 4x64",
    "com.microsoft.rotary_embedding 1x2x4x8 1:int64 8x4 8x4",
    "com.microsoft.multi_head_attention 1x4x8 1x4x8 1x4x8 num_heads=2",
    "one_hot 64:int64 =8:int64 =0,1",
    "com.microsoft.attention 1x4x8 w:8x24 w:24 num_heads=2",
    "pad 4x64 =1,1,1,1:int64",
    "prelu 1x8x9x9 w:8x1x1",
    "com.microsoft.qlinear_add 4x64:uint8 scalar scalar:uint8 4x64:uint8 scalar scalar:uint8 "
    "scalar scalar:uint8",
    "qlinear_conv 1x2x5:uint8 scalar scalar:uint8 4x2x3:int8 4 4:int8 scalar scalar:uint8",
    "qlinear_matmul 2x3:uint8 scalar scalar:uint8 w:3x4:int8 4 4:int8 scalar scalar:uint8",
    "quantize_linear 4x64 =0.5 =0:uint8",
    "lstm_steps 3x2x28 w:28x7 1x2x7 1x2x7 outputs=0,1",
    "reduce_mean 4x64 axes=1",
    "resize 1x8x9x9 _ =1,1,2,2 mode=linear",
    "reverse_sequence 8x4x5 4:int64",
    "rms_norm 4x64 w:64",
    "rnn 5x2x3 w:1x4x3 w:1x4x4 hidden_size=4",
    "roi_align 1x1x8x8 2x4 2:int64",
    "rotary_embedding 1x2x4x8 1x4x4 1x4x4",
    "scatter_elements 4x64 4x8:int64 4x8 axis=1",
    "simplified_layer_norm 4x64 w:64",
    "com.microsoft.skip_layer_normalization 1x3x8 1x3x8 8 8",
    "slice 4x64 =1,:int64 =60,:int64 =1,:int64",
    "softmax 4x64",
    "split 4x64 =10,54:int64 axis=1 outputs=0,1",
    "stft 1x64x1 =8:int64 16",
    "tile 4x64 =2,2:int64",
    "top_k 4x64 =5,:int64 outputs=0,1",
    "transpose 4x64",
    "trilu 8x8",
    "exp 4x64",
    "where 4x64:bool 4x64 4x64",
};

/// What is known before the run, or moves nothing.
const std::set<std::string> kWithoutTime = {"compress",
                                            "constant_of_shape",
                                            "eye_like",
                                            "mel_weight_matrix",
                                            "non_max_suppression",
                                            "non_zero",
                                            "range",
                                            "shape",
                                            "unique",
                                            "view",
                                            "window_function"};

/// Those whose usual workload no schedule takes: their references are their kernels, on one thread.
/// A pass takes some apart: attention, gru, lstm, rnn and the like.
const std::set<std::string> kByReference = {"attention",
                                            "bitwise",
                                            "cross_entropy",
                                            "depth_to_space",
                                            "det",
                                            "dft",
                                            "dynamic_quantize",
                                            "einsum",
                                            "embed_layer_norm",
                                            "gather",
                                            "gather_elements",
                                            "gather_nd",
                                            "grid_sample",
                                            "group_query_attention",
                                            "gru",
                                            "is_inf",
                                            "is_nan",
                                            "lp_norm",
                                            "lstm",
                                            "matmul_integer",
                                            "max_unpool",
                                            "microsoft_rotary",
                                            "multi_head_attention",
                                            "one_hot",
                                            "packed_attention",
                                            "pad",
                                            "qlinear_conv",
                                            "qlinear_matmul",
                                            "reverse_sequence",
                                            "rnn",
                                            "roi_align",
                                            "scatter",
                                            "skip_layer_norm",
                                            "slice",
                                            "split",
                                            "stft",
                                            "tile",
                                            "top_k"};

bool has_kernel(const std::string& text) {
  const char* target = "llvm -mcpu=skylake-avx512";
  return kernel_spec(text, target, "", false).has_value() ||
         kernel_spec(text, target, "", true).has_value();
}

TEST(ReferenceOperators, AreThoseOfTheList) {
  std::set<std::string> by_reference;
  for (const std::string& text : kUsual) {
    const auto workload = parse_workload(text);
    ASSERT_TRUE(workload) << to_text(workload.error());
    if (!has_kernel(text)) by_reference.insert(operator_of(workload->graph.nodes[0])->name);
  }
  EXPECT_EQ(by_reference, kByReference);
}

TEST(ReferenceOperators, AreLookedForAmongAllOperators) {
  std::set<std::string> seen = kWithoutTime, all;
  for (const std::string& text : kUsual) {
    const auto workload = parse_workload(text);
    ASSERT_TRUE(workload) << to_text(workload.error());
    seen.insert(operator_of(workload->graph.nodes[0])->name);
  }
  for (const OperatorDef& def : operator_table().all()) all.insert(def.name);
  EXPECT_EQ(seen, all);
}

}  // namespace
}  // namespace opbench
