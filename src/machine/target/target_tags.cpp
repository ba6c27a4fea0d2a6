#include <nlohmann/json.hpp>

#include "base/errors/suggestion.h"
#include "machine/target/target_forms.h"

namespace opbench {
namespace {

struct Tag {
  std::string name;
  Json json;
};

Json board_cpu(const char* mcpu, int cores) {
  return {{"kind", "llvm"}, {"mtriple", "aarch64-linux-gnu"}, {"mcpu", mcpu}, {"num-cores", cores}};
}

Json cuda_gpu(const char* arch) {
  return {{"kind", "cuda"},
          {"arch", arch},
          {"max_shared_memory_per_block", 49152},
          {"max_threads_per_block", 1024},
          {"thread_warp_size", 32},
          {"registers_per_block", 65536}};
}

Json cloud_cpu(const char* mcpu, int cores) {
  return {{"kind", "llvm"}, {"keys", {"x86", "cpu"}}, {"mcpu", mcpu}, {"num-cores", cores}};
}

/// The most used of TVM's tags, with TVM's values.
std::vector<Tag> tags() {
  Json raspberry_pi = board_cpu("cortex-a72", 4);
  raspberry_pi["mattr"] = {"+neon"};
  Json xavier = cuda_gpu("sm_72");
  xavier["host"] = board_cpu("carmel", 8);
  return {
      {"aws/cpu/c5.large", cloud_cpu("skylake-avx512", 1)},
      {"aws/cpu/c5.xlarge", cloud_cpu("skylake-avx512", 2)},
      {"aws/cpu/c5.2xlarge", cloud_cpu("skylake-avx512", 4)},
      {"aws/cpu/c5.4xlarge", cloud_cpu("skylake-avx512", 8)},
      {"aws/cpu/c5.9xlarge", cloud_cpu("skylake-avx512", 18)},
      {"aws/cpu/c5.12xlarge", cloud_cpu("cascadelake", 24)},
      {"aws/cpu/c5.18xlarge", cloud_cpu("skylake-avx512", 36)},
      {"aws/cpu/c5.24xlarge", cloud_cpu("cascadelake", 48)},
      {"nvidia/geforce-rtx-2080-ti", cuda_gpu("sm_75")},
      {"nvidia/geforce-rtx-3070", cuda_gpu("sm_86")},
      {"nvidia/geforce-rtx-3080", cuda_gpu("sm_86")},
      {"nvidia/geforce-rtx-3090", cuda_gpu("sm_86")},
      {"nvidia/jetson-agx-xavier", xavier},
      {"nvidia/nvidia-t4", cuda_gpu("sm_75")},
      {"nvidia/nvidia-v100", cuda_gpu("sm_70")},
      {"nvidia/rtx-a6000", cuda_gpu("sm_86")},
      {"raspberry-pi/4b-aarch64", raspberry_pi},
  };
}

}  // namespace

Result<Json> expand_target_tag(const std::string& tag) {
  std::vector<std::string> known;
  for (const Tag& entry : tags()) {
    if (tag == entry.name) return entry.json;
    known.push_back(entry.name);
  }
  return unknown_name("target tag", tag, known);
}

}  // namespace opbench
