#include "engines/package/package.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <spawn.h>
#include <sys/wait.h>

#include <algorithm>
#include <cerrno>
#include <optional>
#include <set>

#include "base/files/file.h"
#include "base/numbers/hash.h"
#include "engines/package/device_copies.h"
#include "engines/package/program_code.h"
#include "engines/package/reference_check.h"
#include "engines/package/side_teams.h"
#include "engines/runtime/program_text.h"
#include "engines/runtime/teams/team_order.h"

extern char** environ;  // NOLINT: POSIX declares no header for it

namespace opbench {
namespace fs = std::filesystem;
namespace {

constexpr int64_t kWeightAlignment = 64;

// What a program wrote into its log, on one line; libraries themselves do not print.
std::string one_line(const fs::path& log) {
  std::string text = read_file(log).value_or("");
  std::ranges::replace(text, '\n', ' ');
  return text.substr(0, 300);
}

/// The linker of binutils for the target's machine.
std::string linker_of(const Target& target) {
#if !defined(__aarch64__)
  if (is_arm64(target)) return "aarch64-linux-gnu-ld";
#endif
  (void)target;
  return "ld";
}

Result<void> run_linker(const std::string& linker, const std::vector<std::string>& objects,
                        const fs::path& library) {
  std::vector<std::string> words = {linker, "-shared", "-z", "noexecstack", "-o", library.string()};
  words.insert(words.end(), objects.begin(), objects.end());
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  const fs::path log = library.string() + ".log";
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_addopen(&actions, 1, log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
  ::posix_spawn_file_actions_adddup2(&actions, 1, 2);
  pid_t pid = 0;
  int status = 0;
  const int refused = ::posix_spawnp(&pid, linker.c_str(), &actions, nullptr, argv.data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  if (refused != 0) {
    return Error{ErrorCode::kEnvironment, "cannot start the linker \"" + linker + "\""}.with(
        "remedy", linker == "ld"
                      ? "install the package binutils, or run ./dev setup"
                      : "install the package g++-aarch64-linux-gnu, or run ./dev setup --tests");
  }
  while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) continue;
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
    return Error{ErrorCode::kSystem, "the linker refused the kernels"}.with("reason",
                                                                            one_line(log));
  }
  std::error_code ignored;
  fs::remove(log, ignored);
  return {};
}

// Makes `link` another name of the file, unless it is its own.
Result<void> link_file(const fs::path& file, const fs::path& link) {
  if (file == link) return {};
  std::error_code error;
  fs::remove(link, error);
  fs::create_symlink(fs::absolute(file), link, error);
  if (error) {
    return Error{ErrorCode::kSystem, "cannot write \"" + link.string() + "\": " + error.message()};
  }
  return {};
}

// The library of a set of kernels, linked once and kept beside them.
Result<void> link_kernels(const std::map<std::string, fs::path>& objects, const std::string& linker,
                          const fs::path& cache, const fs::path& folder) {
  std::error_code error;
  if (objects.empty()) {
    fs::remove(folder / "kernels.so", error);  // of a package made here before
    return {};
  }
  std::string names;
  std::vector<std::string> paths;
  for (const auto& [function, object] : objects) {
    names += function;
    paths.push_back(object.string());
  }
  const fs::path library =
      fs::absolute(cache / "libraries" / (sha256(names).substr(0, 24) + ".so"), error);
  if (!fs::exists(library, error)) {
    fs::create_directories(library.parent_path(), error);
    const fs::path made = folder / "linked.so";
    OPBENCH_CHECK(run_linker(linker, paths, made));
    const fs::path beside = library.string() + "." + std::to_string(::getpid());
    fs::copy_file(made, beside, fs::copy_options::overwrite_existing, error);
    if (!error) fs::rename(beside, library, error);
    std::error_code ignored;
    fs::remove(made, ignored);
    if (error) {
      fs::remove(beside, ignored);
      return Error{ErrorCode::kSystem,
                   "cannot write \"" + library.string() + "\": " + error.message()};
    }
  }
  return link_file(library, folder / "kernels.so");
}

// Tells the kernels of a package apart, whose targets are of different kinds.
std::string short_text(const KernelSpec& spec) {
  std::string text = fmt::format("{}|{}|{}|{}", text_of(spec.workload),
                                 fmt::join(blocks_of(spec), ","), spec.schedule, spec.target.kind);
  for (const auto& [knob, value] : spec.config) text += fmt::format("|{}={}", knob, value);
  for (const std::vector<int>& axes : spec.free) text += fmt::format("|{}", fmt::join(axes, ","));
  return text;
}

class PackageBuilder {
 public:
  PackageBuilder(const Model& model, const PackageOptions& options)
      : model_(model),
        options_(options),
        findings_(options.findings != nullptr ? *options.findings : own_findings_) {}

  Result<Package> build(const std::vector<Unit>& units) {
    placement_ = with_all_sides(options_.placement, units);
    OPBENCH_CHECK(plan_and_compile(units));
    return write();
  }

  Result<Package> package(PlannedStep step, const KernelKey& kernel) {
    steps_ = with_device_copies(model_, {std::move(step)}, options_.layouts);
    for (const PlannedStep& planned : steps_) {
      own_kernels_.push_back(planned.kernel());
      functions_.push_back(planned.has_kernel() ? kernel.function : "");
    }
    for (const KernelSpec& own : own_kernels_) kernels_.push_back(&own);
    objects_ = {{kernel.function, kernel.object}};
    return write();
  }

 private:
  Result<Package> write() {
    OPBENCH_CHECK(check_references());
    plan_ = plan_memory(model_, steps_, options_.layouts, waits_, options_.boundaries);
    plan_.program.teams = options_.teams;
    if (placement_.is_given()) {
      OPBENCH_TRY(plan_, plan_for_sides(model_, steps_, plan_, placement_, options_.layouts,
                                        options_.boundaries));
    }
    std::error_code error;
    fs::create_directories(options_.folder, error);
    OPBENCH_CHECK(
        link_kernels(objects_, linker_of(options_.target), options_.cache, options_.folder));
    OPBENCH_CHECK(write_weights());
    package_.folder = options_.folder;
    package_.remarks = model_.remarks;
    std::string on_host = units_on_host(steps_, options_.target);
    if (!on_host.empty()) package_.remarks.push_back(std::move(on_host));
    for (size_t i = 0; i < plan_.program.steps.size(); ++i) add_unit(i);
    OPBENCH_CHECK(write_file(options_.folder / "program.json", json_text_of(plan_.program)));
    hash_code();
    package_.program = std::move(plan_.program);
    package_.live_bytes = plan_.live_bytes;
    return std::move(package_);
  }

  // A step of a model takes the same types at all extents.
  Result<void> check_references() {
    for (const PlannedStep& step : steps_) {
      if (step.has_kernel() || step.copy != StepCopy::kNone) continue;
      std::string key = step.values.output;
      for (const auto& [name, type] : step.workload().graph.types) {
        key += fmt::format(" {}", name_of(type.data_type));
      }
      if (findings_.checked_steps.contains(key)) continue;
      OPBENCH_CHECK(check_reference(step.workload()));
      findings_.checked_steps.insert(key);
    }
    return {};
  }

  // A unit whose kernel cannot be built takes the next schedule, then the next layout, then its
  // references, and what that changes around it is planned and built again.
  Result<void> plan_and_compile(const std::vector<Unit>& units) {
    std::set<std::string> refused;
    for (;;) {
      OPBENCH_TRY(steps_, layouts_for(units, options_.threads, refused));
      OPBENCH_CHECK(take_kernels_for_teams(units, refused));
      steps_ = with_device_copies(model_, std::move(steps_), options_.layouts);
      choose_kernels(refused);
      const size_t before = refused.size();
      OPBENCH_CHECK(compile(refused));
      if (refused.size() == before) return {};
    }
  }

  Result<std::vector<PlannedStep>> layouts_for(const std::vector<Unit>& units, int threads,
                                               const std::set<std::string>& refused) const {
    return plan_layouts(model_, units, options_.target, refused, options_.layouts, options_.choices,
                        threads, placement_);
  }

  // Each step that a team runs takes the kernel that a package for so many threads would have, and
  // values of steps that overlap share no memory.
  Result<void> take_kernels_for_teams(const std::vector<Unit>& units,
                                      const std::set<std::string>& refused) {
    if (options_.teams.steps.empty()) return {};
    std::map<int, std::vector<PlannedStep>> steps_for;
    const std::vector<size_t> planned = plan_memory(model_, steps_, options_.layouts).planned;
    OPBENCH_TRY(const StepOrder order, order_of_teams(options_.teams, planned.size()));
    waits_ = waits_of(order);
    for (const TeamStep& team_step : options_.teams.steps) {
      const auto size = static_cast<int>(team_step.workers.size());
      if (size == options_.threads) continue;
      if (!steps_for.contains(size)) {
        OPBENCH_TRY(steps_for[size], layouts_for(units, size, refused));
      }
      const std::vector<PlannedStep>& others = steps_for.at(size);
      const size_t at = planned[static_cast<size_t>(team_step.step)];
      PlannedStep& step = steps_[at];
      const bool fits = at < others.size() && others[at].values.operands == step.values.operands &&
                        others[at].values.output == step.values.output &&
                        others[at].identity.blocks == step.identity.blocks;
      if (!fits) {
        return Error{ErrorCode::kInvalidInput,
                     fmt::format("the kernel of \"{}\" for {} threads has other layouts than that "
                                 "for {}",
                                 step.values.output, size, options_.threads)};
      }
      step = others[at];
    }
    return {};
  }

  // A step's kernel is for its extents alone, or for a range of which they are part. Models repeat
  // their layers: what is found for a step holds for all like it.
  void choose_kernels(const std::set<std::string>& refused) {
    kernels_.clear();
    own_kernels_.clear();
    free_kernels_.clear();
    own_kernels_.reserve(steps_.size());  // they stay where they are
    for (const PlannedStep& step : steps_) {
      const KernelSpec& own = own_kernels_.emplace_back(step.kernel());
      kernels_.push_back(&own);
      if (options_.free == nullptr || !step.has_kernel()) continue;
      const std::string form = options_.free->text_of_step(step);
      if (form.empty()) continue;
      const std::string key =
          fmt::format("{}|{}|{}|{}|{}", form, text_of(step.workload()),
                      fmt::join(step.identity.blocks, ","), step.threads, step.identity.origin);
      auto kernel = free_kernels_.find(key);
      if (kernel == free_kernels_.end()) {
        kernel = free_kernels_.emplace(key, options_.free->kernel_of(step, refused)).first;
      }
      if (kernel->second) kernels_.back() = &*kernel->second;
    }
  }

  Result<void> compile(std::set<std::string>& refused) {
    std::vector<KernelBuild> builds;
    functions_.clear();
    std::map<const KernelSpec*, std::string> same;   // most steps of a range point to its kernel
    std::map<std::string, std::string> function_of;  // by what the kernel is made of
    for (const KernelSpec* const kernel : kernels_) {
      functions_.emplace_back();
      if (kernel->schedule.empty()) continue;
      std::string& known = same[kernel];
      if (known.empty()) {
        std::string& function = function_of[short_text(*kernel)];
        if (function.empty()) {
          builds.push_back({*kernel, key_of(*kernel, options_.cache)});
          function = builds.back().key.function;
        }
        known = function;
      }
      functions_.back() = known;
    }
    OPBENCH_TRY(const auto failures, build_kernels(builds, options_.build));
    objects_.clear();
    for (const KernelBuild& build : builds) {
      const auto failure = failures.find(build.key.function);
      if (failure != failures.end()) {
        refused.insert(text_of(build.spec));
        package_.refused[build.key.function] = {build.spec, failure->second};
      } else {
        objects_[build.key.function] = build.key.object;
      }
    }
    return {};
  }

  void add_unit(size_t program_step) {
    const PlannedStep& planned = steps_[plan_.planned[program_step]];
    const KernelSpec& kernel = *kernels_[plan_.planned[program_step]];
    const bool has_kernel = !kernel.schedule.empty();
    PackagedUnit unit{.identity = planned.identity, .values = planned.values, .kernel = {0, 0}};
    if (has_kernel) {
      unit.identity.schedule = kernel.schedule;  // one for a range may have another
      const std::string& function = functions_[plan_.planned[program_step]];
      Step& step = plan_.program.steps[program_step];
      step.symbol = function;
      step.repeat = repeat_of(own_kernels_[plan_.planned[program_step]]);
      auto facts = findings_.facts.find(function);
      if (facts == findings_.facts.end()) {
        facts = findings_.facts.emplace(function, facts_of_kernel(objects_.at(function), function))
                    .first;
      }
      unit.kernel = facts->second;
    }
    package_.units.push_back(std::move(unit));
  }

  void hash_code() {
    KernelHashes kernels;
    for (const Step& step : plan_.program.steps) {
      const auto facts = findings_.facts.find(step.symbol);
      if (facts != findings_.facts.end()) kernels[step.symbol] = facts->second.code_hash;
    }
    for (size_t i = 0; i < package_.units.size(); ++i) {
      package_.units[i].code_hash = hash_of_step(plan_.program, i, kernels);
    }
    package_.code_hash = hash_of_program(plan_.program, kernels);
  }

  // Weights are packed and written one by one, so that memory holds one of them at a time.
  Result<void> write_weights() {
    OwnWeights own(model_.graph, options_.folder / "weights.bin");
    PackageWeights& weights = options_.weights != nullptr ? *options_.weights : own;
    WeightFile& file = weights.file();
    for (const PlannedWeight& weight : plan_.weights) {
      OPBENCH_TRY(const WeightFile::Place place, place_of(weight, weights));
      Slot& slot = plan_.program.slots[static_cast<size_t>(weight.slot)];
      slot.offset = place.offset;
      slot.bytes = place.bytes;
      slot.physical = place.physical;
    }
    OPBENCH_CHECK(file.finish());
    plan_.program.weight_bytes = file.bytes();
    return link_file(file.path(), options_.folder / "weights.bin");
  }

  // What a kernel makes of a weight depends on the kernel alone.
  Result<WeightFile::Place> place_of(const PlannedWeight& weight, PackageWeights& weights) const {
    const bool is_packed = weight.step < steps_.size() && !kernels_[weight.step]->schedule.empty();
    std::string key = weights.identity_of(weight.constant);
    if (is_packed) key += fmt::format("|{}|{}", functions_[weight.step], weight.operand);
    if (const WeightFile::Place* const place = weights.file().find(key)) return *place;
    OPBENCH_TRY(const Tensor* const constant, weights.values_of(weight.constant));
    if (!is_packed) return weights.file().append(key, *constant);
    OPBENCH_TRY(const Tensor packed,
                pack_weight(*kernels_[weight.step], weight.operand, *constant));
    return weights.file().append(key, packed);
  }

  const Model& model_;
  const PackageOptions& options_;
  PackageFindings own_findings_;
  PackageFindings& findings_;
  UnitPlacement placement_;  ///< with a side for every unit, where one is given
  std::vector<PlannedStep> steps_;
  std::vector<KernelSpec> own_kernels_;     ///< of the steps, for their extents alone
  std::vector<const KernelSpec*> kernels_;  ///< of the steps: own ones, or those for ranges
  std::map<std::string, std::optional<KernelSpec>> free_kernels_;  ///< for ranges
  std::vector<std::string> functions_;
  std::map<std::string, fs::path> objects_;
  StepWaits waits_;  ///< that the programs of workers force; empty: steps run in their order
  MemoryPlan plan_;
  Package package_;
};

}  // namespace

Result<Package> build_package(const Model& model, const std::vector<Unit>& units,
                              const PackageOptions& options) {
  return PackageBuilder(model, options).build(units);
}

Result<Package> package_kernel(const Model& model, PlannedStep step, const KernelKey& kernel,
                               const PackageOptions& options) {
  return PackageBuilder(model, options).package(std::move(step), kernel);
}

}  // namespace opbench
