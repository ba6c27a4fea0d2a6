#include <fmt/format.h>
#include <sys/resource.h>

#include <filesystem>

#include "base/files/file.h"
#include "benchmarks/devices/device_goals.h"

namespace opbench {
namespace {

namespace fs = std::filesystem;

constexpr double kPointsLimitS = 3600, kBuildLimitS = 300, kEmulatedLimitS = 1800;

fs::path beside_opbench(const std::string& name) {
  return fs::path(opbench_path()).parent_path() / name;
}

/// Seconds of all programs that this one has waited for, and of those that they waited for.
double children_cpu_s() {
  rusage usage{};
  ::getrusage(RUSAGE_CHILDREN, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

int lines_with(const std::string& text, const std::string& word) {
  int lines = 0;
  for (size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++lines;
  return lines;
}

Result<void> run_tool(const std::vector<std::string>& words) {
  OPBENCH_TRY(const ProgramRun run, run_to_end({.argv = words, .limit_s = kEmulatedLimitS}));
  if (run.exit_code == 0) return {};
  return Error{ErrorCode::kSystem,
               fmt::format("\"{}\" ended with code {}", fmt::join(words, " "), run.exit_code)}
      .with("stderr", run.err);
}

}  // namespace

Result<void> add_points(Report& report) {
  Report::progress("random points of templates: ten CPU-minutes");
  Bar bar{.bar =
              "goal 2: wrong kernels of 200 points of dense_large_batch.gpu and 200 of "
              "conv2d_nchw.cuda",
          .value = 0,
          .limit = 0};
  const fs::path tests = beside_opbench("test_kernels_schedules");
  std::error_code ignored;
  if (!fs::exists(tests, ignored)) {
    bar.reason = "not built: " + tests.string();
    report.add(bar);
    return {};
  }
  OPBENCH_TRY(const ProgramRun run,
              run_to_end({.argv = {tests.string(),
                                   "--gtest_filter=GpuTemplates.ComputeManyPointsOfTheirSpaces"},
                          .environment = {{"OPBENCH_SLOW_TESTS", "1"}},
                          .limit_s = kPointsLimitS}));
  bar.value = lines_with(run.out, ": Failure\n");
  const bool has_run = lines_with(run.out, "[       OK ]") + static_cast<int>(bar.value) > 0;
  if (!has_run) bar.reason = "the tests were skipped or ended early";
  report.add(bar);
  return {};
}

Result<void> add_emulated(const std::vector<std::string>& models, Report& report) {
  OPBENCH_TRY(const TemporaryFolder folder, TemporaryFolder::make());
  const fs::path sources = fs::path(OPBENCH_LAUNCHER).parent_path() / "cmake/arm64";
  Report::progress("build for arm64");
  const double before = children_cpu_s();
  OPBENCH_CHECK(
      run_tool({"/usr/bin/cmake", "-S", sources.string(), "-B", folder.path().string(), "-G",
                "Ninja", "-D", "CMAKE_TOOLCHAIN_FILE=" + (sources / "toolchain.cmake").string(),
                "-D", "CMAKE_RUNTIME_OUTPUT_DIRECTORY=" + beside_opbench("arm64").string()}));
  OPBENCH_CHECK(run_tool({"/usr/bin/ninja", "-C", folder.path().string(), "-j", "1"}));
  report.add({"goal 6: build of the engine for arm64, CPU-seconds", children_cpu_s() - before,
              kBuildLimitS});
  for (const std::string& model : models) {
    Report::progress(fmt::format("profile {} for arm64", model));
    const auto run =
        run_to_end({.argv = {opbench_path(), "profile", model, "--target",
                             "llvm -device=arm_cpu -mtriple=aarch64-linux-gnu", "--check",
                             "onnxruntime", "--budget", "3", "--format", "json"},
                    .environment = {},
                    .limit_s = kEmulatedLimitS});
    report.add(check_bar(fmt::format("goal 6: {} in QEMU, largest relative error", model), run));
  }
  return {};
}

}  // namespace opbench
