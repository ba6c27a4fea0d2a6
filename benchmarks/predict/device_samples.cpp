
#include <algorithm>
#include <map>

#include "base/files/file.h"
#include "benchmarks/predict/devices.h"
#include "experiments/predict/configured_ceilings.h"
#include "kernels/schedules/schedule.h"
#include "machine/facts/environment.h"
#include "prediction/predict/files/read_samples.h"
#include "prediction/predict/ratio_pairs.h"

namespace opbench {
namespace {

Result<DeviceSamples> read_device(const DeviceCorpus& corpus, const HomeDevice& device) {
  OPBENCH_TRY(const Ceilings measured, configured_ceilings(device.configuration, corpus.folder));
  const SampleFilter filter{.engine = "halide",
                            .threads = device.configuration.threads,
                            .machine_hash = capture_environment().machine_hash,
                            .schedule_version = schedule_version(),
                            .ceilings = measured};
  OPBENCH_TRY(const std::string text, read_file(corpus.file(device)));
  OPBENCH_TRY(const auto records, parse_record_lines(text));
  SampleCollector all(filter);
  std::map<std::string, SampleCollector> visits;
  for (const BenchmarkRecord& record : records) {
    all.add(record);
    visits.try_emplace(record.labels->at(kVisitLabel), filter).first->second.add(record);
  }
  DeviceSamples samples{.device = device, .fastest = all.samples()};
  for (const auto& [visit, collector] : visits) samples.visits.push_back(collector.samples());
  return samples;
}

}  // namespace

Result<std::vector<DeviceSamples>> read_devices(const DeviceCorpus& corpus) {
  std::vector<DeviceSamples> all;
  for (const HomeDevice& device : home_devices()) {
    std::error_code ignored;
    if (!std::filesystem::exists(corpus.file(device), ignored)) continue;
    OPBENCH_TRY(DeviceSamples samples, read_device(corpus, device));
    all.push_back(std::move(samples));
  }
  return all;
}

double noise_of(const DeviceSamples& samples) {
  std::map<std::string, std::pair<double, double>> range;
  for (const SampleSet& visit : samples.visits) {
    for (const UnitSample& unit : visit.units) {
      if (unit.features.kind == "layout") continue;
      const double seconds = compared_seconds(unit);
      const auto [place, is_new] = range.emplace(unit_key(unit), std::pair(seconds, seconds));
      place->second.first = std::min(place->second.first, seconds);
      place->second.second = std::max(place->second.second, seconds);
    }
  }
  double sum = 0, count = 0;
  for (const auto& [key, least_most] : range) {
    if (least_most.second <= least_most.first) continue;
    sum += least_most.second / least_most.first - 1;
    count += 1;
  }
  return count > 0 ? sum / count : 0;
}

}  // namespace opbench
