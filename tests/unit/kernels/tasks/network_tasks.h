#pragma once

#include <string>
#include <vector>

#include "task_maker.h"

/// The tasks that TVM 0.8 finds in a few networks, in its order.
namespace opbench::test {

struct Named {
  std::string name;
  std::vector<Argument> arguments;
};

inline constexpr const char* kNchwc = "conv2d_NCHWc.x86";
inline constexpr const char* kDirect = "conv2d_nchw.cuda";
inline constexpr const char* kWinograd = "conv2d_nchw_winograd.cuda";

inline std::vector<Conv> resnet18_convolutions() {
  return {{3, 224, 64, 7, 2, 3},   {64, 56, 64, 3, 1, 1},   {64, 56, 64, 1, 1, 0},
          {64, 56, 128, 3, 2, 1},  {64, 56, 128, 1, 2, 0},  {128, 28, 128, 3, 1, 1},
          {128, 28, 256, 3, 2, 1}, {128, 28, 256, 1, 2, 0}, {256, 14, 256, 3, 1, 1},
          {256, 14, 512, 3, 2, 1}, {256, 14, 512, 1, 2, 0}, {512, 7, 512, 3, 1, 1}};
}

inline std::vector<Named> resnet18_llvm() {
  std::vector<Named> tasks;
  for (const Conv& conv : resnet18_convolutions()) tasks.push_back({kNchwc, nchwc_conv(conv)});
  tasks.push_back({"dense_nopack.x86", dense(1, 1000, 512)});
  tasks.push_back({"dense_pack.x86", dense(1, 1000, 512)});
  return tasks;
}

inline std::vector<Named> resnet18_cuda() {
  std::vector<Named> tasks;
  for (const Conv& conv : resnet18_convolutions()) {
    tasks.push_back({kDirect, plain_conv(conv)});
    if (conv.taps == 3 && conv.stride == 1) tasks.push_back({kWinograd, plain_conv(conv)});
  }
  tasks.push_back({"dense_small_batch.gpu", dense(1, 1000, 512)});
  return tasks;
}

inline std::vector<Named> bert_llvm() {
  std::vector<Named> tasks;
  const auto add_dense = [&](int64_t rows, int64_t columns, int64_t depth) {
    tasks.push_back({"dense_nopack.x86", dense(rows, columns, depth)});
    tasks.push_back({"dense_pack.x86", dense(rows, columns, depth)});
  };
  add_dense(128, 768, 768);
  tasks.push_back({"batch_matmul.x86", batch_matmul(12, 128, 128, 64)});
  tasks.push_back({"batch_matmul.x86", batch_matmul(12, 128, 64, 128)});
  add_dense(128, 3072, 768);
  add_dense(128, 768, 3072);
  add_dense(1, 768, 768);
  return tasks;
}

inline std::vector<Named> lstm_llvm() {
  return {{"dense_nopack.x86", dense(1, 4096, 1024)}, {"dense_pack.x86", dense(1, 4096, 1024)}};
}

}  // namespace opbench::test
