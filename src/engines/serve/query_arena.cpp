#include "engines/serve/query_arena.h"

#include <fmt/format.h>

#include <cstring>

#include "engines/runtime/slot_layout.h"
#include "engines/runtime/step_watch.h"

namespace opbench {
namespace {

bool lies_alike(const Slot& a, const Slot& b) {
  if (a.storage != b.storage || a.type != b.type) return false;
  if (a.storage == Storage::kWeights) return true;  // each package has its own
  return a.offset == b.offset && a.bytes == b.bytes && a.physical == b.physical &&
         a.layout == b.layout;
}

bool is_same_step(const Step& a, const Step& b) {
  return a.workload == b.workload && a.arguments == b.arguments && a.results == b.results;
}

Error differ(const Program& program, const std::string& what) {
  return Error{ErrorCode::kInvalidInput,
               fmt::format("the packages of {} for teams of several sizes keep values in other "
                           "places: a query cannot change its team",
                           program.model)}
      .with("first difference", what);
}

}  // namespace

Result<void> check_same_values(const TeamPackages& packages) {
  const Program& first = packages.front()->program();
  for (const LoadedPackage* package : packages) {
    const Program& other = package->program();
    if (first.slots.size() != other.slots.size() || first.steps.size() != other.steps.size()) {
      return differ(first, fmt::format("{} and {} steps", first.steps.size(), other.steps.size()));
    }
    for (size_t i = 0; i < first.slots.size(); ++i) {
      const Slot& slot = first.slots[i];
      if (!lies_alike(slot, other.slots[i])) return differ(first, fmt::format("\"{}\"", slot.name));
    }
    for (size_t i = 0; i < first.steps.size(); ++i) {
      if (is_same_step(first.steps[i], other.steps[i])) continue;
      return differ(first, fmt::format("step {}, {}", i, first.steps[i].workload));
    }
  }
  return {};
}

QueryArena::QueryArena(const TeamPackages& packages)
    : packages_(packages), memory_(packages.front()->arena().size()) {
  const auto arena = packages.front()->arena();
  std::memcpy(memory_.data(), arena.data(), arena.size());
  for (const Step& step : packages.front()->program().steps) texts_.push_back(watch_text(step));
}

Result<std::unique_ptr<QueryArena>> QueryArena::make(const TeamPackages& packages) {
  OPBENCH_CHECK(check_same_values(packages));
  std::unique_ptr<QueryArena> made(new QueryArena(packages));
  for (LoadedPackage* package : packages) {
    std::vector<BoundStep>& steps = made->steps_.emplace_back();
    for (const Step& step : package->program().steps) {
      std::vector<std::byte*> memory;
      for (const std::vector<int>& slots : {step.arguments, step.results}) {
        for (const int slot : slots) {
          memory.push_back(
              made->memory_of(*package, package->program().slots[static_cast<size_t>(slot)]));
        }
      }
      OPBENCH_TRY(BoundStep bound, package->bind(step, memory, made->context_));
      steps.push_back(std::move(bound));
    }
  }
  return made;
}

std::byte* QueryArena::memory_of(const LoadedPackage& package, const Slot& slot) const {
  if (slot.storage == Storage::kWeights) return package.memory_of(slot);
  return memory_.data() + packages_.front()->options().shift_bytes + slot.offset;
}

int QueryArena::run(size_t size, const StepRange& steps, Team& team, size_t worker) {
  context_.team = &team;
  int code = 0;
  for (size_t i = steps.first; i < steps.end && code == 0; ++i) {
    watch_step(worker, texts_[i].c_str());
    code = steps_[size][i].run();
  }
  watch_step(worker, nullptr);
  return code;
}

Tensor QueryArena::output(size_t index) const {
  const LoadedPackage& package = *packages_.front();
  const Program& program = package.program();
  const Slot& slot = program.slots[static_cast<size_t>(program.outputs.at(index))];
  return load_from_slot(slot, memory_of(package, slot));
}

void QueryArena::poison() {
  const LoadedPackage& package = *packages_.front();
  const Program& program = package.program();
  std::memset(memory_.data(), 0xff, memory_.bytes());
  for (const int input : program.inputs) {
    const Slot& slot = program.slots[static_cast<size_t>(input)];
    std::memcpy(memory_of(package, slot), package.memory_of(slot), static_cast<size_t>(slot.bytes));
  }
}

}  // namespace opbench
