#include "experiments/regress/suite.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/files/file.h"

namespace opbench {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

Result<Suite> parse(const std::string& text) {
  return parse_suite(text, "/suites/nightly.toml", {"mine"});
}

std::string refusal(const std::string& text) {
  const auto suite = parse(text);
  return suite ? "" : to_text(suite.error());
}

TEST(Suite, HasDefaultsForAllButItsSubjects) {
  const auto suite = parse("models = [\"resnet-18\"]\n");
  ASSERT_TRUE(suite) << to_text(suite.error());
  EXPECT_EQ(suite->name, "nightly");
  EXPECT_EQ(suite->budget_s, 600);
  EXPECT_THAT(suite->models, ElementsAre("resnet-18"));
  EXPECT_THAT(suite->engines, ElementsAre("halide"));
  EXPECT_THAT(suite->controls, IsEmpty());
  EXPECT_THAT(suite->threads, ElementsAre(1));
  EXPECT_EQ(suite->cache, "hot");
  EXPECT_EQ(parse("models = \"resnet-18\"\ncheck = \"none\"\n")->check, "none");
}

TEST(Suite, ReadsAllItsKeys) {
  const auto suite = parse(
      "name = \"small\"\nbudget = \"1.5h\"\nworkloads = [\"softmax 4x8 axis=-1\"]\n"
      "engines = [\"halide\", \"mine\", \"onnxruntime\"]\nthreads = [1, 2]\n"
      "cache = \"cold-weights\"\n");
  ASSERT_TRUE(suite) << to_text(suite.error());
  EXPECT_EQ(suite->name, "small");
  EXPECT_EQ(suite->budget_s, 5400);
  EXPECT_THAT(suite->workloads, ElementsAre("softmax 4x8")) << "as canonical text";
  EXPECT_THAT(suite->controls, ElementsAre("onnxruntime"));
  EXPECT_EQ(parse("workloads = \"softmax 4x8\"\nbudget = 90\nthreads = 2\n")->budget_s, 90);
  EXPECT_EQ(parse("workloads = \"softmax 4x8\"\nbudget = \"15min\"\n")->budget_s, 900);
  EXPECT_THAT(
      parse("models = \"resnet-18\"\nengines = [\"onnxruntime\"]\ncontrols = []\n")->controls,
      IsEmpty());
}

TEST(Suite, PutsTheEnginesOfASubjectSideBySide) {
  const auto suite = parse(
      "models = [\"resnet-18\"]\nworkloads = [\"softmax 4x8\"]\n"
      "engines = [\"halide\", \"mine\"]\nthreads = [1, 2]\n");
  std::vector<std::string> texts;
  for (const SuiteCase& suite_case : cases_of(*suite)) texts.push_back(text_of(suite_case));
  EXPECT_THAT(texts,
              ElementsAre("resnet-18 · halide · 1 thread", "resnet-18 · mine · 1 thread",
                          "resnet-18 · halide · 2 threads", "resnet-18 · mine · 2 threads",
                          "softmax 4x8 · halide · 1 thread", "softmax 4x8 · mine · 1 thread",
                          "softmax 4x8 · halide · 2 threads", "softmax 4x8 · mine · 2 threads"));
  const auto request = request_of_case(*suite, cases_of(*suite).front(), 7);
  ASSERT_TRUE(request);
  EXPECT_TRUE(request->model.is_zoo);
  EXPECT_EQ(request->measure.budget_s, 7);
  EXPECT_EQ(request_of_case(*suite, cases_of(*suite).back(), 7)->model.workload, "softmax 4x8");
}

TEST(Suite, RefusesWhatIsWrongWithAGuess) {
  EXPECT_THAT(refusal("model = [\"resnet-18\"]\n"), HasSubstr("did you mean: models?"));
  EXPECT_THAT(refusal("\nmodels = [\"resnet-81\"]\n"), HasSubstr("did you mean: resnet-18?"));
  EXPECT_THAT(refusal("\nmodels = [\"resnet-81\"]\n"), HasSubstr("in: /suites/nightly.toml:2"));
  EXPECT_THAT(refusal("models = [\"none/here.onnx\"]\n"),
              HasSubstr("no file \"/suites/none/here.onnx\""));
  EXPECT_THAT(refusal("workloads = [\"softmaxx 4x8\"]\n"), HasSubstr("did you mean: softmax?"));
  EXPECT_THAT(refusal("models = \"resnet-18\"\nengines = [\"mien\"]\n"),
              HasSubstr("did you mean: mine?"));
  EXPECT_THAT(refusal("models = \"resnet-18\"\ncontrols = [\"onednn\"]\n"),
              HasSubstr("unknown engine of the suite \"onednn\""));
  EXPECT_THAT(refusal("models = \"resnet-18\"\ncache = \"cold\"\n"), HasSubstr("cold-all"));
  EXPECT_THAT(refusal("models = \"resnet-18\"\nbudget = \"soon\"\n"), HasSubstr("\"15m\""));
  EXPECT_THAT(refusal("models = \"resnet-18\"\nbudget = 0\n"), HasSubstr("\"15m\""));
  EXPECT_THAT(refusal("models = \"resnet-18\"\nthreads = [1, 1]\n"), HasSubstr("different"));
  EXPECT_THAT(refusal("models = \"resnet-18\"\nthreads = [0]\n"), HasSubstr("from 1 on"));
  EXPECT_THAT(refusal("models = \"resnet-18\"\nthreads = [1.5]\n"), HasSubstr("whole numbers"));
  EXPECT_THAT(refusal("models = [\"resnet-18\", \"resnet-18\"]\n"), HasSubstr("twice"));
  EXPECT_THAT(refusal("models = \"resnet-18\"\ncheck = \"onnxruntim\"\n"),
              HasSubstr("did you mean: onnxruntime?"));
  EXPECT_THAT(refusal("models = [1]\n"), HasSubstr("a list of texts"));
  EXPECT_THAT(refusal("name = \"two words\"\n"), HasSubstr("a word without blanks"));
  EXPECT_THAT(refusal("models = [\n"), HasSubstr("not TOML"));
}

TEST(Suite, GivesModelsToEnginesThatRunThem) {
  EXPECT_THAT(refusal("models = \"resnet-18\"\nengines = [\"halide\", \"onednn\"]\n"),
              HasSubstr("\"onednn\" runs single workloads, and the suite has models only"));
  const auto suite = parse_suite(
      "models = \"resnet-18\"\nworkloads = \"relu 1x4\"\nengines = [\"halide\", \"onednn\"]\n",
      "s.toml", {});
  ASSERT_TRUE(suite) << to_text(suite.error());
  std::vector<std::string> texts;
  for (const SuiteCase& suite_case : cases_of(*suite)) texts.push_back(text_of(suite_case));
  EXPECT_THAT(texts, ElementsAre("resnet-18 · halide · 1 thread", "relu 1x4 · halide · 1 thread",
                                 "relu 1x4 · onednn · 1 thread"));
}

TEST(Suite, RefusesAnEmptyOne) {
  EXPECT_THAT(refusal(""), HasSubstr("neither models nor workloads"));
  EXPECT_THAT(refusal("models = []\n"), HasSubstr("a list that is not empty"));
  EXPECT_THAT(refusal("engines = []\nmodels = \"resnet-18\"\n"),
              HasSubstr("a list that is not empty"));
  EXPECT_FALSE(read_suite("/none/here.toml", {}));
}

TEST(Suite, FindsFilesBesideIt) {
  const auto folder = TemporaryFolder::make();
  ASSERT_TRUE(write_file(folder->path() / "small.onnx", "x"));
  ASSERT_TRUE(write_file(folder->path() / "s.toml", "models = [\"small.onnx\"]\n"));
  const auto suite = read_suite(folder->path() / "s.toml", {});
  ASSERT_TRUE(suite) << to_text(suite.error());
  EXPECT_THAT(suite->models, ElementsAre((folder->path() / "small.onnx").string()));
}

TEST(Suite, MayWantNoFrozenControl) {
  EXPECT_TRUE(parse_suite("models = [\"resnet-18\"]", "s.toml", {})->freezes);
  EXPECT_FALSE(parse_suite("models = [\"resnet-18\"]\nfreeze = false", "s.toml", {})->freezes);
}

}  // namespace
}  // namespace opbench
