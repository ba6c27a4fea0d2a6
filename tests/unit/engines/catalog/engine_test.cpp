#include "engines/catalog/engine.h"

#include <gmock/gmock.h>

#include "cap_for_test.h"
#include "engines/catalog/engine_choice.h"
#include "engines/catalog/engine_command.h"
#include "machine/target/parse_target.h"

namespace opbench {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsSupersetOf;

TEST(Engine, KnowsTheShippedOnes) {
  EXPECT_THAT(engine_table().names(), IsSupersetOf({"halide", "onednn", "onednn-default",
                                                    "onnxruntime", "opencl", "cuda"}));
  for (const EngineDef& engine : engine_table().all()) {
    EXPECT_NE(engine.summary, "") << engine.name;
    ASSERT_NE(engine.unavailable, nullptr) << engine.name;
    ASSERT_NE(engine.command, nullptr) << engine.name;
    const EngineCommand command =
        engine.command({.threads = 2, .cpus = {1, 3}, .folder = "/tmp/run"});
    EXPECT_FALSE(command.argv.empty()) << engine.name;
    EXPECT_THAT(command.cpus, ElementsAre(1, 3)) << engine.name;
    EXPECT_EQ(command.log.parent_path(), "/tmp/run") << engine.name;
  }
}

TEST(Engine, TellsOneDnnItsThreadsAndPlaces) {
  const EngineDef* onednn = *engine_table().find("onednn");
  const auto pinned = onednn->command({.threads = 2, .cpus = {1, 3}}).environment;
  EXPECT_EQ(pinned.at("OMP_NUM_THREADS"), "2");
  EXPECT_EQ(pinned.at("OMP_PLACES"), "{1},{3}");
  EXPECT_FALSE(onednn->command({.threads = 2}).environment.contains("OMP_PLACES"));
  EXPECT_FALSE(onednn->runs_models);
}

/// What oneDNN is told; empty where it may use all that there is.
std::string most_of_onednn(const std::string& target) {
  const EngineOptions options{.target = parse_target(target).value()};
  const auto environment = (*engine_table().find("onednn"))->command(options).environment;
  const auto found = environment.find("ONEDNN_MAX_CPU_ISA");
  return found == environment.end() ? "" : found->second;
}

TEST(Engine, LetsOneDnnUseNoMoreThanTheTargetNames) {
  const CapForTest none("");
  EXPECT_EQ(most_of_onednn("llvm -mcpu=skylake-avx512"), "");
  EXPECT_EQ(most_of_onednn("llvm -mcpu=core-avx2"), "AVX2");
  EXPECT_EQ(most_of_onednn("llvm"), "SSE41");
}

TEST(Engine, LetsOneDnnUseNoMoreThanTheCapNames) {
  const std::map<std::string, std::string> words = {{"skylake-avx512", "AVX512_CORE"},
                                                    {"cascadelake", "AVX512_CORE_VNNI"},
                                                    {"icelake-client", "AVX512_CORE_VNNI"},
                                                    {"znver4", "AVX512_CORE_BF16"},
                                                    {"sapphirerapids", "AVX512_CORE_AMX"}};
  for (const auto& [processor, word] : words) {
    const CapForTest cap(processor);
    EXPECT_EQ(most_of_onednn("llvm -mcpu=skylake-avx512"), word) << processor;
    EXPECT_EQ(most_of_onednn("llvm -mcpu=core-avx2"), "AVX2") << processor;
  }
}

TEST(Engine, SaysWhetherItFollowsACap) {
  for (const EngineDef& engine : engine_table().all()) {
    // PoCL, whose device is the CPU, compiles for all that it finds.
    const bool follows =
        engine.name != "onnxruntime" && engine.name != "opencl" && engine.name != "cuda";
    EXPECT_EQ(engine.follows_cpu_cap, follows) << engine.name;
  }
  const auto own = engine_of_command("mine", {"/opt/mine"});
  ASSERT_TRUE(own);
  EXPECT_FALSE(own->follows_cpu_cap);
}

TEST(Engine, IsChosenByTheTarget) {
  EXPECT_EQ(package_engine().name, "halide");
  EXPECT_EQ(package_engine_for(parse_target("llvm").value()).name, "halide");
  EXPECT_EQ(package_engine_for(parse_target("opencl -device=mali").value()).name, "opencl");
  EXPECT_EQ(package_engine_for(parse_target("cuda -arch=sm_75").value()).name, "cuda");
  EXPECT_EQ(package_engine_for(parse_target("nvptx").value()).name, "cuda");
  EXPECT_EQ(package_engine_for(parse_target("vulkan").value()).name, "halide")
      << "nothing runs it, and the run says so";
  for (const EngineDef& engine : engine_table().all()) {
    const bool is_on_device = engine.name == "opencl" || engine.name == "cuda";
    EXPECT_EQ(runs_on_cpu(engine), !is_on_device) << engine.name;
  }
}

TEST(Engine, TellsPoclItsThreadsAndItsCache) {
  const EngineCommand command = (*engine_table().find("opencl"))
                                    ->command({.threads = 2, .cache = "/tmp/kernels", .device = 3});
  EXPECT_THAT(command.argv, ElementsAre(HasSubstr("opbench-engine-opencl"), "3", "0"));
  EXPECT_EQ(command.environment.at("POCL_MAX_PTHREAD_COUNT"), "2");
  EXPECT_EQ(command.environment.at("POCL_CACHE_DIR"), "/tmp/kernels/pocl");
}

TEST(Engine, TellsCudasDriverItsCache) {
  const EngineCommand command =
      (*engine_table().find("cuda"))->command({.cache = "/tmp/kernels", .device = 1});
  EXPECT_EQ(command.argv.back(), "1");
  EXPECT_EQ(command.environment.at("CUDA_CACHE_PATH"), "/tmp/kernels/cuda");
}

TEST(Engine, AsksOneDnnForItsOwnChoice) {
  const auto argv_of = [](const char* name) {
    return (*engine_table().find(name))->command({}).argv;
  };
  std::vector<std::string> words = argv_of("onednn");
  words.emplace_back("--default");
  EXPECT_EQ(argv_of("onednn-default"), words);
}

TEST(EngineOfCommand, StartsTheUsersProgramWithItsSettings) {
  const auto engine = engine_of_command("mine", {"/opt/mine", "--fast"});
  ASSERT_TRUE(engine) << to_text(engine.error());
  EXPECT_EQ(engine->name, "mine");
  EXPECT_EQ(engine->summary, "/opt/mine --fast");
  EXPECT_EQ(engine->unavailable(), std::nullopt);
  const EngineCommand command = engine->command({.cpus = {2},
                                                 .folder = "/tmp/run",
                                                 .command = {"/opt/mine", "--fast"},
                                                 .settings = {{"thread-pool.size", "3"}}});
  EXPECT_THAT(command.argv, ElementsAre("/opt/mine", "--fast"));
  EXPECT_EQ(command.environment.at("OPBENCH_SETTING_THREAD_POOL_SIZE"), "3");
  EXPECT_THAT(command.cpus, ElementsAre(2));
  const EngineCommand other = engine->command({.folder = "/tmp/run", .command = {"/opt/mine"}});
  EXPECT_NE(command.log, other.log) << "two engines, two logs";
}

TEST(EngineOfCommand, RefusesNamesAndCommandsThatCannotBe) {
  const auto taken = engine_of_command("halide", {"/opt/mine"});
  ASSERT_FALSE(taken);
  EXPECT_THAT(taken.error().message, HasSubstr("built-in"));
  for (const std::string name : {"", "my engine", "../x", "a/b"}) {
    const auto odd = engine_of_command(name, {"/opt/mine"});
    ASSERT_FALSE(odd) << name;
    EXPECT_EQ(odd.error().code, ErrorCode::kInvalidInput);
  }
  const auto empty = engine_of_command("mine", {});
  ASSERT_FALSE(empty);
  EXPECT_THAT(to_text(empty.error()), HasSubstr("[engine.mine] command"));
}

}  // namespace
}  // namespace opbench
