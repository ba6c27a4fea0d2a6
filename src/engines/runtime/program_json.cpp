#include "engines/runtime/program_json.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <iterator>

#include "engines/runtime/program_text.h"
#include "engines/runtime/step_dependencies.h"
#include "engines/runtime/teams/team_order.h"

namespace opbench {
namespace {

Result<MemoryScope> parse_scope(const std::string& word) {
  if (word == "host") return MemoryScope::kHost;
  if (word == "device") return MemoryScope::kDevice;
  return Error{ErrorCode::kInvalidInput, "no memory is called \"" + word + "\""}.with(
      "valid", "host, device");
}

Result<StepCopy> parse_copy(const Json& step) {
  if (!step.contains("copy")) return StepCopy::kNone;
  const std::string word = step.at("copy");
  if (word == "to_device") return StepCopy::kToDevice;
  if (word == "to_host") return StepCopy::kToHost;
  return Error{ErrorCode::kInvalidInput, "no copy is called \"" + word + "\""}.with(
      "valid", "to_device, to_host");
}

Result<Slot> parse_slot(const Json& json) {
  Slot slot;
  slot.name = json.at("name");
  OPBENCH_TRY(slot.type.data_type, parse_data_type(json.at("data_type").get<std::string>()));
  slot.type.shape = json.at("shape").get<Shape>();
  slot.physical = json.at("physical").get<Shape>();
  slot.layout.block = json.at("block");
  const std::string storage = json.at("storage");
  if (storage != "arena" && storage != "weights") {
    return Error{ErrorCode::kInvalidInput, "no storage is called \"" + storage + "\""}.with(
        "valid", "arena, weights");
  }
  slot.storage = storage == "arena" ? Storage::kArena : Storage::kWeights;
  slot.offset = json.at("offset");
  slot.bytes = json.at("bytes");
  OPBENCH_TRY(slot.scope, parse_scope(json.value("scope", "host")));
  return slot;
}

CallRepeat parse_repeat(const Json& json) {
  CallRepeat repeat{.count = json.at("count"),
                    .is_backward = json.at("backward"),
                    .moving = json.at("moving").get<std::vector<int>>()};
  for (const Json& feed : json.at("feeds"))
    repeat.feeds.push_back({feed.at("from"), feed.at("to")});
  return repeat;
}

Result<Step> parse_step(const Json& json) {
  const auto repeat = json.find("repeat");
  OPBENCH_TRY(const MemoryScope runs_on, parse_scope(json.value("runs_on", "host")));
  OPBENCH_TRY(const StepCopy copy, parse_copy(json));
  return Step{.unit = json.at("unit"),
              .symbol = json.at("symbol"),
              .workload = json.at("workload"),
              .arguments = json.at("arguments").get<std::vector<int>>(),
              .results = json.at("results").get<std::vector<int>>(),
              .needs = json.at("needs").get<std::vector<int>>(),
              .reuses = json.at("reuses").get<std::vector<int>>(),
              .repeat = repeat == json.end() ? CallRepeat{} : parse_repeat(*repeat),
              .runs_on = runs_on,
              .copy = copy};
}

TeamProgram parse_teams(const Json& json) {
  TeamProgram teams{.workers = json.at("workers"), .steps = {}};
  for (const Json& step : json.at("steps")) {
    teams.steps.push_back({.step = step.at("step"),
                           .workers = step.at("workers").get<std::vector<int>>(),
                           .waits = step.at("waits").get<std::vector<int>>()});
  }
  return teams;
}

bool is_within(const Program& program, const std::vector<int>& slots) {
  for (const int slot : slots) {
    if (slot < 0 || slot >= static_cast<int>(program.slots.size())) return false;
  }
  return true;
}

// Whether a slot's bytes hold its tensor: kernels and copies trust the shapes. Weights may be
// packed, and are then longer or shorter than what they were made from.
bool is_consistent(const Slot& slot) {
  const auto is_negative = [](int64_t extent) { return extent < 0; };
  if (slot.layout.block < 0 || std::ranges::any_of(slot.type.shape, is_negative) ||
      std::ranges::any_of(slot.physical, is_negative)) {
    return false;
  }
  if (slot.storage == Storage::kWeights) return true;
  if (!slot.layout.is_dense() && slot.type.shape.size() < 2) return false;
  const Shape expected = physical_shape(slot.type.shape, slot.layout);
  const auto width = static_cast<int64_t>(size_of(slot.type.data_type));
  return slot.physical == expected && slot.bytes == element_count(expected) * width;
}

// Whether every call of a step stays inside its tensors.
bool is_repeatable(const Program& program, const Step& step) {
  const CallRepeat& repeat = step.repeat;
  std::vector<int> slots = step.arguments;
  std::ranges::copy(step.results, std::back_inserter(slots));
  const auto is_result = [&](int position) {
    return position >= std::ssize(step.arguments) && position < std::ssize(slots);
  };
  const auto part_of = [&](int position) {
    const int64_t bytes =
        program.slots[static_cast<size_t>(slots[static_cast<size_t>(position)])].bytes;
    return std::ranges::count(repeat.moving, position) > 0 ? bytes / repeat.count : bytes;
  };
  const auto is_divisible = [&](int position) {
    if (position < 0 || position >= std::ssize(slots)) return false;
    const Slot& slot = program.slots[static_cast<size_t>(slots[static_cast<size_t>(position)])];
    return slot.storage == Storage::kArena && slot.bytes % repeat.count == 0;
  };
  const auto fits = [&](const CallRepeat::Feed& feed) {
    return is_result(feed.from) && feed.to >= 0 && feed.to < std::ssize(step.arguments) &&
           part_of(feed.from) == part_of(feed.to);
  };
  const bool has_kernel = repeat == CallRepeat{} || !step.symbol.empty();
  return has_kernel && repeat.count >= 1 && std::ranges::all_of(repeat.moving, is_divisible) &&
         std::ranges::all_of(repeat.feeds, fits);
}

// Whether a step's tensors lie where it runs, and a copy's in the two memories.
Result<void> check_scopes(const Program& program, const Step& step) {
  const auto lies_in = [&](int slot, MemoryScope scope) {
    return program.slots[static_cast<size_t>(slot)].scope == scope;
  };
  MemoryScope from = step.runs_on, to = step.runs_on;
  if (step.copy == StepCopy::kToDevice) to = MemoryScope::kDevice;
  if (step.copy == StepCopy::kToHost) from = MemoryScope::kDevice;
  const auto is_there = [&](const std::vector<int>& slots, MemoryScope scope) {
    return std::ranges::all_of(slots, [&](int slot) { return lies_in(slot, scope); });
  };
  if (!is_there(step.arguments, from) || !is_there(step.results, to)) {
    return Error{ErrorCode::kInvalidInput, "a step uses memory that it does not reach"}.with(
        "in", step.workload);
  }
  const bool is_copy = step.copy != StepCopy::kNone;
  const auto bytes = [&](int slot) { return program.slots[static_cast<size_t>(slot)].bytes; };
  const bool is_even = !is_copy || (step.arguments.size() == 1 && step.results.size() == 1 &&
                                    bytes(step.arguments.front()) == bytes(step.results.front()) &&
                                    step.symbol.empty() && step.runs_on == MemoryScope::kHost);
  const bool has_kernel = step.runs_on == MemoryScope::kHost || !step.symbol.empty();
  if (is_even && has_kernel) return {};
  return Error{ErrorCode::kInvalidInput, is_copy
                                             ? "a copy is not of one tensor to another of its size"
                                             : "a step on the device has no kernel"}
      .with("in", step.workload);
}

Result<StepWaits> program_json_waits_of(const Program& program) {
  StepWaits waits;
  for (size_t i = 0; i < program.steps.size(); ++i) {
    waits.push_back(program.steps[i].needs);
    std::ranges::copy(program.steps[i].reuses, std::back_inserter(waits.back()));
    for (const int step : waits.back()) {
      if (step >= 0 && step < static_cast<int>(i)) continue;
      return Error{ErrorCode::kInvalidInput,
                   fmt::format("step {} waits for step {}, which is no earlier one", i, step)};
    }
  }
  return waits;
}

// Whether the waits that the program states keep all steps off memory that others use.
Result<void> validate_waits(const Program& program) {
  OPBENCH_TRY(const StepWaits waits, program_json_waits_of(program));
  const StepOrder order = StepOrder::of(waits);
  const StepDependencies found = find_dependencies(program);
  for (size_t i = 0; i < waits.size(); ++i) {
    for (const auto* steps : {&found.needs[i], &found.reuses[i]}) {
      for (const int step : *steps) {
        if (order.ends_before(step, static_cast<int>(i))) continue;
        return Error{
            ErrorCode::kInvalidInput,
            fmt::format("step {} does not wait for step {}, which uses the same memory", i, step)};
      }
    }
  }
  return {};
}

Result<void> validate(const Program& program) {
  const Error outside{ErrorCode::kInvalidInput, "program points outside its slots"};
  if (!is_within(program, program.inputs) || !is_within(program, program.outputs)) return outside;
  for (const Step& step : program.steps) {
    if (!is_within(program, step.arguments) || !is_within(program, step.results)) {
      return outside;
    }
    if (step.results.empty()) {
      return Error{ErrorCode::kInvalidInput, "a step of the program has no result"};
    }
    if (!is_repeatable(program, step)) {
      return Error{ErrorCode::kInvalidInput, "the calls of a repeated step do not fit its tensors"}
          .with("in", step.workload);
    }
    OPBENCH_CHECK(check_scopes(program, step));
  }
  for (const Slot& slot : program.slots) {
    const int64_t arena =
        slot.scope == MemoryScope::kHost ? program.arena_bytes : program.device_arena_bytes;
    const int64_t room = slot.storage == Storage::kArena ? arena : program.weight_bytes;
    if (slot.offset < 0 || slot.bytes < 0 || slot.bytes > room || slot.offset > room - slot.bytes) {
      return Error{ErrorCode::kInvalidInput, "slot \"" + slot.name + "\" lies outside its memory"};
    }
    if (!is_consistent(slot)) {
      return Error{ErrorCode::kInvalidInput,
                   "slot \"" + slot.name + "\" does not hold " + shape_text(slot.type.shape)};
    }
  }
  OPBENCH_CHECK(validate_waits(program));
  return program.teams.steps.empty() ? Result<void>() : check_teams(program);
}

}  // namespace

Json to_json(const Program& program) { return Json::parse(json_text_of(program)); }

Result<Program> parse_program(const Json& json) {
  Program program;
  try {
    if (json.at("schema") != kProgramSchema && json.at("schema") != kDeviceProgramSchema) {
      return Error{ErrorCode::kInvalidInput, "program of schema " + json.at("schema").dump()}.with(
          "known", fmt::format("{}, {}", kProgramSchema, kDeviceProgramSchema));
    }
    program.model = json.at("model");
    program.arena_bytes = json.at("arena_bytes");
    program.weight_bytes = json.at("weight_bytes");
    program.device_arena_bytes = json.value("device_arena_bytes", int64_t{0});
    program.inputs = json.at("inputs").get<std::vector<int>>();
    program.outputs = json.at("outputs").get<std::vector<int>>();
    for (const Json& item : json.at("slots")) {
      OPBENCH_TRY(Slot slot, parse_slot(item));
      program.slots.push_back(std::move(slot));
    }
    for (const Json& item : json.at("steps")) {
      OPBENCH_TRY(Step step, parse_step(item));
      program.steps.push_back(std::move(step));
    }
    if (json.contains("teams")) program.teams = parse_teams(json.at("teams"));
  } catch (const nlohmann::json::exception& exception) {
    return Error{ErrorCode::kInvalidInput, "program is not valid"}.with("reason", exception.what());
  }
  OPBENCH_CHECK(validate(program));
  return program;
}

}  // namespace opbench
