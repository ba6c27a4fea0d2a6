#include "experiments/sessions/run_code.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace opbench {
namespace {

/// An engine run of three units, the first two of which are one row.
class RunCode : public ::testing::Test {
 protected:
  RunCode() {
    model_.sha256 = "abc";
    engine_run_.asked.definition.injects_faults = true;
    for (int id = 0; id < 3; ++id) {
      engine_run_.built.units.push_back({.id = id, .code_hash = "u" + std::to_string(id)});
    }
    engine_run_.built.groups = {{.members = {0, 1}}, {.members = {2}}};
  }

  void note(const std::string& program, const std::string& fault = "") {
    measure_.inject_fault = fault;
    note_program(program,
                 {.spec = spec_,
                  .variant = variant_,
                  .measure = measure_,
                  .hooks = hooks_,
                  .model = model_,
                  .inputs = {},
                  .input_files = files_,
                  .folder = {}},
                 engine_run_);
  }

  /// Of the model, then of the rows.
  std::vector<std::string> hashes(const std::string& engine) {
    engine_run_.built.engine_hash = engine;
    engine_run_.found.result.units.assign(2, {});
    for (size_t i = 0; i < 2; ++i) {
      engine_run_.found.result.units[i].code_hash =
          code_of_group(engine_run_, engine_run_.built.groups[i]);
    }
    finish_code_hashes(engine_run_);
    return {engine_run_.found.result.code_hash, engine_run_.found.result.units[0].code_hash,
            engine_run_.found.result.units[1].code_hash};
  }

  ModelSpec spec_;
  Variant variant_;
  MeasureOptions measure_;
  RunHooks hooks_;
  Model model_;
  Json files_;
  EngineRun engine_run_;
};

TEST_F(RunCode, HoldsTheEngineAndThePartOfTheProgram) {
  note("p");
  const auto first = hashes("e1");
  for (const std::string& hash : first) EXPECT_EQ(hash.size(), 64U);
  EXPECT_NE(first[1], first[2]);
  EXPECT_EQ(hashes("e1"), first);
  const auto other = hashes("e2");
  for (size_t i = 0; i < 3; ++i) EXPECT_NE(other[i], first[i]);
  engine_run_.built.units[1].code_hash = "changed";
  const auto changed = hashes("e1");
  EXPECT_NE(changed[1], first[1]) << "all units of a row count";
  EXPECT_EQ(changed[2], first[2]);
  EXPECT_EQ(hashes(""), (std::vector<std::string>(3))) << "not known";
}

TEST_F(RunCode, HoldsAFaultOfItsUnit) {
  note("p");
  const auto plain = hashes("e");
  note("p", "2=slow-1ms");
  const auto slow = hashes("e");
  EXPECT_NE(slow[0], plain[0]);
  EXPECT_EQ(slow[1], plain[1]);
  EXPECT_NE(slow[2], plain[2]);
}

TEST_F(RunCode, IsTheModelsWhereTheEngineMakesItsOwnProgram) {
  for (PreparedUnit& unit : engine_run_.built.units) unit.code_hash.clear();
  note("");
  const auto first = hashes("e");
  EXPECT_EQ(first[1], first[0]);
  model_.sha256 = "abd";
  note("");
  EXPECT_NE(hashes("e")[0], first[0]);
}

}  // namespace
}  // namespace opbench
