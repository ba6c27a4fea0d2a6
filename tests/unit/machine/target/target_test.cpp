#include "machine/target/target.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/files/file.h"
#include "machine/target/parse_target.h"
#include "machine/target/target_text.h"

namespace opbench {
namespace {

using testing::HasSubstr;

Target target_parsed(const std::string& text) {
  const auto target = parse_target(text);
  EXPECT_TRUE(target) << text << "\n" << (target ? "" : to_text(target.error()));
  return target.value_or(Target{});
}

std::string failure(const std::string& text) {
  const auto target = parse_target(text);
  EXPECT_FALSE(target) << text;
  if (target) return "";
  EXPECT_EQ(target.error().code, ErrorCode::kInvalidInput);
  return to_text(target.error());
}

std::string target_identity(const std::string& text) { return canonical_text(target_parsed(text)); }

TEST(Target, ReadsTheCommandLineForm) {
  const Target target = target_parsed(
      "llvm -mcpu=skylake-avx512 -num-cores=8 -mattr=+avx512vl,+avx512f -libs=mkl,cblas");
  EXPECT_EQ(target.kind, "llvm");
  EXPECT_EQ(target.attributes.at("mcpu"), "skylake-avx512");
  EXPECT_EQ(target.mattr, (std::vector<std::string>{"+avx512f", "+avx512vl"}));
  EXPECT_EQ(target.libs, (std::vector<std::string>{"cblas", "mkl"}));
  EXPECT_EQ(canonical_text(target),
            R"({"kind":"llvm","libs":["cblas","mkl"],"mattr":["+avx512f","+avx512vl"],)"
            R"("mcpu":"skylake-avx512","num-cores":8})");
  EXPECT_EQ(display_text(target),
            "llvm -mcpu=skylake-avx512 -num-cores=8 -libs=cblas,mkl -mattr=+avx512f,+avx512vl");
}

TEST(Target, ReadsValuesApartFromTheirKeysAndBareKeys) {
  const Target target = target_parsed("  llvm  -mcpu haswell -system-lib -note 'two words' ");
  EXPECT_EQ(target.attributes.at("mcpu"), "haswell");
  EXPECT_EQ(target.attributes.at("system-lib"), "1");
  EXPECT_EQ(target.attributes.at("note"), "two words");
  EXPECT_EQ(target_parsed(display_text(target)), target);
}

TEST(Target, GivesEveryFormOneIdentity) {
  const std::string json = R"({"kind":"llvm","mcpu":"core-avx2","mattr":["+fma"],"num-cores":4})";
  EXPECT_EQ(target_identity("llvm -num-cores=4 -mcpu=core-avx2 -mattr=+fma"),
            target_identity(json));
  EXPECT_EQ(target_identity("x86-64-linux-avx2-fma-f16c"),
            target_identity("llvm -mattr=+fma,+f16c,+avx2"));
  EXPECT_EQ(target_identity("x86-64-linux-avx512_skylake"),
            target_identity("llvm -mcpu=skylake-avx512"));
  EXPECT_EQ(target_identity("arm-64-linux"),
            target_identity("llvm -mtriple=aarch64-linux-gnu -mattr=+neon"));
  EXPECT_EQ(target_identity("llvm -keys=cpu -link-params=0"), target_identity("llvm"));
  EXPECT_EQ(target_identity("cuda -keys=cuda,gpu -max_num_threads=1024 -thread_warp_size=32"),
            target_identity("cuda"));
  EXPECT_EQ(target_parsed("llvm"), Target{});
}

TEST(Target, KeepsTheOrderOfKeys) {
  EXPECT_NE(target_identity("ext_dev -keys=vta,cpu -device=vta"),
            target_identity("ext_dev -device=vta -keys=cpu"));
  EXPECT_EQ(target_identity("ext_dev -keys=cpu -device=vta"),
            target_identity("ext_dev -device=vta -keys=cpu"));
}

TEST(Target, KeepsUnknownKeys) {
  const Target target =
      target_parsed(R"({"kind":"cuda","arch":"sm_90a","my-key":"v","flag":true})");
  EXPECT_EQ(display_text(target), "cuda -arch=sm_90a -flag=1 -my-key=v");
  EXPECT_EQ(target_parsed(canonical_text(target)), target);
}

TEST(Target, KeepsAHostInEveryForm) {
  const Target target =
      target_parsed(R"({"kind":"cuda","host":{"kind":"llvm","mcpu":"haswell","num-cores":2}})");
  EXPECT_EQ(canonical_text(target),
            R"({"host":{"kind":"llvm","mcpu":"haswell","num-cores":2},"kind":"cuda"})");
  EXPECT_EQ(display_text(target), "cuda -host='llvm -mcpu=haswell -num-cores=2'");
  EXPECT_EQ(target_parsed(display_text(target)), target);
  EXPECT_EQ(target_parsed(canonical_text(target)), target);
}

TEST(Target, ExpandsTagsUnderWhatStandsBesideThem) {
  EXPECT_EQ(target_identity(R"({"tag":"raspberry-pi/4b-aarch64","num-cores":2})"),
            R"({"kind":"llvm","mattr":["+neon"],"mcpu":"cortex-a72",)"
            R"("mtriple":"aarch64-linux-gnu","num-cores":2})");
  EXPECT_EQ(target_identity("aws/cpu/c5.4xlarge"),
            target_identity("llvm -keys=x86,cpu -mcpu=skylake-avx512 -num-cores=8"));
  EXPECT_THAT(failure("nvidia/geforce-rtx-3081"),
              HasSubstr("did you mean: nvidia/geforce-rtx-3080?"));
}

TEST(Target, ReadsAFile) {
  const auto folder = TemporaryFolder::make();
  ASSERT_TRUE(folder);
  const std::string path = (folder->path() / "target.json").string();
  ASSERT_TRUE(write_file(path, "{\"kind\": \"llvm\", \"mcpu\": \"haswell\"}\n"));
  EXPECT_EQ(target_identity("@" + path), target_identity("llvm -mcpu=haswell"));
  ASSERT_TRUE(write_file(path, "@" + path));
  EXPECT_THAT(failure("@" + path), HasSubstr("names another file"));
  EXPECT_THAT(failure("@/nowhere/t.json"), HasSubstr("/nowhere/t.json"));
}

TEST(Target, ExpandsThisMachine) {
  EXPECT_EQ(target_parsed("host"), host_target());
  const Target native = target_parsed("llvm -mcpu=native -num-cores=2");
  Target expected = host_target();
  expected.attributes["num-cores"] = "2";
  EXPECT_EQ(native, expected);
  EXPECT_THAT(display_text(native), testing::Not(HasSubstr("native")));
  std::string missing;
  EXPECT_TRUE(runs_here(host_target(), missing)) << missing;
}

TEST(Target, RefusesWhatItDoesNotKnow) {
  EXPECT_THAT(failure("llwm -mcpu=haswell"), HasSubstr("unknown target \"llwm\"\n"));
  EXPECT_THAT(failure("llwm"), HasSubstr("did you mean: llvm?"));
  EXPECT_THAT(failure("llwm"), HasSubstr("known: llvm, c, cuda"));
  EXPECT_THAT(failure("llvm -mcpu=skylake-avx521"),
              HasSubstr("unknown processor \"skylake-avx521\""));
  EXPECT_THAT(failure("llvm -mcpu=skylake-avx521"), HasSubstr("did you mean: skylake-avx512?"));
  EXPECT_THAT(failure("x86-64-linux-avx3"), HasSubstr("did you mean: avx"));
  EXPECT_THAT(failure("llvm -a=1 mcpu=x"), HasSubstr("\"mcpu=x\""));
  EXPECT_THAT(failure("llvm -mcpu=haswell -mcpu=skylake"), HasSubstr("\"-mcpu\" twice"));
  EXPECT_THAT(failure("llvm -'a b'=1"), HasSubstr("bad target key \"a b\""));
  EXPECT_THAT(failure(" "), HasSubstr("is empty"));
  EXPECT_THAT(failure("{\"kind\":"), HasSubstr("target is not JSON"));
  EXPECT_THAT(failure(R"({"mcpu":"haswell"})"), HasSubstr("no \"kind\""));
  EXPECT_THAT(failure(R"({"kind":"llvm","mattr":[{}]})"), HasSubstr("\"mattr\""));
  EXPECT_THAT(failure(R"({"kind":"llvm","host":{"kind":"lvm"}})"), HasSubstr("\"lvm\""));
}

TEST(Target, KnowsEveryKindOfTvm) {
  for (const std::string kind : {"cuda", "opencl", "metal", "vulkan", "rocm", "c", "ext_dev",
                                 "hexagon", "pynq", "vta", "webgpu", "nvptx", "sdaccel"}) {
    EXPECT_EQ(target_parsed(kind).kind, kind);
    std::string missing;
    EXPECT_EQ(runs_here(target_parsed(kind), missing), kind == "c");
  }
}

struct IsaCase {
  const char* target;
  VectorIsa isa;
  int lanes;
};

class TargetIsa : public testing::TestWithParam<IsaCase> {};

TEST_P(TargetIsa, FollowsTheProcessorAndItsSwitches) {
  const Target target = target_parsed(GetParam().target);
  EXPECT_EQ(vector_isa(target), GetParam().isa) << GetParam().target;
  EXPECT_EQ(float_lanes(target), GetParam().lanes) << GetParam().target;
}

INSTANTIATE_TEST_SUITE_P(
    Processors, TargetIsa,
    testing::Values(
        IsaCase{"llvm", VectorIsa::kScalar, 4}, IsaCase{"llvm -mcpu=x86-64", VectorIsa::kScalar, 4},
        IsaCase{"llvm -mcpu=core2", VectorIsa::kScalar, 4},
        IsaCase{"llvm -mcpu=penryn", VectorIsa::kSse41, 4},
        IsaCase{"llvm -mcpu=nehalem", VectorIsa::kSse41, 4},
        IsaCase{"llvm -mcpu=x86-64-v2", VectorIsa::kSse41, 4},
        IsaCase{"llvm -mcpu=sandybridge", VectorIsa::kSse41, 4},
        IsaCase{"llvm -mcpu=core-avx2", VectorIsa::kAvx2, 8},
        IsaCase{"llvm -mcpu=broadwell", VectorIsa::kAvx2, 8},
        IsaCase{"llvm -mcpu=skylake", VectorIsa::kAvx2, 8},
        IsaCase{"llvm -mcpu=znver3", VectorIsa::kAvx2, 8},
        IsaCase{"llvm -mcpu=x86-64-v3", VectorIsa::kAvx2, 8},
        IsaCase{"llvm -mcpu=alderlake", VectorIsa::kAvx2, 8},
        IsaCase{"llvm -mcpu=knl", VectorIsa::kAvx2, 8},
        IsaCase{"llvm -mcpu=skylake-avx512", VectorIsa::kAvx512, 16},
        IsaCase{"llvm -mcpu=cascadelake", VectorIsa::kAvx512, 16},
        IsaCase{"llvm -mcpu=icelake-server", VectorIsa::kAvx512, 16},
        IsaCase{"llvm -mcpu=sapphirerapids", VectorIsa::kAvx512, 16},
        IsaCase{"llvm -mcpu=znver4", VectorIsa::kAvx512, 16},
        IsaCase{"llvm -mcpu=x86-64-v4", VectorIsa::kAvx512, 16},
        IsaCase{"llvm -mattr=+avx2", VectorIsa::kAvx2, 8},
        IsaCase{"llvm -mattr=+sse4.1", VectorIsa::kSse41, 4},
        IsaCase{"llvm -mcpu=haswell -mattr=-avx2", VectorIsa::kSse41, 4},
        IsaCase{"llvm -mcpu=skylake-avx512 -mattr=-avx512f", VectorIsa::kAvx2, 8},
        IsaCase{"llvm -mcpu=haswell -mattr=+avx512f,+avx512cd,+avx512bw,+avx512dq,+avx512vl",
                VectorIsa::kAvx512, 16},
        IsaCase{"llvm -mtriple=x86_64-linux-gnu -mcpu=haswell", VectorIsa::kAvx2, 8},
        IsaCase{"x86-64-linux-sse41", VectorIsa::kSse41, 4},
        IsaCase{"arm-64-linux", VectorIsa::kNeon, 4},
        IsaCase{"llvm -mtriple=armv7l-linux-gnueabihf", VectorIsa::kScalar, 4},
        IsaCase{"llvm -device=arm_cpu -mtriple=armv7a-linux-eabi -mattr=+neon", VectorIsa::kNeon,
                4},
        IsaCase{"cuda", VectorIsa::kScalar, 4}));

TEST(Target, IsTheWidestThatTheFlagsAllow) {
  const std::set<std::string> avx = {"pni", "ssse3", "sse4_1", "sse4_2", "popcnt", "avx", "f16c"};
  std::set<std::string> flags = avx;
  EXPECT_EQ(display_text(x86_target(flags)), "llvm -mcpu=sandybridge");
  flags.insert({"avx2", "fma", "bmi1", "bmi2", "movbe"});  // a hypervisor may hide abm
  EXPECT_EQ(display_text(x86_target(flags)), "llvm -mcpu=haswell");
  flags.insert({"avx512f", "avx512cd", "avx512bw", "avx512dq", "avx512vl"});
  EXPECT_EQ(display_text(x86_target(flags)), "llvm -mcpu=skylake-avx512");
  flags.insert({"avx512ifma", "avx512vbmi", "avx512_vnni"});
  EXPECT_EQ(display_text(x86_target(flags)), "llvm -mcpu=skylake-avx512");
  flags.insert({"avx512_vbmi2", "avx512_bitalg", "avx512_vpopcntdq"});
  EXPECT_EQ(display_text(x86_target(flags)), "llvm -mcpu=icelake-client");
  flags.erase("avx2");
  EXPECT_EQ(display_text(x86_target(flags)), "llvm -mcpu=sandybridge");
  EXPECT_EQ(display_text(x86_target({})), "llvm");
}

TEST(Target, HasDotProductsFromIceLakeAndZen4On) {
  for (const char* text : {"llvm -mcpu=icelake-client", "llvm -mcpu=sapphirerapids",
                           "llvm -mcpu=znver4", "x86-64-linux-avx512_sapphirerapids"}) {
    EXPECT_TRUE(has_dot_products(target_parsed(text))) << text;
  }
  for (const char* text : {"llvm", "llvm -mcpu=skylake-avx512", "llvm -mcpu=cascadelake",
                           "llvm -mcpu=haswell", "llvm -mcpu=icelake-client -mattr=-avx512vnni",
                           "llvm -mcpu=icelake-client -mattr=-avx512f"}) {
    EXPECT_FALSE(has_dot_products(target_parsed(text))) << text;
  }
}

TEST(Target, SaysWhatThisMachineLacks) {
  std::string missing;
  EXPECT_TRUE(runs_here(target_parsed("llvm"), missing));
  EXPECT_EQ(missing, "");
  EXPECT_FALSE(runs_here(target_parsed("llvm -mcpu=knl"), missing));
  EXPECT_THAT(missing, HasSubstr("avx512er"));
  EXPECT_FALSE(runs_here(target_parsed("llvm -mtriple=riscv64-linux-gnu"), missing));
  EXPECT_EQ(missing, "riscv64-linux-gnu");
}

TEST(Target, IsX86UnlessItsTripleNamesAnother) {
  EXPECT_TRUE(is_x86(parse_target("llvm").value()));
  EXPECT_TRUE(is_x86(parse_target("llvm -mtriple=x86_64-linux-gnu").value()));
  EXPECT_FALSE(is_x86(parse_target("llvm -mtriple=aarch64-linux-gnu").value()));
  EXPECT_FALSE(is_x86(parse_target("llvm -mtriple=riscv64-linux-gnu").value()));
}

}  // namespace
}  // namespace opbench
