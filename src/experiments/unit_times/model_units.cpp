#include "experiments/unit_times/model_units.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <map>

#include "base/files/file.h"
#include "base/numbers/hash.h"
#include "base/system/seconds.h"
#include "engines/runtime/program_json.h"
#include "kernels/schedules/schedule.h"
#include "machine/ceilings/reread_pace.h"

namespace opbench {
namespace {

/// The part of the arena that two slots have in common; empty: nothing.
struct ArenaPart {
  int64_t begin = 0, end = 0;
};

ArenaPart common_part(const Slot& a, const Slot& b) {
  if (a.storage != Storage::kArena || b.storage != Storage::kArena) return {};
  if (a.scope != b.scope) return {};
  return {std::max(a.offset, b.offset), std::min(a.offset + a.bytes, b.offset + b.bytes)};
}

Result<void> check_same_units(const EngineRun& a, const EngineRun& b) {
  const auto differ = [&](const std::string& what) {
    return Error{ErrorCode::kInvalidInput,
                 fmt::format("packages for {} and {} threads do not consist of the same units",
                             a.asked.options.threads, b.asked.options.threads)}
        .with("first difference", what);
  };
  if (a.built.units.size() != b.built.units.size()) {
    return differ(fmt::format("{} and {} units", a.built.units.size(), b.built.units.size()));
  }
  for (size_t i = 0; i < a.built.units.size(); ++i) {
    const bool is_same = a.built.units[i].values.output == b.built.units[i].values.output &&
                         a.built.units[i].identity.nodes == b.built.units[i].identity.nodes &&
                         a.built.units[i].identity.blocks == b.built.units[i].identity.blocks;
    if (!is_same)
      return differ(fmt::format("unit {}, which makes {}", i, a.built.units[i].values.output));
  }
  return {};
}

}  // namespace

int64_t carried_bytes(const Program& program, int maker, int reader) {
  std::vector<ArenaPart> parts;
  for (const int read : program.steps[static_cast<size_t>(reader)].arguments) {
    for (const int made : program.steps[static_cast<size_t>(maker)].results) {
      parts.push_back(common_part(program.slots[static_cast<size_t>(read)],
                                  program.slots[static_cast<size_t>(made)]));
    }
  }
  std::ranges::sort(parts, {}, &ArenaPart::begin);
  int64_t bytes = 0, counted = 0;
  for (const ArenaPart& part : parts) {
    bytes += std::max<int64_t>(0, part.end - std::max(part.begin, counted));
    counted = std::max(counted, part.end);
  }
  return bytes;
}

Result<Program> program_of(const EngineRun& engine_run) {
  const Preparation& preparation = engine_run.built.setup.preparations.front();
  OPBENCH_TRY(const Json params, parse_json(preparation.params, "preparation"));
  const std::filesystem::path folder = params.value("path", "");
  OPBENCH_TRY(const std::string text, read_file(folder / "program.json"));
  OPBENCH_TRY(const Json json, parse_json(text, "program.json"));
  return parse_program(json);
}

ReuseCost reuse_cost_of(int cpu) {
  const std::optional<double> ns = reread_ns_per_byte(cpu);
  if (!ns) return {};
  return {.ms_per_byte = ns_to_ms(*ns), .most_bytes = kRereadBytes};
}

std::optional<StepWeights> largest_weights(const Program& program, const Step& step) {
  std::optional<StepWeights> largest;
  for (const int argument : step.arguments) {
    const Slot& slot = program.slots[static_cast<size_t>(argument)];
    const bool is_larger = !largest || slot.bytes > largest->bytes;
    if (slot.storage == Storage::kWeights && is_larger) largest = {slot.offset, slot.bytes};
  }
  return largest;
}

void set_reuse(const Program& program, const ReuseCost& cost, TimedGraph& timed) {
  constexpr double kMostOfTime = 0.8;  // a kernel also computes
  std::map<int64_t, std::vector<size_t>> readers;
  std::vector<double> saved_ms(timed.size(), 0);
  for (size_t i = 0; i < timed.size(); ++i) {
    const auto weights = largest_weights(program, program.steps[i]);
    if (!weights || weights->bytes > cost.most_bytes) continue;
    readers[weights->offset].push_back(i);
    saved_ms[i] = static_cast<double>(weights->bytes) * cost.ms_per_byte;
  }
  int number = 0;
  for (const auto& [offset, units] : readers) {
    if (units.size() < 2) continue;
    for (const size_t i : units) timed.graph.units[i].weights = number;
    ++number;
  }
  for (size_t i = 0; i < timed.size(); ++i) {
    const int weights = timed.graph.units[i].weights;
    const bool is_warm = i > 0 && timed.graph.units[i - 1].weights == weights;
    if (weights == GraphUnit::kNoWeights || is_warm) continue;
    UnitTimes& times = timed.times.units[i];
    times.reuse_ms = std::min(saved_ms[i], kMostOfTime * times.times_ms.front());
  }
}

Result<UnitGraph> graph_of_runs(const std::vector<EngineRun>& engine_runs) {
  for (const EngineRun& engine_run : engine_runs)
    OPBENCH_CHECK(check_same_units(engine_runs.front(), engine_run));
  OPBENCH_TRY(const Program program, program_of(engine_runs.front()));
  if (program.steps.size() != engine_runs.front().built.units.size()) {
    return Error{ErrorCode::kSystem, "the package has other steps than the model has units"};
  }
  UnitGraph graph;
  for (size_t i = 0; i < program.steps.size(); ++i) {
    const PreparedUnit& prepared = engine_runs.front().built.units[i];
    GraphUnit unit{.name = prepared.values.output, .kind = prepared.identity.operator_text};
    for (const int need : program.steps[i].needs) {
      unit.needs.push_back({need, carried_bytes(program, need, static_cast<int>(i))});
    }
    graph.units.push_back(std::move(unit));
  }
  return graph;
}

std::vector<UnitIdentity> facts_of(const EngineRun& engine_run) {
  std::vector<UnitIdentity> facts;
  for (const PreparedUnit& unit : engine_run.built.units) facts.push_back(unit.identity);
  return facts;
}

std::string kernels_sha256(const std::vector<EngineRun>& engine_runs) {
  std::string text = schedule_version() + "\n";
  for (const EngineRun& engine_run : engine_runs) {
    text += fmt::format("threads {}\n", engine_run.asked.options.threads);
    for (const PreparedUnit& unit : engine_run.built.units) {
      text += fmt::format("{}|{}|{}|{}\n", workload_text(unit.identity),
                          fmt::join(unit.identity.blocks, ","), unit.identity.schedule,
                          unit.identity.origin);
    }
  }
  return sha256(text);
}

}  // namespace opbench
