// Models that ask for more time, memory or stack than a file of their size may.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <string>
#include <vector>

#include "base/files/file.h"
#include "model/graph/onnx_file.h"
#include "onnx_models.h"

namespace opbench {
namespace {

using test::add_attribute;
using test::add_node;
using test::add_tensor;
using test::empty_model;
using HostileModelsKind = onnx::AttributeProto;
using HostileModelsTypes = onnx::TensorProto;

Result<Model> hostile_models_parsed(const onnx::ModelProto& proto,
                                    const std::filesystem::path& folder = {}) {
  return parse_onnx(proto.SerializePartialAsString(), "m", folder);
}

std::string hostile_models_message_of(const Result<Model>& model) {
  return model ? "no error" : model.error().message;
}

/// `name`(x) = the body, twice in a row.
void add_twice(onnx::ModelProto& model, const std::string& name, const std::string& body) {
  onnx::FunctionProto& function = *model.add_functions();
  function.set_domain("f");
  function.set_name(name);
  function.add_input("a");
  function.add_output("c");
  for (const auto& [from, to] : {std::pair{"a", "b"}, std::pair{"b", "c"}}) {
    add_node(function.mutable_node(), body, {from}, {to}).set_domain(body == "Relu" ? "" : "f");
  }
}

TEST(HostileModel, FunctionsThatDoubleAtEveryDepthAreRefused) {
  onnx::ModelProto model = empty_model();
  for (int depth = 0; depth < 60; ++depth) {
    add_twice(model, fmt::format("F{}", depth),
              depth == 0 ? "Relu" : fmt::format("F{}", depth - 1));
  }
  add_node(model.mutable_graph()->mutable_node(), "F59", {"x"}, {"y"}).set_domain("f");
  EXPECT_EQ(hostile_models_message_of(hostile_models_parsed(model)),
            "the calls of functions make more than 1000000 nodes");
}

TEST(HostileModel, FunctionsWithoutNodesCountToo) {
  onnx::ModelProto model = empty_model();
  for (int depth = 0; depth < 60; ++depth) {
    add_twice(model, fmt::format("F{}", depth), fmt::format("F{}", depth - 1));
  }
  model.mutable_functions(0)->clear_node();
  add_node(model.mutable_graph()->mutable_node(), "F59", {"x"}, {"y"}).set_domain("f");
  EXPECT_EQ(hostile_models_message_of(hostile_models_parsed(model)),
            "the calls of functions make more than 1000000 nodes");
}

// Minutes, where each name is looked for from the first number on.
TEST(HostileModel, ManyCallsOfOneNameTakeLittleTime) {
  onnx::ModelProto model = empty_model();
  add_twice(model, "F", "Relu");
  constexpr int kCalls = 20000;
  for (int i = 0; i < kCalls; ++i) {
    const std::string from = i == 0 ? "x" : fmt::format("v{}", i);
    const std::string to = i + 1 == kCalls ? "y" : fmt::format("v{}", i + 1);
    onnx::NodeProto& node = add_node(model.mutable_graph()->mutable_node(), "F", {from}, {to});
    node.set_domain("f");
    node.set_name("call");
  }
  const auto read = hostile_models_parsed(model);
  ASSERT_TRUE(read) << hostile_models_message_of(read);
  EXPECT_EQ(read->graph.nodes.size(), 2 * kCalls);
}

TEST(HostileModel, ALongCycleIsNamed) {
  onnx::ModelProto model = empty_model();
  constexpr int kNodes = 50000;
  auto* nodes = model.mutable_graph()->mutable_node();
  for (int i = 0; i < kNodes; ++i) {
    add_node(nodes, "Relu", {fmt::format("v{}", i)}, {fmt::format("v{}", (i + 1) % kNodes)});
  }
  model.mutable_graph()->mutable_output(0)->set_name("v0");
  EXPECT_EQ(hostile_models_message_of(hostile_models_parsed(model)),
            "the node \"v1\" (Relu) waits for its own result");
}

/// An If inside an If, so many of them.
onnx::ModelProto nested(int depth) {
  onnx::ModelProto model = empty_model();
  onnx::GraphProto* graph = model.mutable_graph();
  test::add_value(*graph->add_input(), "c", {});
  for (int i = 0; i < depth; ++i) {
    onnx::NodeProto& node = add_node(graph->mutable_node(), "If", {"c"}, {"y"});
    graph = add_attribute(node, "then_branch", HostileModelsKind::GRAPH).mutable_g();
    test::add_value(*graph->add_output(), "y", {2});
  }
  add_node(graph->mutable_node(), "Relu", {"x"}, {"y"});
  return model;
}

TEST(HostileModel, SubgraphsMayBeInsideEachOtherToADepth) {
  EXPECT_TRUE(hostile_models_parsed(nested(20)));
  for (const int depth : {100, 2000}) {
    // libprotobuf writes what it would not read.
    EXPECT_EQ(hostile_models_message_of(hostile_models_parsed(nested(depth))),
              "a node is damaged, nested too deeply, or beyond 2 GiB");
  }
}

TEST(HostileModel, ExtentsBesideAZeroMustFitToo) {
  onnx::ModelProto model = empty_model();
  add_tensor(model, "w", HostileModelsTypes::FLOAT, {int64_t{1} << 50, 0, int64_t{1} << 50});
  EXPECT_EQ(hostile_models_message_of(hostile_models_parsed(model)),
            "tensor \"w\" has more elements than fit in memory");
}

class HostileData : public testing::Test {
 protected:
  /// The error of a model whose tensor w[4] lies in a file.
  std::string refusal(const std::string& file, int64_t offset = 0) {
    onnx::ModelProto model = empty_model();
    onnx::TensorProto& tensor = add_tensor(model, "w", HostileModelsTypes::FLOAT, {4});
    tensor.set_data_location(HostileModelsTypes::EXTERNAL);
    for (const auto& [key, value] :
         {std::pair{"location", file}, std::pair{"offset", std::to_string(offset)}}) {
      onnx::StringStringEntryProto& entry = *tensor.add_external_data();
      entry.set_key(key);
      entry.set_value(value);
    }
    add_node(model.mutable_graph()->mutable_node(), "Relu", {"x"}, {"y"});
    return hostile_models_message_of(hostile_models_parsed(model, folder_->path()));
  }
  std::string path(const char* name) const { return (folder_->path() / name).string(); }

  Result<TemporaryFolder> folder_ = TemporaryFolder::make();
};

TEST_F(HostileData, ThatIsNoFileIsNotWaitedFor) {
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  EXPECT_EQ(refusal("pipe"),
            fmt::format("tensor \"w\" has its data in \"{}\", which is no file", path("pipe")));
  std::filesystem::create_directory(path("folder"));
  EXPECT_EQ(refusal("folder"),
            fmt::format("tensor \"w\" has its data in \"{}\", which is no file", path("folder")));
}

TEST_F(HostileData, MayLieFarInAFileWithHoles) {
  constexpr int64_t kBytes = int64_t{3} << 30;
  ASSERT_TRUE(write_file(path("large"), ""));
  ASSERT_EQ(::truncate(path("large").c_str(), kBytes), 0);
  EXPECT_EQ(refusal("large", kBytes - 16), "no error");
  EXPECT_EQ(refusal("large", kBytes - 15),
            fmt::format("tensor \"w\" needs bytes {} to {} of \"{}\", which has {}", kBytes - 15,
                        kBytes + 1, path("large"), kBytes));
  EXPECT_EQ(refusal("large", INT64_MAX).substr(0, 22), "tensor \"w\" needs bytes");
}

TEST_F(HostileData, IsNotLookedForElsewhere) {
  for (const char* file : {"../large", "/etc/passwd", "a/../../large"}) {
    EXPECT_EQ(
        refusal(file),
        fmt::format("tensor \"w\" has external data outside the model's folder: \"{}\"", file));
  }
}

}  // namespace
}  // namespace opbench
