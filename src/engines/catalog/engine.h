#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/errors/failure.h"
#include "base/json/json.h"
#include "base/tables/table.h"
#include "engines/client/engine_process.h"
#include "engines/package/unit_placement.h"
#include "engines/runtime/program.h"
#include "kernels/schedules/kernel_choice.h"
#include "machine/target/target.h"
#include "model/graph/graph.h"
#include "model/operators/workloads/unit_identity.h"
#include "model/operators/workloads/workload.h"
#include "model/passes/fusion.h"

namespace opbench {

/// Settings that reach every engine, and what `[engine.NAME]` of opbench.toml gives one.
struct EngineOptions {
  int threads = 1;
  std::vector<int> cpus;
  Target target;
  std::filesystem::path folder;      ///< for files that live as long as the run
  std::filesystem::path cache;       ///< of compiled kernels; empty: the user's
  std::vector<std::string> command;  ///< of a user's engine
  std::map<std::string, std::string> settings;
  std::vector<int> layouts;  ///< channel blocks of graph inputs, then outputs; empty: dense
  std::vector<KernelChoice> kernels;  ///< of our own engine, in place of the default kernels
  std::vector<std::string> observed;  ///< values to be made outputs too, so that they are checked
  std::string inject_fault;           ///< tests only: UNIT=FAULT (fault.h)
  int device = 0;                     ///< among those of the engine's kind (FoundDevice::index)
  int64_t device_boundary = 0;        ///< where values may begin there, in bytes; 0: not known
  int device_units = 0;               ///< of the device that may be used; 0: all
  std::string executor;               ///< the way to run a model; empty: the engine's own
  Fusion fusion = Fusion::kOn;        ///< of our own engine: what a unit is
  TeamProgram teams;                  ///< which workers run which unit; no steps: no plan
  UnitPlacement placement = {};       ///< of units on the host beside a device; it may be none
  std::function<void(const std::string&)> progress;
  const std::atomic<bool>* cancel = nullptr;  ///< when true: preparations end, `kInterrupted`
};

/// A unit as the program knows it before an engine runs it.
struct PreparedUnit {
  int id = 0;
  UnitIdentity identity;
  UnitValues values;
  std::optional<double> compile_ms;   ///< of its kernel
  std::optional<int64_t> code_bytes;  ///< of its kernel
  std::string no_compile_reason;      ///< why the time to compile is not known; may be empty
  bool has_own_blocks = true;         ///< its workload alone, dense outside, gets these blocks too
  std::string code_hash = {};         ///< of what runs in a call beside the engine; empty: the
                                      ///< engine decides that
};

/// Memory that was planned before an engine runs a model.
struct PlannedBytes {
  int64_t values = 0;   ///< inputs, outputs and what lies between
  int64_t live = 0;     ///< of these, the most that must be kept at once
  int64_t weights = 0;  ///< as kernels read them
};

/// What an engine made of a model: the params of its `prepare` request, and its units if they are
/// known before it runs.
struct PreparedModel {
  std::string kind;  ///< onnx or package
  std::filesystem::path path;
  std::vector<PreparedUnit> units;
  std::vector<std::string> warnings;
  std::optional<PlannedBytes> memory = {};
  std::string code_hash = {};  ///< of what runs beside the engine; empty: the engine decides that
};

/// An engine seen from the main program: how to start it and what to hand to it.
struct EngineDef {
  std::string name;
  std::string summary;

  // Capabilities: code asks for these, never for an engine's name.
  bool runs_models = true;       ///< false: single workloads only
  bool takes_packages = false;   ///< runs packages of our kernels, those of a tuning log too
  bool injects_faults = false;   ///< makes the faults that tests ask for
  bool is_reference = false;     ///< not ours: other engines' results are checked against it
  bool follows_cpu_cap = false;  ///< uses no instruction that $OPBENCH_CPU takes away
  std::vector<std::string> device_kinds = {"cpu"};
  std::vector<std::string> executors = {};  ///< ways to run a model that it offers; may be none

  /// Nothing when it can be used here; else the reason, for `list` and errors.
  std::optional<std::string> (*unavailable)() = nullptr;

  EngineCommand (*command)(const EngineOptions&) = nullptr;

  /// Files for a model. Null: the model as an ONNX file, or single workloads with their ONNX files.
  Result<PreparedModel> (*prepare_model)(const Model&, const EngineOptions&) = nullptr;
};

/// Every built-in engine, from the files `<x>_engine.cpp`.
const Table<EngineDef>& engine_table();

}  // namespace opbench
