#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/errors/error.h"
#include "prediction/predict/configuration.h"
#include "prediction/predict/unit_sample.h"

namespace opbench {

/// This machine in one configuration, which stands for a device.
struct HomeDevice {
  std::string name;  ///< t2-avx512, t1-sse4.1-memory
  Configuration configuration;
  std::string target;  ///< kernels are compiled for it; as parse_target takes it
};

/// All of them: threads x targets, and a memory-busy neighbour for one thread.
std::vector<HomeDevice> home_devices();

/// Equal workloads on every device, kept in files of records: a run that is killed goes on.
struct DeviceCorpus {
  std::filesystem::path folder;
  int64_t batches = 4;
  int64_t visits = 4;
  double visit_s = 4;      ///< of measuring, for a batch on a device
  double budget_s = 3600;  ///< for this run
  uint64_t seed = 0;

  std::filesystem::path file(const HomeDevice& device) const {
    return folder / (device.name + ".jsonl");
  }
};

constexpr const char* kVisitLabel = "visit";

/// Canonical texts of the workloads of a batch; batch 0 is the probe kernels of a descriptor.
std::vector<std::string> batch_workloads(const DeviceCorpus& corpus, int64_t batch);

/// Measures what the files lack: for every visit and batch, one device after the other, so that
/// what is slow for a while is slow on all of them. Returns how many batches are missing.
///
/// The workloads of a batch run side by side as one model again and again; the time of a unit is
/// its least of all runs of a visit, as other work on the machine only ever adds time.
Result<size_t> measure_devices(const DeviceCorpus& corpus);

/// What was measured on a device.
struct DeviceSamples {
  HomeDevice device;
  SampleSet fastest;              ///< of all visits
  std::vector<SampleSet> visits;  ///< of each
};

/// Of every device that has a file. Its features are made with the ceilings of its configuration,
/// which are measured once and kept beside the records.
Result<std::vector<DeviceSamples>> read_devices(const DeviceCorpus& corpus);

/// How far the visits to one device are apart: the mean of slowest / fastest - 1 over units
/// that are no changes of layout.
double noise_of(const DeviceSamples& samples);

}  // namespace opbench
