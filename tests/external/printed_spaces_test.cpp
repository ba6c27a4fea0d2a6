#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "external_data.h"
#include "network_tasks.h"

/// Spaces come out as TVM printed them.
namespace opbench {
namespace {

class PrintedSpaces : public testing::TestWithParam<const char*> {};

TEST_P(PrintedSpaces, AreThoseOfTvm) {
  const std::string network = GetParam();
  const auto path = test::external_data() / "opbench/space" / (network + ".txt");
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "no " << path;
  std::ostringstream wanted;
  wanted << std::ifstream(path).rdbuf();
  const bool is_cuda = network.ends_with("cuda");
  const auto tasks = network == "resnet-18-llvm"   ? test::resnet18_llvm()
                     : network == "resnet-18-cuda" ? test::resnet18_cuda()
                     : network == "bert-llvm"      ? test::bert_llvm()
                                                   : test::lstm_llvm();
  std::string text;
  for (const test::Named& task : tasks) {
    text += printed(test::space_of_task(task.name, task.arguments, is_cuda ? "cuda" : "llvm"));
  }
  EXPECT_EQ(text, wanted.str());
}

INSTANTIATE_TEST_SUITE_P(Networks, PrintedSpaces,
                         testing::Values("resnet-18-llvm", "resnet-18-cuda", "bert-llvm",
                                         "lstm-llvm"));

}  // namespace
}  // namespace opbench
