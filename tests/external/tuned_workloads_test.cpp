#include <nlohmann/json.hpp>

#include <fstream>
#include <set>

#include "external_data.h"
#include "machine/target/parse_target.h"
#include "zoo_tasks.h"

namespace opbench {
namespace {

using Json = nlohmann::json;

Json json_of(const Argument& argument) {
  Json items = Json::array();
  for (const Argument& item : argument.items) items.push_back(json_of(item));
  switch (argument.kind) {
    case ArgumentKind::kTensor:
      return Json::array({"TENSOR", items, argument.text});
    case ArgumentKind::kTuple:
      return items;
    case ArgumentKind::kString:
      return argument.text;
    case ArgumentKind::kInt:
      return argument.integer;
    default:
      return nullptr;
  }
}

/// The arguments of all rows whose task begins with one of the names.
std::set<std::string> tuned(const std::string& file, const std::vector<std::string>& names) {
  std::ifstream log(test::external_data() / "tophub" / file);
  EXPECT_TRUE(log) << file;
  std::set<std::string> result;
  for (std::string line; std::getline(log, line);) {
    const Json row = Json::parse(line, nullptr, false);
    if (!row.is_object() || !row.contains("input")) continue;
    const std::string name = row["input"][1];
    const bool is_wanted = std::ranges::any_of(
        names, [&](const std::string& wanted) { return name.starts_with(wanted); });
    if (is_wanted) result.insert(row["input"][2].dump());
  }
  return result;
}

struct TunedWorkloadsCase {
  std::string target;
  std::string log;
  std::vector<std::string> models;
};

class TunedWorkloads : public testing::TestWithParam<TunedWorkloadsCase> {};

// Logs of others, tuned on the same networks, know every convolution that is found here (of direct
// and winograd they keep the faster one).
TEST_P(TunedWorkloads, HoldEveryConvolution) {
  const std::vector<std::string> names = {"conv2d_nchw", "conv2d_packed", "depthwise_conv2d_nchw"};
  const std::set<std::string> known = tuned(GetParam().log, names);
  const Target target = parse_target(GetParam().target).value();
  for (const std::string& model : GetParam().models) {
    size_t count = 0;
    for (const Task& task : extract_tasks(zoo_model(model), target)) {
      const bool is_convolution = std::ranges::any_of(
          names, [&](const std::string& name) { return task.name.starts_with(name); });
      if (!is_convolution) continue;
      Json arguments = Json::array();
      for (const Argument& argument : task.arguments) arguments.push_back(json_of(argument));
      EXPECT_TRUE(known.contains(arguments.dump())) << model << ": " << brief(task);
      ++count;
    }
    EXPECT_GE(count, 9U) << model;
  }
}

INSTANTIATE_TEST_SUITE_P(
    TopHub, TunedWorkloads,
    testing::Values(
        TunedWorkloadsCase{"cuda",
                           "cuda_v0.10.log",
                           {"resnet-18", "resnet-50", "resnet50-v1", "inception_v3", "densenet-121",
                            "vgg-16", "mobilenet", "mobilenet_v2"}},
        TunedWorkloadsCase{"llvm -device=arm_cpu",
                           "arm_cpu_v0.08.log",
                           {"resnet-18", "squeezenet_v1.1", "inception_v3", "mobilenet"}},
        TunedWorkloadsCase{"ext_dev -keys=vta,cpu -device=vta -model=pynq_1x16_i8w8a32_15_15_18_17",
                           "vta_v0.10.log",
                           {"resnet-18", "resnet50-v1"}}),
    [](const auto& log) { return log.param.log.substr(0, log.param.log.find("_v0")); });

}  // namespace
}  // namespace opbench
