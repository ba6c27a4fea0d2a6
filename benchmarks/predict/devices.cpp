#include "benchmarks/predict/devices.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <set>

#include "base/files/file.h"
#include "base/numbers/random.h"
#include "base/system/monotonic_clock.h"
#include "base/system/seconds.h"
#include "benchmarks/common/benchmark.h"
#include "experiments/predict/device_probe.h"
#include "experiments/predict/outline_file.h"
#include "experiments/predict/workload_batch.h"
#include "experiments/predict/workload_prior.h"
#include "experiments/sessions/request/profile_request.h"
#include "experiments/sessions/run_identity.h"
#include "experiments/sessions/session.h"
#include "kernels/schedules/schedule.h"
#include "machine/ceilings/memory_neighbour.h"
#include "machine/facts/environment.h"
#include "machine/target/parse_target.h"
#include "measuring/sampling/in_place.h"
#include "prediction/costs/expected_seconds.h"
#include "prediction/predict/files/read_samples.h"
#include "records/record/cut_record.h"
#include "records/record/profile_records.h"

namespace opbench {
namespace {

constexpr size_t kPredictDevicesBatch = 48;  // workloads
constexpr double kLongestS = 0.004;          // expected

std::string key_of(const std::string& batch, const std::string& visit_predict_devices) {
  return batch + "|" + visit_predict_devices;
}

/// What a file holds, by batch and visit.
Result<std::set<std::string>> predict_devices_measured_in(const std::filesystem::path& file) {
  std::set<std::string> found;
  std::error_code ignored;
  if (!std::filesystem::exists(file, ignored)) return found;
  OPBENCH_CHECK(mend_last_line(file));
  OPBENCH_TRY(const std::string text, read_file(file));
  if (text.empty()) return found;
  OPBENCH_TRY(const auto records, parse_record_lines(text));
  for (const BenchmarkRecord& record : records) {
    found.insert(key_of(record.labels->at(kBatchLabel), record.labels->at(kVisitLabel)));
  }
  return found;
}

/// The least time of every unit over the runs that a visit has time for.
Outcome<std::vector<double>> least_times(EngineRunner& runner, double visit_s) {
  constexpr int kFewest = 5;
  constexpr int kMost = 50;
  constexpr Seconds kLimit{120};
  std::vector<double> least;
  int runs = kFewest;
  for (const double end_s = monotonic_s() + visit_s; monotonic_s() < end_s;) {
    const double begin_s = monotonic_s();
    const auto reply = runner.call(0, 0, kModelPreparation, "profile", {{"runs", runs}}, kLimit);
    if (!reply) return tl::make_unexpected(reply.error());
    const auto made = parse_profile_runs(*reply);
    if (!made) return tl::make_unexpected(made.error());
    for (const ProfileRun& run : *made) {
      if (least.empty()) least = run.units_s;
      for (size_t i = 0; i < least.size(); ++i) least[i] = std::min(least[i], run.units_s[i]);
    }
    const double run_s = (monotonic_s() - begin_s) / runs;
    runs = std::clamp(static_cast<int>((end_s - monotonic_s()) / run_s), kFewest, kMost);
  }
  return least;
}

std::vector<BenchmarkRecord> predict_devices_records_of(const EngineRun& engine_run,
                                                        const std::vector<double>& times,
                                                        const BenchmarkRecord& base) {
  std::map<std::string, BenchmarkRecord> by_unit;
  for (size_t i = 0; i < engine_run.built.units.size(); ++i) {
    const PreparedUnit& unit = engine_run.built.units[i];
    if (!unit.identity.workload) continue;
    BenchmarkRecord record = base;
    const std::string workload = text_of(*unit.identity.workload);
    std::vector<int> layouts;  // without those of weights, as records have them
    for (size_t k = 0; k < unit.identity.workload->graph.inputs.size(); ++k) {
      if (!unit.identity.workload->is_weight(unit.identity.workload->graph.inputs[k].name))
        layouts.push_back(unit.identity.blocks[k]);
    }
    layouts.push_back(unit.identity.blocks.back());
    const Json config = {{"schedule", unit.identity.schedule}, {"layouts", layouts}};
    record.workload = workload;
    record.workload_args = JsonText{Json{{"workload", workload}}.dump()};
    record.compilation_config = JsonText{config.dump()};
    record.nodes = unit.identity.nodes;
    record.runtime_ms_in_place = s_to_ms(times[i]);
    const auto [place, is_new] = by_unit.emplace(workload + config.dump(), record);
    if (!is_new) {
      double& kept = *place->second.runtime_ms_in_place;
      kept = std::min(kept, *record.runtime_ms_in_place);
    }
  }
  std::vector<BenchmarkRecord> records;
  for (auto& [key, record] : by_unit) records.push_back(std::move(record));
  return records;
}

BenchmarkRecord base_record(const HomeDevice& device, int64_t batch,
                            int64_t visit_predict_devices) {
  BenchmarkRecord record;
  record.timestamp = utc_now();
  record.status = "ok";
  record.scope = "unit";
  record.engine = "halide";
  record.target = device.target;
  record.model = fmt::format("batch-{}", batch);
  record.hardware = "cpu";
  record.machine_hash = capture_environment().machine_hash;
  record.runtime_config = JsonText{Json{{"num_cpu_threads", device.configuration.threads}}.dump()};
  const bool has_neighbour = device.configuration.has_memory_neighbour;
  record.labels = {{kBatchLabel, std::to_string(batch)},
                   {kBatchKindLabel, kUnitsBatch},
                   {kScheduleLabel, schedule_version()},
                   {kVisitLabel, std::to_string(visit_predict_devices)},
                   {kNeighbourLabel, has_neighbour ? kMemoryNeighbour : "none"}};
  return record;
}

Result<void> visit_predict_devices(const DeviceCorpus& corpus, const HomeDevice& device,
                                   int64_t batch, int64_t number) {
  std::vector<Workload> workloads;
  for (const std::string& text : batch_workloads(corpus, batch)) {
    OPBENCH_TRY(Workload workload, parse_workload(text));
    workloads.push_back(std::move(workload));
  }
  OPBENCH_TRY(const TemporaryFolder folder, TemporaryFolder::make());
  ProfileRequest request;
  request.model.name = (folder.path() / "batch.onnx").string();
  OPBENCH_CHECK(write_outline(batch_of_workloads(workloads, "batch"), request.model.name));
  request.model.randomize_weights = 1;
  request.settings.target = device.target;
  request.measure.check_engine = "none";
  const int threads = device.configuration.threads;
  const bool has_neighbour = device.configuration.has_memory_neighbour;
  OPBENCH_TRY(const Topology topology, this_topology());
  OPBENCH_TRY(std::vector<int> cpus,
              cpus_of(topology, request.settings, threads + (has_neighbour ? 1 : 0)));
  const int last = cpus.back();
  cpus.resize(static_cast<size_t>(threads));
  request.settings.cpus = cpus;
  OPBENCH_TRY(const std::unique_ptr<Session> session,
              Session::make(request.model, variants_of({"halide"}, {threads}, request.settings),
                            request.measure, request.hooks));
  OPBENCH_CHECK(session->check());
  std::unique_ptr<MemoryNeighbour> neighbour;
  if (has_neighbour) {
    OPBENCH_TRY(neighbour, MemoryNeighbour::start(last));
  }
  const auto times = least_times(session->runner(), corpus.visit_s);
  if (!times) return Error{ErrorCode::kPartial, to_text(times.error())};
  std::vector<BenchmarkRecord> records = predict_devices_records_of(
      session->engine_runs().front(), *times, base_record(device, batch, number));
  assign_record_ids(records);
  return append_file(corpus.file(device), to_lines(records));
}

}  // namespace

std::vector<HomeDevice> home_devices() {
  const std::vector<std::pair<std::string, std::string>> targets = {
      {"avx512", "host"},
      {"avx2", "llvm -mcpu=haswell"},
      {"sse4.1", "llvm -mcpu=penryn"},
      {"avx", "llvm -mcpu=sandybridge"}};
  std::vector<HomeDevice> devices;
  for (const auto& [name, target] : targets) {
    for (const int threads : {1, 2}) {
      devices.push_back({fmt::format("t{}-{}", threads, name), {.threads = threads}, target});
    }
    devices.push_back({fmt::format("t1-{}-memory", name), {.has_memory_neighbour = true}, target});
  }
  for (HomeDevice& device : devices) {
    device.configuration.isa = vector_isa(parse_target(device.target).value());
  }
  return devices;
}

std::vector<std::string> batch_workloads(const DeviceCorpus& corpus, int64_t batch) {
  std::vector<std::string> texts;
  if (batch == 0) {
    for (const DeviceProbe& probe : device_probes()) texts.push_back(probe.workload);
    return texts;
  }
  static const std::vector<PriorWorkload> kPrior = workloads_of_zoo();
  const ScaleRange range{.least = 0.4, .most = 1.6, .scales_images = true};
  Random random(corpus.seed, fmt::format("devices {}", batch));
  std::set<std::string> seen;
  while (texts.size() < kPredictDevicesBatch) {
    const auto workload = scaled_workload(draw(kPrior, random).text, range, random);
    if (!workload || expected_seconds(*workload) > kLongestS) continue;
    const std::string text = text_of(*workload);
    if (seen.insert(text).second) texts.push_back(text);
  }
  return texts;
}

Result<size_t> measure_devices(const DeviceCorpus& corpus) {
  OPBENCH_CHECK(make_writable_folder(corpus.folder));
  const std::vector<HomeDevice> devices = home_devices();
  std::map<std::string, std::set<std::string>> found;
  for (const HomeDevice& device : devices) {
    OPBENCH_TRY(found[device.name], predict_devices_measured_in(corpus.file(device)));
  }
  const double end_s = monotonic_s() + corpus.budget_s;
  size_t missing = 0;
  for (int64_t number = 1; number <= corpus.visits; ++number) {
    for (int64_t i = 1; i <= corpus.batches + 1; ++i) {
      const int64_t batch = i <= corpus.batches ? i : 0;  // the probes last
      for (const HomeDevice& device : devices) {
        const std::string key = key_of(std::to_string(batch), std::to_string(number));
        if (found.at(device.name).contains(key)) continue;
        if (monotonic_s() >= end_s) {
          ++missing;
          continue;
        }
        Report::progress(fmt::format("{}, batch {}, visit {}, {:.0f} s left", device.name, batch,
                                     number, end_s - monotonic_s()));
        const auto visited = visit_predict_devices(corpus, device, batch, number);
        if (!visited) Report::progress("  left out: " + to_text(visited.error()));
      }
    }
  }
  return missing;
}

}  // namespace opbench
