#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/errors/error.h"
#include "base/tensors/tensor.h"
#include "kernels/schedules/kernel_choice.h"
#include "measuring/results/profile_result.h"
#include "model/download/download_options.h"

namespace opbench {

/// What `[engine.NAME]` of opbench.toml says: an engine of the user's own, or settings of a shipped
/// one (then `command` is empty).
struct UserEngine {
  std::string name;
  std::vector<std::string> command;
  std::map<std::string, std::string> settings;
  bool operator==(const UserEngine&) const = default;
};

/// How far a run has come, for one line on the terminal.
struct Progress {
  std::string stage;  ///< read, build, check, start, profile, measure
  std::string engine;
  std::string item;               ///< what is at work: `conv2d 64x56x56 k3`
  int64_t done = 0;               ///< of `total` items of this stage
  int64_t total = 0;              ///< 0 when not known
  std::optional<double> time_ms;  ///< of the item measured last
  std::optional<double> precision_percent;
  std::optional<double> eta_s;
};

/// Which data a call finds in the caches.
enum class CacheMode { kHot, kColdWeights, kColdAll };

/// `hot`, `cold-weights`, `cold-all`
std::string name_of(CacheMode mode);
/// The mode of that name; nothing for another word.
std::optional<CacheMode> parse_cache_mode(std::string_view name);

/// All that determines a `profile` of a model or an `op` of one workload. Nothing is read from the
/// surroundings (files of settings, variables): what counts stands here.
struct ProfileRequest {
  std::string model;          ///< path or URL of an ONNX file, or a name of the zoo
  std::string workload;       ///< canonical text instead of a model (`op`); then `model` is empty
  std::vector<int> layouts;   ///< of a workload's tensors: channel blocks of every operand that is
                              ///< no weight, then of the output; 0: dense; empty: all dense
  bool model_is_zoo = false;  ///< `model` is a name of the zoo
  std::string sha256;         ///< of the model's file, 64 lower-case hex digits; empty: any
  int64_t most_download_bytes = kMostDownloadBytes;  ///< of a URL's file, packed and unpacked
  double download_stall_s = 30;  ///< a server that sends nothing for so long has stalled
  std::vector<std::string> engines = {"halide"};
  std::vector<int> threads = {1};       ///< one result an engine and entry; each at least 1
  std::vector<int> cpus;                ///< where they run, in order; empty: chosen by topology
  int64_t batch_size = 0;               ///< 0: as the model says (zoo: 1)
  std::map<std::string, Shape> shapes;  ///< by input name
  bool replaces_extents = false;        ///< `shapes` hold for extents that the model fixes, too
  std::map<std::string, int64_t> dimensions;  ///< extents of free dimensions by name
  std::map<std::string, std::string> inputs;  ///< by input name: a .npy or .pb file, which binds
                                              ///< free dimensions too, or a literal for an only
                                              ///< element (literal_tensor.h)
  uint64_t seed = 0;                          ///< of inputs and zoo weights
  std::optional<uint64_t> randomize_weights;
  std::string
      check_engine;  ///< empty: by default rule (onnxruntime if it is there); `none`: no check;
                     ///< `expected:DIR`: inputs and outputs in ONNX's form of test data
  bool wants_errors = false;  ///< of every unit, from the references in double precision
  std::string executor = "default";
  std::string parallel = "full";  ///< of a model on several threads: `full`, every unit on all of
                                  ///< them; `stream`, each on one, others beside it by a plan
  bool is_fused = true;           ///< false: of our own engine, every node a unit
  std::string plan;               ///< file of opbench.plan/1 that the executor follows; empty: none
  std::string plan_sha256;        ///< of that file's text; empty: any
  CacheMode cache = CacheMode::kHot;
  bool measures_units = true;  ///< false: whole models only, with the whole budget
  double budget_s = 10;        ///< for each engine and thread count
  int64_t runs = 0;     ///< timed calls of every row and model, all processes together; 0: as
                        ///< many as budget and precision want
  int64_t warm_up = 0;  ///< untimed calls before the first timed one of a process; 0: until steady
  std::vector<double> percentiles;  ///< to report, in percent
  double precision = 0.01;  ///< half-width of the interval over the median at which a unit is done
  std::string target = "host";
  std::vector<KernelChoice> kernels;  ///< of our own engine, in place of the default configs
  /// Of a tuning log: those that are not slower here than the default become `kernels` before
  /// anything else is measured (kernel_decision.h). No part of a record.
  std::vector<KernelChoice> candidates;
  std::string tuning;  ///< which log that was, by its name and by what it offered; empty: none
  std::map<std::string, std::string> labels;
  std::map<std::string, double> metrics;
  std::vector<UserEngine> user_engines;
  std::vector<std::string> argv;                  ///< the command line, for the record
  std::string inject_fault;                       ///< tests only: UNIT=FAULT (fault.h)
  std::function<void(const Progress&)> progress;  ///< may be empty; called on the caller's thread
  const std::atomic<bool>* cancel = nullptr;      ///< when true: end the build or sample, return
};

/// Whether units run beside each other, each on one thread: that needs a plan.
inline bool has_streams(const ProfileRequest& request) { return request.parallel == "stream"; }

}  // namespace opbench
