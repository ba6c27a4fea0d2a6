#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <string>

#include "kernel_harness.h"
#include "opbench/base/file.h"

namespace opbench {
namespace {

std::string disassembly(const std::filesystem::path& object) {
  const std::string command = "objdump -d --no-show-raw-insn " + object.string();
  std::FILE* pipe = ::popen(command.c_str(), "r");
  if (pipe == nullptr) return "";
  std::string text;
  std::array<char, 4096> part{};
  while (const size_t bytes = std::fread(part.data(), 1, part.size(), pipe)) {
    text.append(part.data(), bytes);
  }
  return ::pclose(pipe) == 0 ? text : "";
}

size_t count_of(const std::string& text, const std::string& word) {
  size_t count = 0;
  for (size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++count;
  return count;
}

/// The kernel's code with that value of the knob, or why there is none.
std::string code_of(const std::string& workload, const std::string& schedule, int64_t ahead) {
  auto spec = kernel_spec(workload, "llvm -mcpu=skylake-avx512", schedule);
  const auto folder = TemporaryFolder::make();
  if (!spec || !folder) return to_text(spec ? folder.error() : spec.error());
  spec->config["ahead"] = ahead;
  const std::filesystem::path object = folder->path() / "kernel.o";
  const Result<void> compiled = compile_kernel(*spec, "kernel", object);
  return compiled ? disassembly(object) : to_text(compiled.error());
}

struct Case {
  const char* schedule;
  const char* workload;
};

constexpr Case kManyWeights[] = {
    {"dense", "dense 30x1024 w:1024x600"},
    {"conv2d_pointwise", "conv2d 1x1024x7x7 w:640x1024x1x1"},
    {"conv2d_winograd", "conv2d 1x256x14x14 w:256x256x3x3 pads=1,1,1,1"},
};

TEST(Prefetch, AsksForWeightsBeforeTheyAreRead) {
  for (const auto& [schedule, workload] : kManyWeights) {
    const std::string code = code_of(workload, schedule, 1);
    EXPECT_GT(count_of(code, "vfmadd"), 0U) << schedule << ": " << code;
    EXPECT_GT(count_of(code, "prefetcht0"), 0U) << schedule;
    EXPECT_EQ(count_of(code, "prefetchnta"), 0U) << schedule;
  }
}

TEST(Prefetch, AsksForNothingWithoutTheKnob) {
  for (const auto& [schedule, workload] : kManyWeights) {
    const std::string code = code_of(workload, schedule, 0);
    EXPECT_GT(count_of(code, "vfmadd"), 0U) << schedule << ": " << code;
    EXPECT_EQ(count_of(code, "prefetch"), 0U) << schedule;
  }
}

TEST(Prefetch, ChangesNoResult) {
  for (const auto& [schedule, workload] : kManyWeights) {
    auto spec = kernel_spec(workload, "host", schedule);
    ASSERT_TRUE(spec) << to_text(spec.error());
    spec->config["ahead"] = 1;
    const auto error = kernel_error(*spec);
    ASSERT_TRUE(error) << to_text(error.error());
    EXPECT_LT(*error, 2e-5) << schedule;
  }
}

}  // namespace
}  // namespace opbench
