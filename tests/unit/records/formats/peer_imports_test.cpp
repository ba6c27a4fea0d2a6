#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "base/files/file.h"
#include "records/formats/codec.h"
#include "records/json/odd_number.h"
#include "records/record/own_workload.h"
#include "records/record/record_validation.h"

namespace opbench {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pointwise;
using testing::SizeIs;
using testing::StartsWith;

struct PeerImport {
  std::string format;
  std::vector<BenchmarkRecord> records;
  std::vector<std::string> codes;
  std::vector<std::string> errors;  ///< `line:column code field: message`
};

PeerImport read_peer(const std::string& path) {
  PeerImport result;
  const auto file = open_records(path);
  EXPECT_TRUE(file) << to_text(file.error());
  if (!file) return result;
  if (file->codec != nullptr) result.format = file->codec->name;
  while (file->reader) {
    const auto item = file->reader->next();
    EXPECT_TRUE(item) << to_text(item.error());
    if (!item || !*item) break;
    for (const RecordIssue& issue : (*item)->issues) {
      result.codes.push_back(issue.code);
      if (!issue.is_error()) continue;
      const int64_t line = issue.line > 0 ? issue.line : (*item)->line;
      result.errors.push_back(std::to_string(line) + ":" + std::to_string(issue.column) + " " +
                              issue.code + " " + issue.field + ": " + issue.message);
    }
    if (!(*item)->record) continue;
    result.records.push_back(std::get<BenchmarkRecord>(*(*item)->record));
    EXPECT_FALSE(has_errors(validate_record(to_json(result.records.back()))));
  }
  return result;
}

PeerImport read_fixture(const std::string& name) {
  return read_peer(std::string(OPBENCH_TEST_FIXTURES) + "/" + name);
}

PeerImport read_peer_text(const std::string& text) {
  const auto folder = TemporaryFolder::make();
  const auto path = folder->path() / "file";
  EXPECT_TRUE(write_file(path, text));
  return read_peer(path.string());
}

Json json_of_text(const std::optional<JsonText>& text) {
  return text ? Json::parse(text->text) : Json();
}

TEST(PeerImports, TrtexecTimesAreSamplesOfOneRecord) {
  const PeerImport file = read_fixture("records/trtexec_times.json");
  EXPECT_EQ(file.format, "trtexec-times");
  ASSERT_THAT(file.records, SizeIs(1));
  const BenchmarkRecord& record = file.records[0];
  EXPECT_THAT(*record.runtime_raw_ms, ElementsAre(2.5, 3.5));
  EXPECT_EQ(record.runtime_ms_mean, 3.0);
  EXPECT_EQ(record.metrics->at("compute_ms"), 2.5);
  EXPECT_EQ(record.metrics->at("enqueue_ms"), 0.25);
  EXPECT_EQ(record.scope, "model");
}

TEST(PeerImports, TrtexecLayersAreTimedInsideTheNetwork) {
  const PeerImport file = read_fixture("records/trtexec_profile.json");
  EXPECT_EQ(file.format, "trtexec-profile");
  ASSERT_THAT(file.records, SizeIs(3));
  const BenchmarkRecord& conv = file.records[0];
  EXPECT_EQ(conv.workload, "tensorrt.conv1 + relu1");
  EXPECT_EQ(conv.runtime_ms_mean, 0.15);
  EXPECT_EQ(conv.runtime_ms_median, 0.145);
  EXPECT_EQ(conv.runtime_ms_in_place, 0.15);
  EXPECT_EQ(conv.n_samples, 200);
  EXPECT_EQ(file.records[1].runtime_ms_median, std::nullopt);
  EXPECT_EQ(file.records[2].status, "error");
  EXPECT_EQ(file.records[2].error_message, "no time above zero was taken");
}

TEST(PeerImports, PytestBenchmarkSecondsBecomeMilliseconds) {
  const PeerImport file = read_fixture("records/pytest_benchmark.json");
  EXPECT_EQ(file.format, "pytest-benchmark");
  EXPECT_THAT(file.codes, IsEmpty());
  ASSERT_THAT(file.records, SizeIs(3));
  std::map<std::string, BenchmarkRecord> by_name;
  for (const BenchmarkRecord& record : file.records) by_name[record.workload] = record;
  const BenchmarkRecord& sort = by_name["pytest-benchmark.tests/test_sort.py::test_sort[100]"];
  EXPECT_THAT(*sort.runtime_raw_ms, Pointwise(testing::DoubleEq(), {1.0, 2.0, 3.0}));
  EXPECT_EQ(sort.timestamp, "2026-11-20T10:05:00.5Z");
  EXPECT_EQ(sort.hardware, "ci-7");
  EXPECT_EQ(sort.hw_model, "A CPU @ 2.0GHz");
  EXPECT_EQ(sort.labels->at("branch"), "main");
  EXPECT_EQ(json_of_text(sort.execution_config)["number"], 10);
  EXPECT_EQ(json_of_text(sort.workload_args)["n"], 100);
  const BenchmarkRecord& plain = by_name["pytest-benchmark.tests/test_sort.py::test_plain"];
  EXPECT_EQ(plain.runtime_ms_mean, 1000);
  EXPECT_EQ(plain.runtime_ms_median, 750);
  EXPECT_EQ(plain.runtime_ms_std, 250);
  EXPECT_EQ(plain.std_ddof, 1);
  EXPECT_EQ(plain.n_samples, 7);
  EXPECT_EQ(plain.runtime_raw_ms, std::nullopt);
  EXPECT_EQ(by_name["pytest-benchmark.tests/test_sort.py::test_nan"].status, "error");
}

TEST(PeerImports, LoadgenNanosecondsBecomeMilliseconds) {
  const PeerImport file = read_fixture("records/mlperf_log_summary.txt");
  EXPECT_EQ(file.format, "mlperf-summary");
  ASSERT_THAT(file.records, SizeIs(1));
  const BenchmarkRecord& record = file.records[0];
  EXPECT_EQ(record.workload, "mlperf.PySUT");
  EXPECT_EQ(record.runtime_ms_mean, 18);
  EXPECT_EQ(record.runtime_ms_median, 17.5);
  EXPECT_EQ(record.runtime_ms_min, 16);
  EXPECT_EQ(record.metrics->at("99.90 percentile latency (ms)"), 29);
  EXPECT_EQ(record.labels->at("scenario"), "SingleStream");
  EXPECT_EQ(json_of_text(record.metadata)["test_parameters"]["target_qps"], "1000");
}

TEST(PeerImports, AnInvalidLoadgenRunFailedWithItsReasons) {
  const PeerImport file = read_peer_text(
      "====\nMLPerf Results Summary\n====\nSUT name : S\nScenario : Server\n"
      "Result is : INVALID\n  Min duration satisfied : NO\n  Min queries satisfied : Yes\n"
      "====\nAdditional Stats\n====\nMean latency (ns) : 18000000\n");
  ASSERT_THAT(file.records, SizeIs(1));
  EXPECT_EQ(file.records[0].status, "error");
  EXPECT_EQ(file.records[0].error_message,
            "the run is INVALID by loadgen's rules; Min duration satisfied: NO");
  EXPECT_EQ(file.records[0].runtime_ms_mean, std::nullopt);
}

TEST(PeerImports, BenchdnnColumnsFollowTheTemplate) {
  const PeerImport file = read_fixture("records/benchdnn.log");
  EXPECT_EQ(file.format, "benchdnn");
  ASSERT_THAT(file.records, SizeIs(5));
  std::map<std::string, BenchmarkRecord> by_name;
  for (const BenchmarkRecord& record : file.records) by_name[record.workload] = record;
  const BenchmarkRecord& conv =
      by_name["benchdnn.--mode=P --conv mb1ic3ih224oc64oh112kh7sh2ph3n\"resnet:conv1\""];
  EXPECT_EQ(conv.runtime_ms_mean, 0.5);
  EXPECT_EQ(conv.runtime_ms_min, 0.4);
  EXPECT_EQ(conv.labels->at("name"), "resnet:conv1");
  EXPECT_EQ(conv.metrics->at("mean_flops_per_s"), 472e9);
  EXPECT_EQ(conv.metrics->at("max_create_time_ms"), 0.5);
  EXPECT_EQ(json_of_text(conv.engine_config)["impl"], "jit:avx512_core");
  const BenchmarkRecord& commas =
      by_name["benchdnn.--mode=P --matmul --attr-post-ops=sum:0.5,relu 8x16:16x32"];
  EXPECT_EQ(commas.runtime_ms_mean, 0.0025);
  const BenchmarkRecord& missing = by_name["benchdnn.--mode=P --conv --dt=f64 mb1ic3ih8oc4oh8kh1"];
  EXPECT_EQ(missing.status, "error");
  EXPECT_EQ(missing.error_message, "benchdnn: UNIMPLEMENTED");
  EXPECT_EQ(by_name["benchdnn.--mode=P --pool mb1ic3ih8"].error_message,
            "benchdnn: SKIPPED (Case not supported)");
  EXPECT_EQ(by_name["benchdnn.--mode=P --eltwise --alg=relu 8x16"].error_message,
            "no time above zero was taken");
}

TEST(PeerImports, VerboseLinesOfOneProblemAreSamples) {
  const PeerImport file = read_fixture("records/onednn_verbose.log");
  EXPECT_EQ(file.format, "onednn-verbose");
  ASSERT_THAT(file.records, SizeIs(9));
  const BenchmarkRecord& conv = file.records[0];
  EXPECT_EQ(own_workload(conv),
            "conv2d 1x3x224x224 w:64x3x7x7 w:64 strides=2,2 pads=3,3,3,3; relu");
  EXPECT_THAT(*conv.runtime_raw_ms, ElementsAre(0.5, 0.7));
  EXPECT_EQ(conv.engine_version, "3.4.1");
  EXPECT_EQ(json_of_text(conv.runtime_config)["num_cpu_threads"], 8);
  EXPECT_EQ(json_of_text(conv.workload_args)["problem"],
            "mb1_ic3oc64_ih224oh112kh7sh2dh0ph3_iw224ow112kw7sw2dw0pw3");
  std::vector<std::string> names;
  for (const BenchmarkRecord& record : file.records) names.push_back(record.workload);
  EXPECT_THAT(names,
              testing::UnorderedElementsAre(
                  StartsWith("opbench.conv2d"), "onednn.matmul 128x3584:3584x37888",
                  "opbench.matmul 4x8 w:8x16", "opbench.dense 1x512 w:1000x512 w:1000 transB=1",
                  "opbench.max_pool 1x64x112x112 kernel_shape=3,3 strides=2,2 pads=1,1,1,1",
                  "opbench.softmax 1x1000", "opbench.relu 1x64x56x56", "opbench.add 1x64 1x64",
                  "onednn.reorder 1x64x56x56"));
}

TEST(PeerImports, FlashinferStatusesBecomeFailures) {
  const PeerImport file = read_fixture("records/flashinfer_traces.jsonl");
  EXPECT_EQ(file.format, "flashinfer");
  EXPECT_THAT(file.codes, Contains("W_NO_RESULT"));
  EXPECT_THAT(file.errors, IsEmpty());
  ASSERT_THAT(file.records, SizeIs(3));
  const BenchmarkRecord& passed = file.records[0];
  EXPECT_EQ(passed.workload, "flashinfer.rmsnorm_h4096");
  EXPECT_EQ(passed.runtime_ms_mean, 0.008);
  EXPECT_EQ(passed.hardware, "NVIDIA_H100");
  EXPECT_EQ(passed.metrics->at("reference_latency_ms"), 0.019);
  EXPECT_FALSE(passed.metrics->contains("max_absolute_error"));
  EXPECT_EQ(json_of_text(passed.check)["max_relative_error"], 1.15e-05);
  const BenchmarkRecord& wrong = file.records[1];
  EXPECT_EQ(wrong.status, "error");
  EXPECT_EQ(wrong.error_no, 5);
  EXPECT_EQ(json_of_text(wrong.check)["max_relative_error"], Json());
  EXPECT_EQ(wrong.metrics->at("max_absolute_error"), 3.5);
  EXPECT_EQ(file.records[2].error_no, 7);
  EXPECT_EQ(file.records[2].error_message, "TIMEOUT: no answer within 60 s");
}

TEST(PeerImports, PytorchMetricsOfOneBenchmarkAreOneRecord) {
  const PeerImport file = read_fixture("records/pytorch_v3.json");
  EXPECT_EQ(file.format, "pytorch-v3");
  EXPECT_THAT(file.errors, IsEmpty());
  ASSERT_THAT(file.records, SizeIs(2));
  const BenchmarkRecord& addmm = file.records[0];
  EXPECT_EQ(addmm.workload, "pytorch.operator_benchmark addmm_M64_N64_K64_cpu");
  EXPECT_THAT(*addmm.runtime_raw_ms, Pointwise(testing::DoubleEq(), {0.0125, 0.0135}));
  EXPECT_EQ(addmm.metrics->at("peak memory"), 1024);
  EXPECT_EQ(addmm.hardware, "linux.24xl.spr-metal");
  EXPECT_EQ(file.records[1].runtime_ms_mean, 7.25);
  EXPECT_EQ(file.records[1].model, "a \"model\" ☕");
}

TEST(PeerImports, AsvCombinationsAreRecordsAndNanIsNoTime) {
  for (const char* name : {"asv/results", "asv/results/machine-a", "asv/results/machine-a/",
                           "asv/results/machine-a/01234567-virtualenv-py3.11.json"}) {
    const PeerImport file = read_fixture(name);
    EXPECT_EQ(file.format, "asv");
    EXPECT_THAT(file.errors, IsEmpty());
    EXPECT_THAT(file.codes, ElementsAre("W_NOT_TIME"));
    ASSERT_THAT(file.records, SizeIs(5)) << name;
    const BenchmarkRecord& first = file.records[0];
    EXPECT_EQ(first.workload, R"(asv.suite.TimeSort.time_sort {"kind":"'quick'","size":"10"})");
    EXPECT_THAT(*first.runtime_raw_ms, Pointwise(testing::DoubleEq(), {0.8, 1.0, 1.2}));
    EXPECT_EQ(first.timestamp, "2025-11-20T11:00:00Z");
    EXPECT_EQ(first.hardware, "machine-a");
    EXPECT_EQ(json_of_text(first.execution_config)["number"], 100);
    EXPECT_EQ(first.labels->at("environment"), "virtualenv-py3.11");
    EXPECT_NEAR(first.metrics->at("q1_ms"), 0.95, 1e-12);
    EXPECT_EQ(file.records[1].runtime_ms_mean, 2.0);
    EXPECT_EQ(file.records[1].runtime_raw_ms, std::nullopt);
    EXPECT_EQ(file.records[2].error_message, "asv has no result (NaN): it was skipped");
    EXPECT_EQ(file.records[3].error_message, "asv has no result: it failed");
    EXPECT_EQ(file.records[4].workload, "asv.suite.time_broken");
  }
}

struct BadPeer {
  const char* text;
  const char* error;  ///< a part of the first
};

TEST(PeerImports, DamagedFilesNameThePlace) {
  const std::vector<BadPeer> kBad = {
      {"[\n{\"latencyMs\": \"soon\", \"computeMs\": 1}]",
       "2:15 E_TYPE latencyMs: no time: \"soon\""},
      {"[\n{\"latencyMs\": 1, \"computeMs\": 1},\n{\"latencyMs\": 2, ", "3:1 E_TORN"},
      {"[{\"count\": -1},\n{\"name\": \"a\", \"timeMs\": 1, \"averageMs\": 1}]",
       "E_TYPE count: no number of runs: -1"},
      {"[{\"count\": 1},\n {\"name\": 7, \"timeMs\": 1, \"averageMs\": 1}]",
       "2:11 E_MISSING name: a layer has no name"},
      {"{\"machine_info\": {},\n \"benchmarks\": [{\"fullname\": \"t\", \"stats\": []}]}",
       "2:44 E_TYPE stats: \"t\" has no statistics"},
      {"{\"definition\": \"d\", \"workload\": {},\n \"evaluation\": {\"status\": \"PASED\"}}",
       "unknown status \"PASED\"; known: PASSED, INCORRECT_SHAPE"},
      {"[{\"benchmark\": {\"name\": \"b\"}, \"metric\": {\"name\": \"m\", \"benchmark_values\": "
       "3}}]",
       "E_TYPE metric: benchmark_values of \"m\" is no list"},
      {"[{\"benchmark\": {\"name\": \"b\"}, \"metric\": {\"name\": \"rate\", \"benchmark_values\": "
       "[3]}}]",
       "E_MISSING metric: no metric is a time with a unit, such as latency_ms; there is: rate"},
      {"{\"commit_hash\": \"c\", \"results\": [1]}", "E_TYPE results: no object of benchmarks"},
      {"{\"commit_hash\": \"c\",\n \"results\": {\"a.time_b\": [[1, 2], [[\"x\", \"y\", \"z\"]]]}}",
       "E_COUNT a.time_b: 2 results of 3 combinations of parameters"},
      {"{\"commit_hash\": \"c\", \"results\": {\n \"a\"", "2:"},
      {"perf,cpu,x,,--conv mb1,1,2\n", "1:0 E_KEYS"},
      {"Output template: perf,%engine%,%prb%,%0time%\nperf,cpu\n",
       "2:0 E_COUNT : 2 columns of 4 in the template"},
      {"Output template: perf,%engine%,%prb%,%0time%\nperf,cpu,--conv a,fast\n",
       "2:0 E_TYPE time: no number: \"fast\""},
      {"onednn_verbose,exec,cpu,convolution,1.5\n",
       "1:0 E_COUNT exec: 4 fields of 10 that an execution has"},
      {"onednn_verbose,exec,cpu,reorder,a,b,c,d,e,f,late\n",
       "1:0 E_TYPE exec_time: no time: \"late\""},
      {"MLPerf Results Summary\nSUT name : s\nMean latency (ns) : many\n",
       "3:0 E_TYPE Mean latency (ns): no number: \"many\""},
      {"MLPerf Results Summary\nSUT name : s\n", "E_MISSING Mean latency (ns)"}};
  for (const BadPeer& bad : kBad) {
    const PeerImport file = read_peer_text(bad.text);
    ASSERT_THAT(file.errors, testing::Not(IsEmpty())) << bad.text;
    EXPECT_THAT(file.errors.front(), HasSubstr(bad.error)) << bad.text;
  }
}

TEST(PeerImports, AFolderOfAsvWithoutResultsIsRefused) {
  const auto folder = TemporaryFolder::make();
  ASSERT_TRUE(write_file(folder->path() / "benchmarks.json", "{}"));
  const auto file = open_records(folder->path().string());
  ASSERT_FALSE(file);
  EXPECT_THAT(file.error().message, HasSubstr("holds no results of asv"));
}

TEST(OddNumbers, PythonWordsKeepTheirPlaces) {
  const std::string text = R"({"a": NaN, "b": "NaN", "c": [-Infinity, Infinity], "dNaN": 1})";
  EXPECT_TRUE(has_bare_word(text));
  EXPECT_FALSE(has_bare_word(R"({"b": "NaN \" Infinity"})"));
  const std::string quoted = with_quoted_words(text);
  EXPECT_EQ(quoted.size(), text.size());
  const Json json = Json::parse(quoted);
  EXPECT_TRUE(std::isnan(*number_or_word(json["a"])));
  EXPECT_TRUE(std::isnan(*number_or_word(json["b"])));
  EXPECT_EQ(*number_or_word(json["c"][0]), -HUGE_VAL);
  EXPECT_EQ(*number_or_word(json["c"][1]), HUGE_VAL);
  EXPECT_EQ(*number_or_word(json["dNaN"]), 1);
  EXPECT_FALSE(number_or_word(Json("soon")));
}

}  // namespace
}  // namespace opbench
