#include "engines/package/package.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cstring>
#include <set>
#include <thread>

#include "base/files/file.h"
#include "base/tensors/tensor_difference.h"
#include "engines/runtime/executor.h"
#include "engines/runtime/unit_bench.h"
#include "kernels_not_run_report.h"
#include "machine/target/parse_target.h"
#include "model/graph/onnx_file.h"
#include "model/passes/bind_shapes.h"
#include "model/zoo/zoo.h"
#include "model_maker.h"
#include "odd_model.h"
#include "random_teams.h"

namespace opbench {
namespace {

namespace fs = std::filesystem;
using ::testing::Each;
using ::testing::HasSubstr;
using ::testing::SizeIs;

/// Packages made in a folder of their own, with a cache of their own.
class PackageBuild : public ::testing::Test {
 protected:
  PackageBuild() : folder_(std::move(*TemporaryFolder::make())) {
    options_.target = host_target();
    options_.folder = folder_.path() / "package";
    options_.cache = folder_.path() / "cache";
    options_.build.worker = {OPBENCH_BINARY_DIR "/opbench", "build-worker"};
    options_.build.workers = 2;
  }

  Result<Package> build(const Model& model) { return build_package(model, fuse(model), options_); }

  /// Runs a package and every step of it alone, and compares with the references.
  void expect_right(const Model& model, const Package& package, int threads) {
    auto loaded = LoadedPackage::load(package.folder, {.threads = threads, .shift_bytes = 192});
    ASSERT_TRUE(loaded) << to_text(loaded.error());
    const Tensor input = random_tensor(model.graph.types.at(model.graph.inputs[0].name), 5);
    const auto values = reference_values(model, input);
    ASSERT_TRUE((*loaded)->set_input(0, input));
    for (const ExecutorDef& definition : executor_table().all()) {
      SCOPED_TRACE(definition.name);
      auto executor = definition.make(**loaded);
      ASSERT_TRUE(executor) << to_text(executor.error());
      for (int run = 0; run < 2; ++run) {
        ASSERT_EQ((*executor)->run(), 0);
        for (size_t i = 0; i < model.graph.outputs.size(); ++i) {
          const Tensor& expected = values.at(model.graph.outputs[i].name);
          EXPECT_LT(max_relative_error((*loaded)->output(i), expected), 1e-4);
        }
      }
    }
    UnitBench bench(**loaded);
    for (size_t step = 0; step < package.units.size(); ++step) {
      expect_step_right(bench, step, package.units[step], values);
    }
  }

  static void expect_step_right(UnitBench& bench, size_t step, const PackagedUnit& unit,
                                const std::map<std::string, Tensor>& values) {
    std::vector<Tensor> operands;
    for (size_t i = 0; i < unit.values.operands.size(); ++i) {
      if (unit.identity.workload->is_weight(unit.identity.workload->graph.inputs[i].name)) continue;
      operands.push_back(values.at(unit.values.operands[i]));
    }
    const auto checked = bench.run_checked(step, operands);
    ASSERT_TRUE(checked) << unit.values.output << ": " << to_text(checked.error());
    EXPECT_LT(max_relative_error(checked->front(), values.at(unit.values.output)), 1e-4)
        << unit.values.output;
  }

  TemporaryFolder folder_;
  PackageOptions options_;
};

TEST_F(PackageBuild, ComputesAModelWithOddExtents) {
  const Model model = odd_model();
  size_t last = 0;
  options_.build.progress = [&, thread = std::this_thread::get_id()](size_t done, size_t total) {
    EXPECT_EQ(std::this_thread::get_id(), thread);
    EXPECT_GT(done, last);
    EXPECT_LE(done, total);
    last = done;
  };
  const auto package = build(model);
  ASSERT_TRUE(package) << to_text(package.error());
  EXPECT_TRUE(package->refused.empty());
  EXPECT_GT(last, 0);
  for (const PackagedUnit& unit : package->units) EXPECT_NE(unit.identity.schedule, "reference");
  EXPECT_EQ(package->units.size(), package->program.steps.size());
  expect_right(model, *package, 2);

  last = 0;
  const auto again = build(model);
  ASSERT_TRUE(again) << to_text(again.error());
  EXPECT_EQ(last, 0) << "all kernels lie in the cache";
  EXPECT_EQ(again->program, package->program);
  expect_right(model, *again, 1);
  for (const auto& entry : fs::recursive_directory_iterator(folder_.path())) {
    const std::string name = entry.path().filename();
    const bool is_known = entry.is_directory() || name.ends_with(".o") || name.ends_with(".ms") ||
                          name.ends_with(".so") || name == "program.json" || name == "weights.bin";
    EXPECT_TRUE(is_known) << entry.path() << " is left behind";
  }
}

TEST_F(PackageBuild, ComputesForEveryInstructionSet) {
  const Model model = odd_model();
  for (const char* set : kInstructionSets) {
    SCOPED_TRACE(set);
    options_.target = parse_target(set).value();
    const auto package = build(model);
    ASSERT_TRUE(package) << to_text(package.error());
    if (runs_kernels_of(options_.target, package->units.size())) expect_right(model, *package, 1);
  }
}

TEST_F(PackageBuild, HoldsAConstantOnceForAllStepsOfOneKernel) {
  constexpr int64_t kSide = 24;
  constexpr int64_t kSquare = kSide * kSide * static_cast<int64_t>(sizeof(float));
  ModelMaker m;
  std::string x = m.input("x", {1, kSide});
  const std::string shared = m.weight("w", {kSide, kSide});
  for (const char* name : {"a", "b", "c"}) x = m.node("MatMul", {x, shared}, name);
  x = m.node("Sigmoid", {m.node("MatMul", {x, shared}, "d")}, "e");  // another kernel
  x = m.node("MatMul", {x, m.weight("v", {kSide, kSide})}, "f");
  const Model model = m.finish({m.node("Add", {x, shared}, "y")});  // reads it as it is

  const auto package = build(model);
  ASSERT_TRUE(package) << to_text(package.error());
  std::map<std::string, std::set<int64_t>> offsets;
  for (const Slot& slot : package->program.slots) {
    if (slot.storage == Storage::kWeights) offsets[slot.name].insert(slot.offset);
  }
  EXPECT_EQ(offsets.at("v").size(), 1);
  EXPECT_LE(offsets.at("w").size(), 3) << "packed for two kernels, and as it is";
  EXPECT_FALSE(offsets.at("w").contains(*offsets.at("v").begin()));
  EXPECT_LE(package->program.weight_bytes, 5 * kSquare);
  EXPECT_EQ(fs::file_size(package->folder / "weights.bin"),
            static_cast<uintmax_t>(package->program.weight_bytes));
  expect_right(model, *package, 2);
}

TEST_F(PackageBuild, EndsWhenItIsCancelled) {
  const std::atomic<bool> cancel = true;
  options_.build.cancel = &cancel;
  options_.build.progress = [](size_t, size_t) { FAIL() << "nothing is built"; };
  const auto package = build(odd_model());
  ASSERT_FALSE(package);
  EXPECT_EQ(package.error().code, ErrorCode::kInterrupted);
  EXPECT_FALSE(fs::exists(options_.cache));
}

TEST_F(PackageBuild, ComputesZooModels) {
  options_.cache = cache_folder();  // transcripts need these kernels too
  for (const std::string name : {"conv2d", "squeezenet_v1.1"}) {
    auto model = parse_onnx(*zoo_onnx(name, 1, 1), name, {});
    ASSERT_TRUE(model) << to_text(model.error());
    ASSERT_TRUE(bind_shapes(*model, {}));
    ASSERT_TRUE(infer_types(*model));
    ASSERT_TRUE(fold_constants(*model));
    ASSERT_TRUE(fold_batch_norms(*model));
    ASSERT_TRUE(infer_types(*model));
    options_.folder = folder_.path() / name;
    const auto package = build(*model);
    ASSERT_TRUE(package) << to_text(package.error());
    EXPECT_TRUE(package->refused.empty());
    expect_right(*model, *package, 2);
  }
}

/// Four branches of one input that a concatenation joins, as inception has them.
Model branching_model() {
  ModelMaker m;
  const std::string x = m.input("x", {1, 16, 14, 14});
  std::vector<std::string> ends;
  for (const std::string name : {"a", "b", "c", "d"}) {
    const std::string first = m.node("Relu", {m.conv(x, 16, 24, 1, name + "1")}, name + "1r");
    ends.push_back(m.conv(first, 24, 8, 3, name + "3"));
  }
  const std::string joined = m.concat(ends, "joined");
  return m.finish({m.conv(joined, 32, 16, 1, "y")});
}

void poison(LoadedPackage& package) {
  const Program& program = package.program();
  for (size_t i = 0; i < program.slots.size(); ++i) {
    const Slot& slot = program.slots[i];
    const bool is_input = std::ranges::count(program.inputs, static_cast<int>(i)) > 0;
    if (slot.storage == Storage::kWeights || is_input) continue;
    std::memset(package.memory_of(slot), 0x7F, static_cast<size_t>(slot.bytes));
  }
}

TEST_F(PackageBuild, RunsBranchesSideBySideToTheSameBits) {
  const Model model = branching_model();
  options_.threads = 2;
  const auto sequential = build(model);
  ASSERT_TRUE(sequential) << to_text(sequential.error());
  for (uint64_t seed = 1; seed <= 6; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    options_.teams = random_teams(sequential->program, 2, random);
    options_.folder = folder_.path() / std::to_string(seed);
    const auto package = build(model);
    ASSERT_TRUE(package) << to_text(package.error());
    EXPECT_EQ(package->program.teams, options_.teams);
    expect_right(model, *package, 2);
    auto loaded = LoadedPackage::load(package->folder, {.threads = 2});
    ASSERT_TRUE(loaded) << to_text(loaded.error());
    const auto together = (*executor_table().find("concurrent"))->make(**loaded);
    const auto in_order = make_sequential_executor(**loaded);
    ASSERT_TRUE(together && in_order);
    for (uint64_t input = 0; input < 40; ++input) {
      ASSERT_TRUE((*loaded)->set_input(0, random_tensor(model.graph.types.at("x"), input)));
      poison(**loaded);
      ASSERT_EQ((*in_order)->run(), 0);
      const Tensor expected = (*loaded)->output(0);
      poison(**loaded);
      ASSERT_EQ((*together)->run(), 0);
      ASSERT_EQ((*loaded)->output(0), expected);
    }
  }
}

TEST_F(PackageBuild, RefusesTeamsOfAnotherModel) {
  options_.teams = {.workers = 2, .steps = {{0, {0}, {}}, {3, {1}, {}}}};
  const auto package = build(odd_model());
  ASSERT_FALSE(package);
  EXPECT_EQ(package.error().message, "no worker runs step 1");
}

/// A worker that fails at kernels by one schedule and hands the others on.
std::vector<std::string> worker_without(const std::string& schedule, const std::string& worker) {
  return {"/bin/sh", "-c",
          "while read -r line <&3; do case \"$line\" in *" + schedule +
              R"(*) id=${line#*'"id":'}
                printf '{"id":%s,"error":{"kind":"build_error","message":"no"}}\n' "${id%%,*}" >&4;;
              *) printf '%s\n' "$line" | )" +
              worker + " build-worker 3<&0;; esac; done"};
}

TEST_F(PackageBuild, TakesTheNextScheduleForAKernelThatCannotBeBuilt) {
  ModelMaker m;
  const std::string x = m.input("x", {1, 16, 14, 14});
  const std::string a = m.node("Relu", {m.conv(x, 16, 32, 3, "a")}, "ar");
  const Model model = m.finish({m.node("Relu", {m.conv(a, 32, 32, 3, "b")}, "y")});
  const auto unit_of = [](const Package& package) {
    return *std::ranges::find(package.units, "ar",
                              [](const PackagedUnit& unit) { return unit.values.output; });
  };
  const auto first = build(model);
  ASSERT_TRUE(first) << to_text(first.error());
  const PackagedUnit before = unit_of(*first);

  fs::remove_all(options_.cache);
  options_.build.worker = worker_without(before.identity.schedule, options_.build.worker.front());
  const auto package = build(model);
  ASSERT_TRUE(package) << to_text(package.error());
  const PackagedUnit after = unit_of(*package);
  EXPECT_NE(after.identity.schedule, before.identity.schedule);
  EXPECT_NE(after.identity.schedule, "reference");
  EXPECT_EQ(after.identity.blocks, before.identity.blocks);
  ASSERT_FALSE(package->refused.empty());
  EXPECT_EQ(package->refused.begin()->second.kernel.schedule, before.identity.schedule);
  EXPECT_EQ(package->refused.begin()->second.failure, (Failure{FailureKind::kBuildError, "no"}));
  expect_right(model, *package, 1);
}

TEST_F(PackageBuild, RunsReferencesWhenWorkersEndAtOnce) {
  const Model model = odd_model();
  for (const auto& command :
       std::vector<std::vector<std::string>>{{"/bin/sh", "-c", "exit 3"},
                                             {"/nonexistent/opbench"},
                                             {"/bin/sh", "-c", "kill -9 $$"}}) {
    options_.build.worker = command;
    const auto package = build(model);
    ASSERT_TRUE(package) << to_text(package.error());
    EXPECT_FALSE(package->refused.empty());
    for (const auto& [function, kernel] : package->refused) {
      EXPECT_EQ(kernel.failure.kind, FailureKind::kBuildError) << kernel.failure.text;
      EXPECT_NE(kernel.failure.text, "");
    }
    for (const PackagedUnit& unit : package->units) {
      EXPECT_EQ(unit.identity.schedule, "reference");
      EXPECT_THAT(unit.identity.blocks, Each(0));
    }
    expect_right(model, *package, 1);
  }
}

TEST_F(PackageBuild, QuotesWhatADyingWorkerPrinted) {
  ModelMaker m;
  const Model model = m.finish({m.node("Relu", {m.input("x", {2, 5})}, "y")});
  options_.build.worker = {"/bin/sh", "-c", "echo LLVM ERROR: out of registers >&2; kill -ABRT $$"};
  options_.build.logs = folder_.path();
  const auto package = build(model);
  ASSERT_TRUE(package) << to_text(package.error());
  ASSERT_FALSE(package->refused.empty());
  EXPECT_EQ(package->refused.begin()->second.failure.text,
            "killed by signal 6 (SIGABRT) during \"compile\"; its log ends: LLVM ERROR: out of "
            "registers");
}

TEST_F(PackageBuild, EndsWorkersThatHang) {
  ModelMaker m;
  const Model model = m.finish({m.node("Relu", {m.input("x", {2, 5})}, "y")});
  options_.build.worker = {"/bin/sh", "-c", "sleep 1000"};
  options_.build.time_limit = Seconds(0.05);
  const auto package = build(model);
  ASSERT_TRUE(package) << to_text(package.error());
  ASSERT_THAT(package->refused, SizeIs(1));
  EXPECT_EQ(package->refused.begin()->second.failure.kind, FailureKind::kBuildTimeout);
  expect_right(model, *package, 1);
}

TEST_F(PackageBuild, NoticesAWorkerThatWritesNothing) {
  ModelMaker m;
  const Model model = m.finish({m.node("Relu", {m.input("x", {2, 5})}, "y")});
  options_.build.worker = {"/bin/sh", "-c", "read -r l <&3; echo '{\"id\":1,\"result\":{}}' >&4"};
  const auto package = build(model);
  ASSERT_TRUE(package) << to_text(package.error());
  ASSERT_THAT(package->refused, SizeIs(1));
  EXPECT_THAT(package->refused.begin()->second.failure.text, HasSubstr("no object"));
  expect_right(model, *package, 1);
}

TEST_F(PackageBuild, SaysWhatTheLinkerFoundWrong) {
  ModelMaker m;
  const Model model = m.finish({m.node("Relu", {m.input("x", {2, 5})}, "y")});
  const auto steps = plan_layouts(model, fuse(model), options_.target);
  ASSERT_TRUE(steps);
  const KernelKey key = key_of(steps->at(0).kernel(), options_.cache);
  fs::create_directories(key.object.parent_path());
  ASSERT_TRUE(write_file(key.object, "no object"));
  const auto package = build(model);
  ASSERT_FALSE(package);
  EXPECT_EQ(package.error().code, ErrorCode::kSystem);
  EXPECT_THAT(to_text(package.error()), HasSubstr(key.object.filename().string()));
}

TEST_F(PackageBuild, TakesAModelWithoutNodes) {
  ModelMaker m;
  const std::string x = m.input("x", {2, 3});
  const Model model = m.finish({x, m.weight("w", {5})});
  const auto package = build(model);
  ASSERT_TRUE(package) << to_text(package.error());
  EXPECT_TRUE(package->units.empty());
  EXPECT_FALSE(fs::exists(options_.folder / "kernels.so"));
  expect_right(model, *package, 1);
}

TEST_F(PackageBuild, SaysThatItsFolderCannotBeWritten) {
  ModelMaker m;
  const std::string x = m.input("x", {2, 3});
  ASSERT_TRUE(write_file(folder_.path() / "file", ""));
  options_.folder = folder_.path() / "file" / "package";
  const auto package = build(m.finish({x}));
  ASSERT_FALSE(package);
  EXPECT_THAT(package.error().message, HasSubstr("cannot write"));
}

}  // namespace
}  // namespace opbench
