#include "measuring/sampling/audit.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <array>

#include "engines/protocol/tensor_files.h"
#include "measuring/results/sample_flags.h"

namespace opbench {
namespace {

using testing::HasSubstr;

/// Seconds that no machine needs to write a page of new memory.
constexpr double kLong = 100;

constexpr std::array kRight{1.0F, 2.0F, 3.0F, 4.0F};

/// An item whose call on [1, 2, 3, 4] gives the same again.
class AuditTest : public testing::Test {
 protected:
  AuditTest() : folder_(TemporaryFolder::make().value()) {
    const Json file = tensor_file("right", kRight);
    audit_ = {Json::array({file}).dump(), Json::array({file}).dump()};
  }

  Json tensor_file(const std::string& name, const std::array<float, 4>& values) {
    const Tensor tensor = Tensor::of<float>(DataType::kFloat32, {4}, values);
    return write_tensor(folder_.path() / (name + ".bin"), name, tensor).value();
  }

  static Json reply(const Json& output, double fresh_s) {
    return {{"samples", Json::array()},
            {"audit",
             {{"sample", {{"wall_s", fresh_s}, {"cpu_s", nullptr}}},
              {"outputs", Json::array({output})}}}};
  }

  const std::vector<Sample> hot_{{.wall_s = 1e-6}, {.wall_s = 2e-6}};
  TemporaryFolder folder_;
  Audit audit_;
};

TEST_F(AuditTest, ARightAndQuickCallIsWell) {
  const AuditLook look = look_at(reply(tensor_file("got", kRight), 1e-4), hot_, audit_);
  EXPECT_FALSE(look.failure);
  EXPECT_FALSE(look.doubt);
}

TEST_F(AuditTest, AnOutputThatIsWrongFails) {
  const AuditLook look = look_at(reply(tensor_file("got", {1, 2, 3, 5}), 1e-4), hot_, audit_);
  ASSERT_TRUE(look.failure);
  EXPECT_EQ(look.failure->kind, FailureKind::kWrongResult);
  EXPECT_THAT(look.failure->text, HasSubstr("it differs by 0.25 of the largest value"));
}

TEST_F(AuditTest, AnOutputThatNobodyWroteFails) {
  constexpr float kNothing = std::numeric_limits<float>::quiet_NaN();
  const Json got = tensor_file("got", {kNothing, kNothing, kNothing, kNothing});
  EXPECT_TRUE(look_at(reply(got, 1e-4), hot_, audit_).failure);
  EXPECT_TRUE(look_at(Json{{"audit", {{"sample", {{"wall_s", 1e-6}}}}}}, hot_, audit_).failure);
}

TEST_F(AuditTest, ACallThatColdInputsDoNotExplainIsDoubted) {
  const AuditLook look = look_at(reply(tensor_file("got", kRight), kLong), hot_, audit_);
  EXPECT_FALSE(look.failure);
  ASSERT_TRUE(look.doubt);
  EXPECT_THAT(look.doubt->text, HasSubstr("takes 1e+05 ms, and one on those before 0.001 ms"));
}

TEST_F(AuditTest, ACallThatWasSwitchedOutIsNotDoubted) {
  Json slow = reply(tensor_file("got", kRight), kLong);
  slow["audit"]["sample"]["involuntary_switches"] = 1;
  EXPECT_FALSE(look_at(slow, hot_, audit_).doubt);
}

TEST_F(AuditTest, ThreeDoubtsInTurnFail) {
  Auditor auditor(1);
  const Json slow = reply(tensor_file("got", kRight), kLong);
  const Json quick = reply(tensor_file("got", kRight), 1e-5);
  EXPECT_FALSE(auditor.judge(0, slow, hot_, 1, audit_));
  EXPECT_FALSE(auditor.judge(0, slow, hot_, 1, audit_));
  EXPECT_FALSE(auditor.judge(0, quick, hot_, 1, audit_)) << "one that is well clears it";
  EXPECT_FALSE(auditor.judge(0, slow, hot_, 1, audit_));
  EXPECT_FALSE(auditor.judge(0, slow, hot_, 1, audit_));
  EXPECT_FALSE(auditor.judge(1, slow, hot_, 1, audit_)) << "another item";
  EXPECT_TRUE(auditor.judge(0, slow, hot_, 1, audit_));
}

TEST_F(AuditTest, EachItemIsAuditedAmongItsFirstRequestsAndATenthLater) {
  constexpr int kRequests = 2000;
  Auditor auditor(7);
  int audited = 0;
  int first = kRequests;
  for (int i = 0; i < kRequests; ++i) {
    const Json request = auditor.request(0, 1, 5, audit_);
    Json answer = Json::object();
    if (!request.is_null()) {
      ++audited;
      first = std::min(first, i);
      EXPECT_GE(request.at("after"), 0);
      EXPECT_LE(request.at("after"), 5);
      answer = reply(tensor_file("got", kRight), 2e-6);
    }
    // A request is long beside what an audit costs.
    EXPECT_FALSE(auditor.judge(0, answer, hot_, request.is_null() ? 1 : 1e-4, audit_));
  }
  EXPECT_LT(first, 3);
  EXPECT_GT(audited, kRequests / 20);
  EXPECT_LT(audited, kRequests / 5);
}

TEST_F(AuditTest, AuditsEndWhereTheyCostMoreThanTheirShare) {
  Auditor auditor(7);
  int audited = 0;
  for (int i = 0; i < 500; ++i) {
    const Json request = auditor.request(0, 1, 5, audit_);
    audited += request.is_null() ? 0 : 1;
    const Json answer =
        request.is_null() ? Json::object() : reply(tensor_file("got", kRight), 2e-6);
    EXPECT_FALSE(auditor.judge(0, answer, hot_, request.is_null() ? 1e-4 : 1e-2, audit_));
  }
  EXPECT_LE(audited, 6) << "500 requests of 0.1 ms allow 0.5 ms, and one audit takes 10 ms";
}

TEST(FreshSample, HasItsFlagWhateverDisturbedIt) {
  const auto sample =
      fresh_sample({{"audit", {{"sample", {{"wall_s", 0.5}, {"involuntary_switches", 3}}}}}});
  ASSERT_TRUE(sample);
  EXPECT_EQ(flag_of(*sample, {}), kFreshFlag);
  EXPECT_FALSE(fresh_sample({{"samples", Json::array()}}));
}

}  // namespace
}  // namespace opbench
