#include <fmt/format.h>

#include <filesystem>

#include "base/files/file.h"
#include "base/system/seconds.h"
#include "benchmarks/devices/device_goals.h"
#include "measuring/results/statistics.h"

namespace opbench {
namespace {

namespace fs = std::filesystem;

constexpr int kListings = 20;
constexpr double kListingLimitMs = 50;

ProgramCommand listing(std::map<std::string, std::string> environment) {
  return {.argv = {opbench_path(), "list", "devices", "--format", "csv"},
          .environment = std::move(environment)};
}

ProgramCommand wanting_opencl(std::map<std::string, std::string> environment) {
  return {.argv = {opbench_path(), "op", "relu 1x8x14x14", "--target", "opencl"},
          .environment = std::move(environment)};
}

Result<void> add_time(Report& report) {
  std::vector<double> times_ms;
  for (int i = 0; i < kListings; ++i) {
    OPBENCH_TRY(const ProgramRun run, run_to_end(listing({})));
    times_ms.push_back(s_to_ms(run.wall_s));
    if (i == 0) report.note(run.out);
  }
  report.add({fmt::format("goal 1: opbench list devices, ms, median of {}", kListings),
              median(times_ms), kListingLimitMs});
  return {};
}

/// A library that does not load takes the place of the system's.
Result<void> add_no_library(const fs::path& folder, Report& report) {
  OPBENCH_CHECK(write_file(folder / "libOpenCL.so.1", "none\n"));
  report.add(answer_bar("goal 1: no library, wrong answers",
                        wanting_opencl({{"LD_LIBRARY_PATH", folder.string()}}),
                        static_cast<int>(ErrorCode::kEnvironment), "is not installed"));
  return {};
}

/// The driver of the tests answers as the toolkit's stub does.
Result<void> add_stub(const fs::path& folder, Report& report) {
  const fs::path driver = fs::path(opbench_path()).parent_path() / "libfake_cuda.so";
  std::error_code failed;
  fs::copy_file(driver, folder / "libcuda.so.1", failed);
  if (failed) {
    report.note("left out, not built: " + driver.string());
    return {};
  }
  report.add(answer_bar("goal 1: stub of CUDA, wrong answers",
                        listing({{"LD_LIBRARY_PATH", folder.string()}, {"FAKE_CUDA_INIT", "34"}}),
                        0, "is the toolkit's stub, not a driver"));
  return {};
}

}  // namespace

Bar answer_bar(const std::string& bar, const ProgramCommand& command, int exit_code,
               const std::string& wanted) {
  Bar answer{.bar = bar, .value = 0, .limit = 0};
  const auto run = run_to_end(command);
  if (!run) {
    answer.reason = run.error().message;
    return answer;
  }
  const bool is_right =
      run->exit_code == exit_code && (run->out + run->err).find(wanted) != std::string::npos;
  answer.value = is_right ? 0 : 1;
  return answer;
}

Result<void> add_listing(Report& report) {
  OPBENCH_CHECK(add_time(report));
  OPBENCH_TRY(const TemporaryFolder opencl, TemporaryFolder::make());
  OPBENCH_TRY(const TemporaryFolder cuda, TemporaryFolder::make());
  OPBENCH_CHECK(add_no_library(opencl.path(), report));
  report.add(answer_bar("goal 1: no driver (ICD), wrong answers",
                        wanting_opencl({{"OCL_ICD_VENDORS", cuda.path().string()}}),
                        static_cast<int>(ErrorCode::kEnvironment),
                        "no OpenCL driver is installed"));
  OPBENCH_CHECK(add_stub(cuda.path(), report));
  ProgramCommand launch = wanting_opencl({{"POCL_MAX_WORK_GROUP_SIZE", "1"}});
  launch.argv.insert(launch.argv.end(), {"--check", "none", "--budget", "0.2"});
  report.add(answer_bar("goal 1: a launch that fails, wrong answers", launch,
                        static_cast<int>(ErrorCode::kPartial), "CL_INVALID_WORK_GROUP_SIZE"));
  return {};
}

}  // namespace opbench
