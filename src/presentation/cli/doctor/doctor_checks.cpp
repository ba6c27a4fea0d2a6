#include "presentation/cli/doctor/doctor_checks.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <system_error>

#include "base/errors/suggestion.h"
#include "base/files/file.h"
#include "engines/catalog/engine.h"
#include "engines/catalog/engine_choice.h"
#include "engines/client/handshake.h"
#include "kernels/schedules/codegen/halide_library.h"
#include "machine/devices/device.h"
#include "machine/facts/cgroup.h"
#include "machine/resources/pinning.h"
#include "machine/target/cpu_cap.h"
#include "measuring/sampling/noise.h"
#include "prediction/trees/xgboost_library.h"
#include "presentation/cli/arguments.h"
#include "presentation/cli/output/output_file.h"
#include "presentation/report/text/number_text.h"

namespace opbench {
namespace {

namespace fs = std::filesystem;

constexpr auto kSetup = "run ./dev setup";

/// The full path of a command, as a shell would find it.
std::optional<fs::path> find_doctor_checks_command(const std::string& name) {
  const char* path = std::getenv("PATH");
  for (const std::string& folder : split(path == nullptr ? "" : path, ':')) {
    const fs::path candidate = fs::path(folder) / name;
    if (access(candidate.c_str(), X_OK) == 0) return candidate;
  }
  return std::nullopt;
}

DoctorFinding check_onnxruntime() {
  const fs::path package =
      executable_folder() / "../lib/opbench/node_modules/onnxruntime-node/package.json";
  const Result<std::string> text = read_file(package);
  if (!text) return {"onnxruntime-node", CheckState::kMissing, "not installed", kSetup};
  const Result<Json> json = parse_json(*text, "package.json");
  return {"onnxruntime-node", CheckState::kGood,
          json ? json->value("version", std::string("?")) : "?", ""};
}

DoctorFinding check_linker() {
  if (const auto ld = find_doctor_checks_command("ld"))
    return {"ld", CheckState::kGood, ld->string(), ""};
  return {"ld", CheckState::kMissing, "not found; kernels are linked with it",
          "apt-get install binutils"};
}

/// Kernels are compiled with it.
DoctorFinding check_halide() {
  const Result<void> loaded = load_halide();
  if (loaded) return {"halide", CheckState::kGood, "loads", ""};
  return {"halide", CheckState::kMissing, loaded.error().message, kSetup};
}

/// Only tuners that learn need it.
DoctorFinding check_xgboost() {
  const Result<std::string> version = xgboost_version();
  if (version) return {"xgboost", CheckState::kGood, *version, ""};
  return {"xgboost", CheckState::kDoubtful, version.error().message, kSetup};
}

/// Why no device of the engine's kinds is here; nothing where one is.
std::optional<std::string> no_device(const EngineDef& engine) {
  std::string reason;
  for (const std::string& kind : engine.device_kinds) {
    const auto device = device_table().find(kind);
    if (!device) continue;
    const auto found = (*device)->find();
    if (found) return std::nullopt;
    reason = found.error().message;
  }
  return reason;
}

DoctorFinding check_engine(const EngineDef& engine, const fs::path& folder) {
  const std::string name = "engine " + engine.name;
  if (const auto reason = engine.unavailable == nullptr ? std::nullopt : engine.unavailable()) {
    return {name, CheckState::kMissing, *reason, kSetup};
  }
  // A machine without the device is as good as one with it.
  if (const auto reason = runs_on_cpu(engine) ? std::nullopt : no_device(engine)) {
    return {name, CheckState::kGood, "no device: " + *reason, ""};
  }
  EngineOptions options;
  options.folder = folder;
  options.cpus = current_affinity();
  options.cpus.resize(std::min<size_t>(1, options.cpus.size()));
  auto process = EngineProcess::start(engine.command(options));
  if (!process) return {name, CheckState::kMissing, process.error().message, kSetup};
  constexpr Seconds kLimit(30);
  const auto call = [&](const std::string& method, const Json& params) {
    return (*process)->call(method, params, kLimit);
  };
  const Outcome<Json> hello = say_hello(call, {1, options.cpus});
  if (!hello) return {name, CheckState::kMissing, to_text(hello.error()), "run ./dev build"};
  return {name, CheckState::kGood,
          fmt::format("{} answers, call overhead {}", hello->value("version", std::string("?")),
                      floor_text(hello->value("call_floor_ms", 0.0))),
          ""};
}

DoctorFinding check_cache() {
  const fs::path folder = cache_folder();
  if (const Result<void> writable = make_writable_folder(folder); !writable) {
    return {"kernel cache", CheckState::kMissing, writable.error().message,
            "set XDG_CACHE_HOME to a folder that can be written"};
  }
  return {"kernel cache", CheckState::kGood, folder.string(), ""};
}

DoctorFinding check_temporary() {
  const Result<TemporaryFolder> folder = TemporaryFolder::make();
  if (!folder) {
    return {"temporary files", CheckState::kMissing, folder.error().message,
            "free some space in /dev/shm or /tmp"};
  }
  return {"temporary files", CheckState::kGood, folder->path().parent_path().string(), ""};
}

/// Nothing without a cap.
std::vector<DoctorFinding> check_cap() {
  const auto cap = cpu_cap();
  if (!cap) return {};
  const std::vector<std::string> beyond = beyond_this_cpu();
  const std::string finding = *cap + " by OPBENCH_CPU";
  if (beyond.empty()) return {{"CPU cap", CheckState::kGood, finding, ""}};
  return {{"CPU cap", CheckState::kDoubtful, finding + "; this CPU has no " + join(beyond),
           "results hold for what both have; unset OPBENCH_CPU or name an older CPU"}};
}

DoctorFinding check_quota() {
  const CgroupLimits limits = cgroup_limits();
  const auto cpus = static_cast<double>(current_affinity().size());
  if (!limits.cpu_quota) {
    return {"CPU quota", CheckState::kGood, fmt::format("none; {:.0f} CPUs to use", cpus), ""};
  }
  const std::string finding = fmt::format("{:.2f} of {:.0f} CPUs", *limits.cpu_quota, cpus);
  if (*limits.cpu_quota >= cpus) return {"CPU quota", CheckState::kGood, finding, ""};
  return {"CPU quota", CheckState::kDoubtful, finding,
          fmt::format("measure with at most {:.0f} threads, or lift the container's limit",
                      std::max(1.0, std::floor(*limits.cpu_quota)))};
}

DoctorFinding check_noise() {
  const Preflight preflight = run_preflight();
  const std::string finding =
      fmt::format("{}: times vary by {:.1f} %, {:.0f} % of them disturbed",
                  name_of(preflight.noise), preflight.cv_percent, 100 * preflight.flagged_share);
  if (preflight.noise == NoiseClass::kQuiet) return {"noise", CheckState::kGood, finding, ""};
  return {"noise", CheckState::kDoubtful, finding, preflight.advice};
}

}  // namespace

std::vector<DoctorFinding> check_tools() {
  return {check_onnxruntime(), check_linker(), check_halide(), check_xgboost()};
}

std::vector<DoctorFinding> check_places() { return {check_cache(), check_temporary()}; }

std::vector<DoctorFinding> check_engines() {
  std::vector<DoctorFinding> findings;
  const Result<TemporaryFolder> folder = TemporaryFolder::make();
  if (!folder) return findings;
  for (const EngineDef& engine : engine_table().all()) {
    findings.push_back(check_engine(engine, folder->path()));
  }
  return findings;
}

std::vector<DoctorFinding> check_machine() {
  std::vector<DoctorFinding> findings = check_cap();
  findings.push_back(check_quota());
  findings.push_back(check_noise());
  return findings;
}

}  // namespace opbench
