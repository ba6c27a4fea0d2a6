#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/files/file.h"
#include "experiments/verify/verify_run.h"
#include "model/graph/onnx_file.h"
#include "onnx_models.h"

namespace opbench {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

/// A tensor as a .npy file of format 1.0.
std::string npy(const std::string& type, const std::string& shape, std::string_view values) {
  std::string header =
      "{'descr': '" + type + "', 'fortran_order': False, 'shape': " + shape + ", }";
  header.resize(117, ' ');
  header += '\n';
  return std::string("\x93NUMPY\x01\x00\x76\x00", 10) + header + std::string(values);
}

std::string float_file(const std::string& shape, const std::vector<float>& values) {
  return npy("<f4", shape, {reinterpret_cast<const char*>(values.data()), values.size() * 4});
}

std::string integer_file(const std::string& shape, const std::vector<int64_t>& values) {
  return npy("<i8", shape, {reinterpret_cast<const char*>(values.data()), values.size() * 8});
}

/// y = x * w, where the initialiser w = 0, 0 is an input too.
std::string model_with_default() {
  onnx::ModelProto model = test::empty_model();
  test::add_value(*model.mutable_graph()->add_input(), "w", {2});
  onnx::TensorProto& w = test::add_tensor(model, "w", onnx::TensorProto::FLOAT, {2});
  w.add_float_data(0);
  w.add_float_data(0);
  test::add_node(model.mutable_graph()->mutable_node(), "Mul", {"x", "w"}, {"y"});
  return model.SerializeAsString();
}

/// Folders of cases below one folder.
class Verify : public ::testing::Test {
 protected:
  Verify() : folder_(std::move(*TemporaryFolder::make())) {}

  void write(const std::string& path, const std::string& text) {
    fs::create_directories((folder_.path() / path).parent_path());
    ASSERT_TRUE(write_file(folder_.path() / path, text));
  }

  void write_model(const std::string& path, std::vector<Node> nodes, std::vector<Value> inputs) {
    Model model;
    model.name = "case";
    model.opset = 17;
    model.ir_version = 8;
    model.graph.nodes = std::move(nodes);
    model.graph.inputs = std::move(inputs);
    model.graph.outputs = {{"y", DataType::kFloat32, false, {}}};
    fs::create_directories((folder_.path() / path).parent_path());
    ASSERT_TRUE(write_onnx(model, folder_.path() / path));
  }

  /// `relu` of two numbers; the file says that `expected` comes out.
  void write_relu(const std::string& name, const std::vector<float>& expected) {
    const Value x{"x", DataType::kFloat32, true, {{-1, "n"}}};
    write_model(name + "/model.onnx", {{"y", "Relu", "", {"x"}, {"y"}, {}}}, {x});
    write(name + "/test_data_set_0/input_0.npy", float_file("(2,)", {-1, 2}));
    write(name + "/test_data_set_0/output_0.npy", float_file("(2,)", expected));
  }

  VerifyResult verified(const std::vector<fs::path>& paths) {
    const auto cases = find_cases(paths);
    EXPECT_TRUE(cases) << to_text(cases.error());
    if (!cases) return {};
    const auto result = run_verify({.cases = *cases, .engines = {"reference"}});
    EXPECT_TRUE(result) << to_text(result.error());
    return result.value_or(VerifyResult{});
  }

  TemporaryFolder folder_;
};

TEST_F(Verify, TellsRightFromWrongAndGoesOn) {
  write_relu("b/right", {0, 2});
  write_relu("a/wrong", {0, 3});
  const VerifyResult result = verified({folder_.path()});
  ASSERT_EQ(result.cases.size(), 2);
  EXPECT_EQ(result.cases[0].name, "a/wrong");
  EXPECT_EQ(result.cases[0].outcome, CaseOutcome::kWrong);
  EXPECT_EQ(result.cases[0].reason, "\"y\" differs by 0.33 of its largest value");
  EXPECT_EQ(result.cases[1].name, "b/right");
  EXPECT_EQ(result.cases[1].outcome, CaseOutcome::kPassed);
  EXPECT_EQ(result.cases[1].max_relative_error, 0);
}

TEST_F(Verify, TakesAModelAndItsDataFolder) {
  write_relu("right", {0, 2});
  write("other/input_0.npy", float_file("(3,)", {1, -1, 1}));
  write("other/output_0.npy", float_file("(3,)", {1, 0, 1}));
  const fs::path model = folder_.path() / "right/model.onnx";
  EXPECT_EQ(verified({model}).cases.size(), 1) << "the data set beside it";
  const VerifyResult result = verified({model, folder_.path() / "other"});
  ASSERT_EQ(result.cases.size(), 1);
  EXPECT_EQ(result.cases[0].outcome, CaseOutcome::kPassed) << "another extent than the other data";
}

TEST_F(Verify, NamesDataSetsWhereThereAreSeveral) {
  write_relu("case", {0, 2});
  write("case/test_data_set_1/input_0.npy", float_file("(1,)", {4}));
  write("case/test_data_set_1/output_0.npy", float_file("(1,)", {4}));
  const VerifyResult result = verified({folder_.path()});
  ASSERT_EQ(result.cases.size(), 2);
  EXPECT_EQ(result.cases[1].name, "case/test_data_set_1");
}

TEST_F(Verify, KnowsParametersBeforeTheRun) {
  write_model(
      "reshape/model.onnx", {{"y", "Reshape", "", {"x", "shape"}, {"y"}, {}}},
      {{"x", DataType::kFloat32, true, {{4, ""}}}, {"shape", DataType::kInt64, true, {{2, ""}}}});
  write("reshape/test_data_set_0/input_0.npy", float_file("(4,)", {1, 2, 3, 4}));
  write("reshape/test_data_set_0/input_1.npy", integer_file("(2,)", {2, -1}));
  write("reshape/test_data_set_0/output_0.npy", float_file("(2, 2)", {1, 2, 3, 4}));
  const VerifyResult result = verified({folder_.path()});
  ASSERT_EQ(result.cases.size(), 1);
  EXPECT_EQ(result.cases[0].outcome, CaseOutcome::kPassed) << result.cases[0].reason;
}

TEST_F(Verify, SaysWhatItDoesNotSupport) {
  write_model("blur/model.onnx", {{"y", "Blur", "", {"x"}, {"y"}, {}}},
              {{"x", DataType::kFloat32, true, {{1, ""}}}});
  write("blur/test_data_set_0/input_0.npy", float_file("(1,)", {1}));
  write("blur/test_data_set_0/output_0.npy", float_file("(1,)", {1}));
  const VerifyResult result = verified({folder_.path()});
  ASSERT_EQ(result.cases.size(), 1);
  EXPECT_EQ(result.cases[0].outcome, CaseOutcome::kUnsupported);
  EXPECT_THAT(result.cases[0].reason, HasSubstr("Blur"));
}

TEST_F(Verify, GivesDefaultsTheValuesOfTheirFiles) {
  write("default/model.onnx", model_with_default());
  write("default/test_data_set_0/input_0.npy", float_file("(2,)", {1, 2}));
  write("default/test_data_set_0/input_1.npy", float_file("(2,)", {3, 4}));
  write("default/test_data_set_0/output_0.npy", float_file("(2,)", {3, 8}));
  const VerifyResult result = verified({folder_.path()});
  ASSERT_EQ(result.cases.size(), 1);
  EXPECT_EQ(result.cases[0].outcome, CaseOutcome::kPassed) << result.cases[0].reason;
}

TEST_F(Verify, RefusesValuesThatDoNotFitTheModel) {
  write_relu("case", {0, 2});
  write("case/test_data_set_0/input_1.npy", float_file("(1,)", {1}));
  const VerifyResult result = verified({folder_.path()});
  ASSERT_EQ(result.cases.size(), 1);
  EXPECT_EQ(result.cases[0].reason, "2 files of inputs for a model of 1");
}

TEST_F(Verify, RefusesPathsWithoutCases) {
  const auto nothing = find_cases({folder_.path()});
  ASSERT_FALSE(nothing);
  EXPECT_THAT(nothing.error().message, HasSubstr("holds no expected outputs"));
  const auto missing = find_cases({folder_.path() / "none"});
  ASSERT_FALSE(missing);
  EXPECT_THAT(missing.error().message, HasSubstr("does not exist"));
}

TEST_F(Verify, RefusesAnUnknownEngine) {
  write_relu("case", {0, 2});
  const auto cases = find_cases({folder_.path()});
  ASSERT_TRUE(cases);
  const auto result = run_verify({.cases = *cases, .engines = {"halid"}});
  ASSERT_FALSE(result);
  EXPECT_THAT(to_text(result.error()), HasSubstr("halide"));
}

}  // namespace
}  // namespace opbench
