#include "experiments/predict/device_probe.h"

#include <algorithm>

#include "base/files/file.h"
#include "experiments/predict/outline_file.h"
#include "experiments/predict/workload_batch.h"
#include "experiments/profile/profile_session.h"

namespace opbench {
namespace {

void fill(const EngineResult& engine, const std::vector<Workload>& workloads,
          DeviceDescriptor& device) {
  for (size_t i = 0; i < workloads.size(); ++i) {
    ProbeTime probe{.probe = device_probes()[i]};
    const std::string text = text_of(workloads[i]);
    const auto unit = std::ranges::find(
        engine.units, text, [](const UnitResult& each) { return workload_text(each.identity); });
    if (unit == engine.units.end()) {
      probe.reason = "the engine runs it as another unit";
    } else if (unit->time) {
      probe.time = unit->time;
    } else {
      probe.reason = unit->failure ? to_text(*unit->failure) : "no time was taken";
    }
    device.probes.push_back(std::move(probe));
  }
  const auto& first = device.probes.front().time;
  if (!first) return;
  for (ProbeTime& probe : device.probes) {
    if (probe.time) probe.relative = probe.time->median_ms / first->median_ms;
  }
}

}  // namespace

const std::vector<DeviceProbe>& device_probes() {
  static const std::vector<DeviceProbe> kProbes = {
      {"gemm_small", "multiply-adds on data in L1", "dense 32x64 w:64x64"},
      {"gemm_large", "multiply-adds, blocked for caches", "dense 256x512 w:512x512"},
      {"gemm_weights", "weights of 64 MB, from memory", "dense 1x4096 w:4096x4096"},
      {"conv3x3", "convolution with few, near weights",
       "conv2d 1x64x28x28 w:64x64x3x3 pads=1,1,1,1"},
      {"conv1x1", "convolution as a matrix product", "conv2d 1x128x28x28 w:128x128x1x1"},
      {"depthwise", "few products a value",
       "conv2d 1x128x28x28 w:128x1x3x3 group=128 pads=1,1,1,1"},
      {"pool", "comparisons", "max_pool 1x64x56x56 kernel_shape=3,3 pads=1,1,1,1"},
      {"exp", "transcendental functions", "sigmoid 1x65536"},
      {"triad_l1", "streams of 24 KB", "add 1x2048 1x2048"},
      {"triad_l2", "streams of 384 KB", "add 1x32768 1x32768"},
      {"triad_l3", "streams of 12 MB", "add 1x1048576 1x1048576"},
      {"triad_dram", "streams of 192 MB", "add 1x16777216 1x16777216"}};
  return kProbes;
}

Result<DeviceDescriptor> probe_device(const ProbeRequest& request) {
  std::vector<Workload> workloads;
  for (const DeviceProbe& probe : device_probes()) {
    OPBENCH_TRY(Workload workload, parse_workload(probe.workload));
    workloads.push_back(std::move(workload));
  }
  OPBENCH_TRY(const TemporaryFolder folder, TemporaryFolder::make());
  ProfileRequest profile{.model = {.name = (folder.path() / "probes.onnx").string()},
                         .engines = {request.engine},
                         .threads = {request.threads}};
  OPBENCH_CHECK(write_outline(batch_of_workloads(workloads, "probes"), profile.model.name));
  profile.model.randomize_weights = 0;
  profile.measure.check_engine = "none";
  profile.measure.budget_s = request.budget_s;
  profile.notes.argv = request.argv;
  profile.hooks.progress = request.progress;
  profile.hooks.cancel = request.cancel;
  OPBENCH_TRY(const ProfileResult result, run_profile(profile));
  const EngineResult& engine = result.engines.front();
  DeviceDescriptor device{.engine = engine.engine,
                          .version = engine.version,
                          .threads = engine.threads,
                          .cpus = engine.cpus,
                          .timestamp = result.timestamp,
                          .environment = result.environment,
                          .noise = result.noise,
                          .call_floor_ms = engine.call_floor_ms,
                          .peak_gflops = engine.peak_gflops,
                          .memory_gbytes_per_s = engine.memory_gbytes_per_s};
  fill(engine, workloads, device);
  return device;
}

}  // namespace opbench
