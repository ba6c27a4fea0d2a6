#include "experiments/sessions/check/check.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <limits>

#include "base/files/file.h"
#include "base/tensors/half.h"
#include "engines/protocol/tensor_files.h"
#include "experiments/sessions/engine_run.h"
#include "experiments/sessions/make_engine_run.h"
#include "experiments/sessions/model/model_source.h"
#include "experiments/sessions/request/profile_request.h"
#include "model/passes/passes.h"

namespace opbench {
namespace {

using ::testing::HasSubstr;

/// A model of one unit with its reference values.
class Check : public ::testing::Test {
 protected:
  Check() : folder_(std::move(*TemporaryFolder::make())) {
    request_.model.workload = "add 1x4 w:4; relu";
    model_ = *load_model(request_.model, request_.measure, request_.hooks);
    EXPECT_TRUE(infer_types(model_));
    EngineOptions options;
    options.folder = folder_.path();
    inputs_ = *input_tensors(request_.model, model_);
    auto values = compute_references(model_, inputs_, {"x0", "y", "unknown"}, options);
    EXPECT_TRUE(values) << to_text(values.error());
    reference_ = std::move(*values);
    unit_.identity.workload = *parse_workload(request_.model.workload);
    unit_.values.operands = {"x0", "x1"};
    unit_.values.output = "y";
  }

  /// An engine that answers every request so.
  static PreparationCall answering(Outcome<Json> reply) {
    return [reply](const std::string&, const Json&, Seconds) { return reply; };
  }

  Outcome<Json> with_output(const Tensor& tensor) {
    return Json{{"outputs", *write_tensors(folder_.path() / "given", {{"y", tensor}})}};
  }

  Expected expected() const {
    return {.values = reference_,
            .engine = "other",
            .model = model_,
            .inputs = inputs_,
            .folder = folder_.path()};
  }

  UnitCheck check(const PreparationCall& call) {
    return check_unit(call, Json(), unit_, expected());
  }

  TemporaryFolder folder_;
  ProfileRequest request_;
  RequestedModel model_;
  NamedTensors inputs_;
  ValueFiles reference_;
  PreparedUnit unit_;
};

TEST_F(Check, ComputesReferenceValues) {
  EXPECT_TRUE(reference_.contains("x0"));
  EXPECT_FALSE(reference_.contains("unknown"));
  const auto x = reference_.tensor("x0");
  const auto y = reference_.tensor("y");
  ASSERT_TRUE(x && y);
  const auto w = model_.graph.constants.at("x1").as<float>();
  for (size_t i = 0; i < 4; ++i) {
    EXPECT_FLOAT_EQ(y->as<float>()[i], std::max(0.0F, x->as<float>()[i] + w[i]));
  }
}

TEST_F(Check, PassesARightUnitAndFailsAWrongOne) {
  Tensor y = *reference_.tensor("y");
  const UnitCheck right = check(answering(with_output(y)));
  EXPECT_FALSE(right.failure);
  EXPECT_EQ(right.error, 0);
  y.as<float>()[1] += 1;
  const UnitCheck wrong = check(answering(with_output(y)));
  ASSERT_TRUE(wrong.failure);
  EXPECT_EQ(wrong.failure->kind, FailureKind::kWrongResult);
  y.as<float>()[1] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_TRUE(check(answering(with_output(y))).failure);
}

TEST_F(Check, HandsOverTheOperandsThatAreNotWeights) {
  Json seen;
  check([&](const std::string& method, const Json& params, Seconds limit) -> Outcome<Json> {
    EXPECT_EQ(method, "run");
    EXPECT_GT(limit.count(), 1);
    seen = params;
    return tl::make_unexpected(Failure{FailureKind::kRunTimeout, "slow"});
  });
  ASSERT_EQ(seen["inputs"].size(), 1);
  EXPECT_EQ(seen["inputs"][0]["name"], "x0");
}

TEST_F(Check, BearsAnyReply) {
  const std::vector<std::string> replies = {R"({})",
                                            R"({"outputs": null})",
                                            R"({"outputs": []})",
                                            R"({"outputs": [3]})",
                                            R"({"outputs": [{"name": "y"}]})",
                                            R"([1])"};
  for (const std::string& reply : replies) {
    const UnitCheck unit = check(answering(Json::parse(reply)));
    ASSERT_TRUE(unit.failure) << reply;
    EXPECT_EQ(unit.failure->kind, FailureKind::kRunError);
    const CheckResult model =
        check_model(answering(Json::parse(reply)), {unit_}, expected()).result;
    EXPECT_FALSE(model.passed) << reply;
    EXPECT_NE(model.reason, "") << reply;
  }
}

TEST_F(Check, JudgesNothingWithoutReferenceValues) {
  unit_.values.output = "other";
  EXPECT_FALSE(check(answering(Json::object())).error);
  unit_.values.output = "y";
  unit_.values.operands[0] = "other";
  EXPECT_FALSE(check(answering(Json::object())).error);
}

TEST_F(Check, ComparesAModelsOutputs) {
  Tensor y = *reference_.tensor("y");
  const auto judged = [&] {
    return check_model(answering(with_output(y)), {unit_}, expected()).result;
  };
  EXPECT_TRUE(judged().passed);
  std::ranges::reverse(y.as<float>());
  y.as<float>()[0] += 0.5F;
  EXPECT_FALSE(judged().passed);
  EXPECT_THAT(judged().reason, HasSubstr("\"y\""));
}

/// The same unit, of a model in binary16 whose kernels compute in float32.
TEST(CheckOfHalves, HandsOverFloatsAndRoundsResults) {
  const TemporaryFolder folder = std::move(*TemporaryFolder::make());
  ProfileRequest request;
  request.model.workload = "add 1x4:float16 w:4:float16; relu";
  RequestedModel model = *load_model(request.model, request.measure, request.hooks);
  ASSERT_TRUE(infer_types(model));
  const NamedTensors inputs = *input_tensors(request.model, model);
  EngineOptions options;
  options.folder = folder.path();
  const auto reference = compute_references(model, inputs, {"x0", "y"}, options);
  ASSERT_TRUE(reference) << to_text(reference.error());
  PreparedUnit unit;
  unit.identity.workload = *parse_workload("add 1x4 w:4; relu");
  unit.values.operands = {"x0", "x1"};
  unit.values.output = "y";
  const Expected expected{.values = *reference,
                          .engine = "other",
                          .model = model,
                          .inputs = inputs,
                          .folder = folder.path()};
  Tensor seen;
  const auto adding = [&](float more) {
    return [&, more](const std::string&, const Json& params, Seconds) -> Outcome<Json> {
      seen = *read_tensor(params["inputs"][0]);
      Tensor y = Tensor::empty(seen.type);
      for (size_t i = 0; i < 4; ++i) {
        const float w = model.graph.constants.at("x1").as<Float16>()[i];
        y.as<float>()[i] = std::max(0.0F, seen.as<float>()[i] + w) + more;
      }
      return Json{{"outputs", *write_tensors(folder.path() / "given", {{"y", y}})}};
    };
  };
  const UnitCheck right = check_unit(adding(0), Json(), unit, expected);
  EXPECT_EQ(seen.type, (TensorType{DataType::kFloat32, {1, 4}}));
  EXPECT_FALSE(right.failure) << to_text(*right.failure);
  EXPECT_EQ(right.error, 0) << "rounded as the model rounds";
  EXPECT_TRUE(check_unit(adding(1), Json(), unit, expected).failure);
}

std::optional<std::string> always() { return std::nullopt; }
EngineCommand no_command(const EngineOptions&) { return {{"/bin/false"}, {}, {}, {}}; }

Result<PreparedModel> three_units(const Model&, const EngineOptions&) {
  PreparedModel prepared{"package", "/nowhere", {}, {"careful"}};
  for (const int block : {0, 16, 0}) {
    PreparedUnit unit;
    unit.id = static_cast<int>(prepared.units.size());
    unit.identity.workload = *parse_workload("relu 1x64x2x2");
    unit.identity.schedule = "elementwise";
    unit.identity.blocks = {block, block};
    prepared.units.push_back(std::move(unit));
  }
  return prepared;
}

TEST_F(Check, GroupsEqualUnitsOfARun) {
  const EngineDef engine{.name = "made",
                         .follows_cpu_cap = true,  // no warning of it on an older CPU
                         .unavailable = always,
                         .command = no_command,
                         .prepare_model = three_units};
  Json files = Json::array();
  request_.measure.inject_fault = "x=crash";
  const Variant variant;
  const RunInputs inputs{.spec = request_.model,
                         .variant = variant,
                         .measure = request_.measure,
                         .hooks = request_.hooks,
                         .model = model_,
                         .inputs = {},
                         .input_files = files,
                         .folder = folder_.path()};
  const auto engine_run = make_engine_run(engine, {.threads = 2}, inputs);
  ASSERT_TRUE(engine_run) << to_text(engine_run.error());
  ASSERT_EQ(engine_run->built.groups.size(), 2);
  EXPECT_EQ(engine_run->built.groups[0].members, (std::vector<size_t>{0, 2}));
  EXPECT_EQ(engine_run->built.groups[1].unit_id, 1);
  EXPECT_EQ(engine_run->built.warnings, std::vector<std::string>{"careful"});
  EXPECT_EQ(engine_run->found.result.threads, 2);
}

}  // namespace
}  // namespace opbench
