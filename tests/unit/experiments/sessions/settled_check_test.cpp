#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <limits>

#include "base/files/file.h"
#include "engines/protocol/tensor_files.h"
#include "experiments/sessions/check/check.h"
#include "experiments/sessions/check/run_check.h"
#include "experiments/sessions/model/model_source.h"
#include "model/judging/exact_values.h"
#include "model/passes/passes.h"

namespace opbench {
namespace {

using ::testing::HasSubstr;

constexpr float kInfinity = std::numeric_limits<float>::infinity();

/// A workload on four elements and an engine of the check whose values the test makes up.
class SettledCheck : public ::testing::Test {
 protected:
  SettledCheck() : folder_(std::move(*TemporaryFolder::make())) {}

  void set_up(const std::string& workload, const std::vector<float>& input) {
    ProfileRequest request;
    request.model.workload = workload;
    model_ = *load_model(request.model, request.measure, request.hooks);
    EXPECT_TRUE(infer_types(model_));
    x_ = Tensor::of<float>(DataType::kFloat32, {1, 4}, input);
    inputs_ = {{"x0", x_}};
    unit_.identity.workload = *parse_workload(workload);
    unit_.values.operands = {"x0"};
    unit_.values.output = "y";
    exact_ = exact_values(model_, {{"x0", x_}}, {"y"})->at("y");
  }

  Tensor exact_plus(double relative) const {
    Tensor result = Tensor::empty({DataType::kFloat32, exact_.type.shape});
    for (size_t i = 0; i < 4; ++i) {
      result.as<float>()[i] = static_cast<float>(exact_.as<double>()[i] * (1 + relative));
    }
    return result;
  }

  UnitCheck check(const Tensor& got, const Tensor& wanted) {
    ValueFiles values;
    const Json files = *write_tensors(folder_.path() / "wanted", {{"x0", x_}, {"y", wanted}});
    for (const Json& file : files) {
      values.add(file.at("name"), file);
    }
    const PreparationCall call = [&](const std::string&, const Json&, Seconds) -> Outcome<Json> {
      return Json{{"outputs", *write_tensors(folder_.path() / "got", {{"y", got}})}};
    };
    const Expected expected{.values = values,
                            .engine = "other",
                            .model = model_,
                            .inputs = inputs_,
                            .folder = folder_.path()};
    model_check_ = check_model(call, {unit_}, expected).result;
    return check_unit(call, Json(), unit_, expected);
  }

  TemporaryFolder folder_;
  Model model_;
  Tensor x_, exact_;
  NamedTensors inputs_;
  PreparedUnit unit_;
  CheckResult model_check_;
};

TEST_F(SettledCheck, ComputesReferencesInDoublePrecision) {
  set_up("sigmoid 1x4", {-11, -0.5F, 0, 3});
  ASSERT_EQ(exact_.type.data_type, DataType::kFloat64);
  EXPECT_NEAR(exact_.as<double>()[0], 1 / (1 + std::exp(11.0)), 1e-18);
}

TEST_F(SettledCheck, TakesTheSideThatAgreesWithDoublePrecision) {
  set_up("exp 1x4", {-1, 0, 1, 2});
  const UnitCheck right = check(exact_plus(1e-6), exact_plus(5e-3));
  EXPECT_FALSE(right.failure);
  EXPECT_TRUE(right.is_settled);
  ASSERT_EQ(right.wrong.size(), 1U);
  EXPECT_NEAR(right.wrong[0].error, 5e-3, 1e-5);
  EXPECT_TRUE(model_check_.passed);
  EXPECT_THAT(model_check_.reason, HasSubstr("1 output agrees with the exact reference where other "
                                             "does not; its \"y\" is off by 0.005 of"));
  const UnitCheck wrong = check(exact_plus(5e-3), exact_plus(1e-6));
  EXPECT_TRUE(wrong.failure);
  EXPECT_FALSE(model_check_.passed);
}

TEST_F(SettledCheck, DoesNotSettleWhatNoRoundingExplains) {
  set_up("exp 1x4", {-1, 0, 1, 2});
  EXPECT_TRUE(check(exact_plus(0), exact_plus(0.5)).failure);
}

TEST_F(SettledCheck, ForgivesRoundingsOfOperandsWhereResultsAreTiny) {
  set_up("sigmoid 1x4", {-11, -11.5F, -12, -12.5F});
  Tensor coarse = exact_plus(0);
  for (float& value : coarse.as<float>()) value += 6e-8F;  // half a rounding of 1
  EXPECT_FALSE(check(exact_plus(0), coarse).failure);
  EXPECT_TRUE(model_check_.passed);
  for (float& value : coarse.as<float>()) value = 0;
  EXPECT_TRUE(check(coarse, exact_plus(0)).failure);  // all of it is lost
}

TEST_F(SettledCheck, TakesEqualInfinitiesAndNaNAsEqual) {
  set_up("identity 1x4", {-kInfinity, kInfinity, std::nanf(""), 3});
  EXPECT_EQ(check(x_, x_).error, 0);
  Tensor other = x_;
  other.as<float>()[0] = kInfinity;
  EXPECT_THAT(check(other, x_).failure->text,
              HasSubstr("it has inf where the reference has -inf, at [0,0]"));
  other = x_;
  other.as<float>()[2] = 1;
  EXPECT_THAT(check(other, x_).failure->text, HasSubstr("it has 1 where the reference has nan"));
}

}  // namespace
}  // namespace opbench
