#include "experiments/predict/probe_json.h"

#include <gtest/gtest.h>

namespace opbench {
namespace {

TEST(ProbeJson, IsReadAsFarAsOthersAskForIt) {
  DeviceDescriptor device{.engine = "halide", .version = "1"};
  device.probes = {
      {.probe = {"gemm", "arithmetic", "matmul 4x4 w:4x4"}, .time = Measurement{.median_ms = 0.5}},
      {.probe = {"relu", "memory", "relu 4"}, .reason = "it crashed"}};
  const DeviceDescriptor read = parse_probe_report(probe_json(device), "p.json").value();
  ASSERT_EQ(read.probes.size(), 1U);
  EXPECT_EQ(read.probes[0].probe.workload, "matmul 4x4 w:4x4");
  EXPECT_EQ(read.probes[0].time->median_ms, 0.5);
}

TEST(ProbeJson, SaysWhatIsNoReport) {
  for (const char* text : {"[]", R"({"schema": 1})", R"({"schema": "opbench.probe/1"})"}) {
    const auto read = parse_probe_report(text, "p.json");
    ASSERT_FALSE(read) << text;
    EXPECT_EQ(read.error().message, "\"p.json\" is no report of probes");
  }
}

}  // namespace
}  // namespace opbench
