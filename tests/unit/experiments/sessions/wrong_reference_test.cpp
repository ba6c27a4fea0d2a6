#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/files/file.h"
#include "engines/protocol/tensor_files.h"
#include "experiments/sessions/check/check.h"
#include "experiments/sessions/check/run_check.h"
#include "experiments/sessions/model/model_source.h"
#include "experiments/sessions/rows.h"
#include "model/passes/passes.h"

namespace opbench {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// A product of 8-bit integers whose sum an engine of the check has saturated: 64770 is 32767.
class WrongReference : public ::testing::Test {
 protected:
  WrongReference() : folder_(std::move(*TemporaryFolder::make())) {
    ProfileRequest request;
    request.model.workload = "matmul_integer 1x2:uint8 2x1:int8";
    model_ = *load_model(request.model, request.measure, request.hooks);
    EXPECT_TRUE(infer_types(model_));
    inputs_ = {
        {"x0", Tensor::of<uint8_t>(DataType::kUint8, {1, 2}, std::vector<uint8_t>{255, 255})},
        {"x1", Tensor::of<int8_t>(DataType::kInt8, {2, 1}, std::vector<int8_t>{127, 127})}};
    unit_.identity.workload = *parse_workload(request.model.workload);
    unit_.values.operands = {"x0", "x1"};
    unit_.values.output = "y";
    unit_.identity.nodes = {"n"};
  }

  static Tensor sum(int32_t value) {
    return Tensor::of<int32_t>(DataType::kInt32, {1, 1}, std::vector<int32_t>{value});
  }

  /// Checks an engine that gives `got` against one that gives `wanted`.
  UnitCheck check(const Tensor& got, const Tensor& wanted, std::set<std::string> wrong = {}) {
    NamedTensors values = inputs_;
    values.emplace_back("y", wanted);
    ValueFiles files;
    const Json written = *write_tensors(folder_.path() / "wanted", values);
    for (const Json& file : written) files.add(file.at("name"), file);
    const PreparationCall call = [&](const std::string&, const Json&, Seconds) -> Outcome<Json> {
      return Json{{"outputs", *write_tensors(folder_.path() / "got", {{"y", got}})}};
    };
    const Expected expected{.values = files,
                            .engine = "other",
                            .is_by_engine = true,
                            .wrong = std::move(wrong),
                            .model = model_,
                            .inputs = inputs_,
                            .folder = folder_.path()};
    model_check_ = check_model(call, {unit_}, expected);
    return check_unit(call, Json(), unit_, expected);
  }

  EngineRun engine_run(const std::string& engine) const {
    EngineRun engine_run;
    engine_run.asked.definition.name = engine_run.found.result.engine = engine;
    engine_run.built.units = {unit_};
    engine_run.built.groups = group_units(engine_run.built.units);
    engine_run.found.result.check = {
        .engine = "other", .max_relative_error = 0, .passed = true, .reason = ""};
    return engine_run;
  }

  TemporaryFolder folder_;
  Model model_;
  NamedTensors inputs_;
  PreparedUnit unit_;
  ModelCheck model_check_;
};

TEST_F(WrongReference, PassesTheRightSideInRowsAndModel) {
  const UnitCheck right = check(sum(64770), sum(32767));
  EXPECT_FALSE(right.failure);
  EXPECT_TRUE(right.is_settled);
  ASSERT_EQ(right.wrong.size(), 1U);
  EXPECT_EQ(right.wrong[0].key, "y from x0 x1");
  EXPECT_THAT(right.wrong[0].nodes, ElementsAre("n"));
  EXPECT_EQ(right.wrong[0].text,
            "off by 0.49 of the largest value: it has 32767 where the reference has 64770, "
            "at [0,0]");
  EXPECT_TRUE(model_check_.result.passed);
  EXPECT_EQ(model_check_.result.max_relative_error, 0);
  EXPECT_EQ(model_check_.result.reason,
            "1 output agrees with the exact reference where other does not; its \"y\" is " +
                right.wrong[0].text);
  EXPECT_THAT(model_check_.wrong[0].nodes, IsEmpty());
}

TEST_F(WrongReference, FailsTheSaturatingSideInRowsAndModel) {
  const UnitCheck wrong = check(sum(32767), sum(64770));
  ASSERT_TRUE(wrong.failure);
  EXPECT_EQ(wrong.failure->kind, FailureKind::kWrongResult);
  EXPECT_THAT(wrong.wrong, IsEmpty());
  EXPECT_FALSE(model_check_.result.passed);
}

TEST_F(WrongReference, FailsASecondEngineThatIsWrongInTheSameWay) {
  EXPECT_FALSE(check(sum(32767), sum(32767)).failure) << "nobody knows yet";
  const UnitCheck wrong = check(sum(32767), sum(32767), {"y from x0 x1", "y from "});
  EXPECT_TRUE(wrong.failure);
  EXPECT_FALSE(model_check_.result.passed);
}

TEST_F(WrongReference, FindsTheRunsThatAgreeWithIt) {
  std::vector<EngineRun> engine_runs = {engine_run("ours"), engine_run("theirs"),
                                        engine_run("other")};
  engine_runs[0].found.wrong = check(sum(64770), sum(32767)).wrong;
  EXPECT_THAT(wrong_keys(engine_runs), ElementsAre("y from x0 x1"));
  EXPECT_FALSE(agrees_at(engine_runs[0], wrong_keys(engine_runs)));
  EXPECT_TRUE(agrees_at(engine_runs[1], wrong_keys(engine_runs)));
  EXPECT_FALSE(agrees_at(engine_runs[1], {"z from x0"}));
  EXPECT_TRUE(agrees_at(engine_runs[1], {"z from "}))
      << "every engine_run makes the outputs of the model";
}

TEST_F(WrongReference, IsBlamedAndKeepsItsTimes) {
  std::vector<EngineRun> engine_runs = {engine_run("ours"), engine_run("other")};
  engine_runs[0].found.wrong = check(sum(64770), sum(32767)).wrong;
  Reference reference{.engine = "other", .values = {}, .exists = true, .reason = ""};
  blame_reference(engine_runs, reference);
  EXPECT_TRUE(engine_runs[0].found.result.check.passed);
  const CheckResult& check = engine_runs[1].found.result.check;
  EXPECT_FALSE(check.passed);
  EXPECT_GT(*check.max_relative_error, 0.49);
  EXPECT_THAT(check.reason, HasSubstr("the others are checked against it, and 1 of its values is "
                                      "wrong; \"y\" is off by 0.49 of the largest value"));
  EXPECT_TRUE(found_wrong(check));
  EXPECT_FALSE(is_refused("other", check));
  EXPECT_TRUE(is_refused("third", check));
  EXPECT_THAT(engine_runs[1].built.warnings,
              ElementsAre(HasSubstr("the results of other are wrong")));
  const UnitResult row = untimed_row(engine_runs[1], engine_runs[1].built.groups[0]);
  EXPECT_THAT(row.remark, HasSubstr("other is wrong here by exact arithmetic, off by 0.49"));
  EXPECT_EQ(untimed_row(engine_runs[0], engine_runs[0].built.groups[0]).remark, "");
}

TEST_F(WrongReference, IsNotBlamedForNothing) {
  std::vector<EngineRun> engine_runs = {engine_run("ours"), engine_run("other")};
  blame_reference(engine_runs, {.engine = "other", .values = {}, .exists = true, .reason = ""});
  EXPECT_TRUE(engine_runs[1].found.result.check.passed);
  EXPECT_THAT(engine_runs[1].built.warnings, IsEmpty());
}

}  // namespace
}  // namespace opbench
