#include "machine/facts/environment.h"

#include <dlfcn.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include <cstdlib>

#include "base/files/file.h"
#include "base/numbers/hash.h"
#include "cap_for_test.h"
#include "machine/facts/build_info.h"
#include "machine/facts/cgroup.h"
#include "machine/facts/facts.h"
#include "machine/target/cpu_cap.h"

namespace opbench {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

/// A folder that stands for the root of a machine.
class FakeRoot {
 public:
  FakeRoot() : folder_(TemporaryFolder::make().value()) {}
  const fs::path& path() const { return folder_.path(); }
  FakeRoot& file(const std::string& name, const std::string& content) {
    const fs::path path = folder_.path() / name;
    fs::create_directories(path.parent_path());
    EXPECT_TRUE(write_file(path, content));
    return *this;
  }

 private:
  TemporaryFolder folder_;
};

constexpr const char* kMountV2 =
    "31 23 0:28 / /sys/fs/cgroup rw,nosuid shared:9 - cgroup2 cgroup2 rw,nsdelegate\n";
constexpr const char* kMountV1 =
    "32 31 0:29 / /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct\n"
    "34 31 0:31 / /sys/fs/cgroup/cpuset rw - cgroup cgroup rw,cpuset\n";

TEST(Cgroup, TakesTheTightestQuotaOfVersion2) {
  FakeRoot root;
  root.file("proc/self/mountinfo", kMountV2)
      .file("proc/self/cgroup", "0::/machine/job\n")
      .file("sys/fs/cgroup/machine/cpu.max", "150000 100000\n")
      .file("sys/fs/cgroup/machine/job/cpu.max", "max 100000\n")
      .file("sys/fs/cgroup/machine/job/cpuset.cpus.effective", "0-3,8\n");
  const CgroupLimits limits = cgroup_limits(root.path());
  EXPECT_EQ(limits.version, 2);
  EXPECT_EQ(limits.cpu_quota, 1.5);
  EXPECT_EQ(limits.cpuset, "0-3,8");
}

TEST(Cgroup, TakesAPathSeenFromOutsideForTheMountItself) {
  FakeRoot root;
  root.file("proc/self/mountinfo", kMountV2)
      .file("proc/self/cgroup", "0::/docker/0123\n")
      .file("sys/fs/cgroup/cpu.max", "200000 100000\n");
  EXPECT_EQ(cgroup_limits(root.path()).cpu_quota, 2.0);
}

TEST(Cgroup, ReadsVersion1) {
  FakeRoot root;
  root.file("proc/self/mountinfo", kMountV1)
      .file("proc/self/cgroup", "3:cpuset:/\n2:cpu,cpuacct:/slice\n0::/\n")
      .file("sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "-1\n")
      .file("sys/fs/cgroup/cpu,cpuacct/slice/cpu.cfs_quota_us", "50000\n")
      .file("sys/fs/cgroup/cpu,cpuacct/slice/cpu.cfs_period_us", "100000\n")
      .file("sys/fs/cgroup/cpuset/cpuset.effective_cpus", "0-1\n");
  const CgroupLimits limits = cgroup_limits(root.path());
  EXPECT_EQ(limits.version, 1);
  EXPECT_EQ(limits.cpu_quota, 0.5);
  EXPECT_EQ(limits.cpuset, "0-1");
}

TEST(Cgroup, KnowsNoLimitWhereNothingIsMounted) {
  const FakeRoot root;
  const CgroupLimits limits = cgroup_limits(root.path());
  EXPECT_EQ(limits.version, 0);
  EXPECT_FALSE(limits.cpu_quota);
  EXPECT_FALSE(limits.cpuset);
}

TEST(Container, ReadsTheImageThatPodmanNames) {
  FakeRoot root;
  root.file("run/.containerenv", "engine=\"podman-4.3.1\"\nname=\"x\"\nimageid=\"sha256:00ff\"\n");
  const Container container = find_container(root.path());
  EXPECT_EQ(container.kind, "podman");
  EXPECT_EQ(container.digest, "sha256:00ff");
}

TEST(Container, SaysWhyDockerHasNoDigest) {
  FakeRoot root;
  root.file(".dockerenv", "").file("proc/self/cgroup", "0::/\n");
  const Container container = find_container(root.path());
  EXPECT_EQ(container.kind, "docker");
  EXPECT_FALSE(container.digest);
  EXPECT_THAT(container.digest_reason, HasSubstr("OPBENCH_CONTAINER_DIGEST"));
}

TEST(Container, TakesTheDigestThatIsGiven) {
  const FakeRoot root;
  ::setenv("OPBENCH_CONTAINER_DIGEST", "sha256:abcd", 1);
  EXPECT_EQ(find_container(root.path()).digest, "sha256:abcd");
  ::unsetenv("OPBENCH_CONTAINER_DIGEST");
  EXPECT_FALSE(find_container(root.path()).digest);
}

/// As reports and records have it.
Json captured(const std::filesystem::path& root = "/") {
  return to_json(capture_environment(root));
}

/// Every null has its reason, and no reason stands beside a value.
void expect_reasons(const Json& json, const std::string& at) {
  if (!json.is_object()) return;
  for (const auto& [name, value] : json.items()) {
    if (name.ends_with("_reason")) continue;
    const std::string reason = name + "_reason";
    EXPECT_EQ(value.is_null(), json.contains(reason)) << at << "." << name;
    if (json.contains(reason)) {
      EXPECT_NE(json[reason], "") << at << "." << name;
    }
    expect_reasons(value, at + "." + name);
  }
}

TEST(Environment, GivesAReasonForEveryNull) {
  expect_reasons(captured(), "here");
  const FakeRoot empty;
  const Json nothing = captured(empty.path());
  expect_reasons(nothing, "empty");
  EXPECT_TRUE(nothing["machine"]["cpu_model"].is_null());
  EXPECT_TRUE(nothing["state"]["governor"].is_null());
  EXPECT_TRUE(nothing["software"]["distribution"].is_null());
}

TEST(Environment, DescribesThisMachine) {
  const Json environment = captured();
  EXPECT_GE(environment["machine"]["cpus"], 1);
  EXPECT_FALSE(environment["machine"]["isa_flags"].empty());
  EXPECT_GT(environment["machine"]["memory_bytes"].get<int64_t>(), 1 << 20);
  EXPECT_EQ(environment["software"]["opbench"], OPBENCH_VERSION);
  EXPECT_THAT(environment["software"]["compiler_flags"].get<std::string>(),
              HasSubstr("-std=c++20"));
  EXPECT_TRUE(environment["software"]["libraries"].contains("libc.so.6"));
  EXPECT_EQ(environment["machine_hash"].get<std::string>().size(), 64u);
  EXPECT_NE(environment["machine_hash"], environment["software_hash"]);
}

TEST(Environment, SaysWhichCpuTheResultsAreFor) {
  const Json before = [] {
    const CapForTest none("");
    return captured();
  }();
  EXPECT_FALSE(before["machine"].contains("cpu_cap"));
  const CapForTest cap("nehalem");
  const Json capped = captured();
  EXPECT_EQ(capped["machine"]["cpu_cap"], "nehalem");
  EXPECT_EQ(capped["machine"]["isa_flags"], Json(cpu_flags()));
  EXPECT_NE(capped["machine_hash"], before["machine_hash"]);
  const FakeRoot elsewhere;
  EXPECT_FALSE(captured(elsewhere.path())["machine"].contains("cpu_cap"));
}

TEST(Environment, HoldsNoNameOfHostOrUser) {
  char host[256] = {};
  ASSERT_EQ(gethostname(host, sizeof host - 1), 0);
  const std::string text = captured().dump();
  if (std::string(host).size() > 3 && std::string(host) != "debian") {
    EXPECT_THAT(text, testing::Not(HasSubstr(host)));
  }
  if (const char* home = std::getenv("HOME"); home != nullptr && std::string(home).size() > 1) {
    EXPECT_THAT(text, testing::Not(HasSubstr(home)));
  }
}

TEST(Environment, ReadsAMachineWithFrequencyControl) {
  FakeRoot root;
  const std::string cpu = "sys/devices/system/cpu/";
  root.file(cpu + "cpufreq/policy0/scaling_governor", "powersave\n")
      .file(cpu + "cpufreq/policy1/scaling_governor", "performance\n")
      .file(cpu + "cpufreq/policy0/scaling_max_freq", "3500000\n")
      .file(cpu + "intel_pstate/no_turbo", "1\n")
      .file(cpu + "vulnerabilities/meltdown", "Not affected\n")
      .file(cpu + "cpu0/thermal_throttle/core_throttle_count", "3\n")
      .file(cpu + "cpu1/thermal_throttle/core_throttle_count", "4\n")
      .file("sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never\n")
      .file("proc/sys/kernel/randomize_va_space", "2\n")
      .file("proc/loadavg", "0.25 1.50 2.00 1/100 42\n")
      .file("proc/pressure/cpu", "some avg10=12.50 avg60=1.00 avg300=0.10 total=5\n")
      .file("proc/stat", "cpu  1 2 3 4 5 6 7 250 0 0\ncpu0 1\n")
      .file("sys/class/thermal/thermal_zone0/temp", "45500\n")
      .file("sys/class/power_supply/AC/type", "Mains\n")
      .file("sys/class/power_supply/AC/online", "0\n");
  const Json state = captured(root.path())["state"];
  EXPECT_EQ(state["governor"], "performance,powersave");
  EXPECT_EQ(state["frequency_max_mhz"], 3500);
  EXPECT_EQ(state["boost"], "off");
  EXPECT_EQ(state["mitigations"]["meltdown"], "Not affected");
  EXPECT_EQ(state["throttle_count"], 7);
  EXPECT_EQ(state["transparent_hugepages"], "madvise");
  EXPECT_EQ(state["aslr"], 2);
  EXPECT_EQ(state["load_average"], Json({0.25, 1.5, 2.0}));
  EXPECT_EQ(state["cpu_pressure_percent"], 12.5);
  EXPECT_EQ(state["steal_s"], 2.5);
  EXPECT_EQ(state["temperature_c"], 45.5);
  EXPECT_EQ(state["power"], "battery");
}

TEST(Environment, ReadsTheProcessorFromItsFirstBlock) {
  FakeRoot root;
  root.file("proc/cpuinfo",
            "processor\t: 0\nvendor_id\t: GenuineIntel\nmodel\t\t: 85\n"
            "model name\t: Intel(R) Xeon(R)\nmicrocode\t: 0x1\nflags\t\t: sse2 avx2\n\n"
            "processor\t: 1\nvendor_id\t: Other\n")
      .file("proc/meminfo", "MemFree: 1 kB\nMemTotal:       16384 kB\n");
  const Json machine = captured(root.path())["machine"];
  EXPECT_EQ(machine["cpu_vendor"], "GenuineIntel");
  EXPECT_EQ(machine["cpu_model"], "Intel(R) Xeon(R)");
  EXPECT_EQ(machine["cpu_model_number"], "85");
  EXPECT_EQ(machine["isa_flags"], Json({"avx2", "sse2"}));
  EXPECT_EQ(machine["memory_bytes"], 16384 * 1024);
  EXPECT_TRUE(machine["hypervisor"].is_null());
}

TEST(Environment, NamesHypervisors) {
  EXPECT_EQ(hypervisor_name("KVMKVMKVM"), "KVM");
  EXPECT_EQ(hypervisor_name("Microsoft Hv"), "Hyper-V");
  EXPECT_EQ(hypervisor_name(" prl hyperv "), "Parallels");
  EXPECT_EQ(hypervisor_name("xen"), "Xen");
  EXPECT_EQ(hypervisor_name("NewNewNewNew"), "NewNewNewNew");
  EXPECT_EQ(hypervisor_name(""), "an unnamed hypervisor");

  FakeRoot root;
  root.file("sys/hypervisor/type", "xen\n");
  EXPECT_EQ(captured(root.path())["machine"]["hypervisor"], "Xen");
}

TEST(Environment, KeepsItsHashesWhenOnlyTheLoadChanges) {
  const Json first = captured();
  const Json second = captured();
  EXPECT_EQ(first["machine_hash"], second["machine_hash"]);
  EXPECT_EQ(first["software_hash"], second["software_hash"]);
}

TEST(Environment, KeepsItsSoftwareHashWhenALibraryIsLoadedLater) {
  const Json before = captured();
  void* const library = dlopen("libBrokenLocale.so.1", RTLD_NOW);
  ASSERT_NE(library, nullptr) << dlerror();
  const Json after = captured();
  dlclose(library);
  EXPECT_EQ(before["software"], after["software"]);
  EXPECT_EQ(before["software_hash"], after["software_hash"]);
}

TEST(Environment, RoundsMemoryInTheHash) {
  Json machine = {{"memory_bytes", (int64_t{16} << 30) - 300'000'000}};
  Json rebooted = {{"memory_bytes", (int64_t{16} << 30) - 310'000'000}};
  Json other = {{"memory_bytes", int64_t{32} << 30}};
  EXPECT_EQ(stable_part(machine), stable_part(rebooted));
  EXPECT_NE(stable_part(machine), stable_part(other));
}

TEST(Environment, ShowsADifferentCompilerInTheSoftwareHashOnly) {
  Json software = captured()["software"];
  const std::string before = sha256(canonical_text(software));
  software["compiler"] = "Clang 14";
  EXPECT_NE(sha256(canonical_text(software)), before);
}

TEST(Environment, ComesBackFromItsJson) {
  const Environment here = capture_environment();
  EXPECT_EQ(environment_from(to_json(here)), here);
  EXPECT_TRUE(here.machine->others.empty());
  EXPECT_TRUE(here.state->others.empty());
  EXPECT_TRUE(here.software->others.empty());
  const FakeRoot empty;
  const Environment nothing = capture_environment(empty.path());
  EXPECT_EQ(environment_from(to_json(nothing)), nothing);
  EXPECT_FALSE(nothing.machine->cpu_model.value);
  EXPECT_EQ(nothing.machine->cpu_model.reason, "not in /proc/cpuinfo");
}

// Of another build: fields that it lacks, that only it has, and that have another form there.
TEST(Environment, KeepsWhatAnotherVersionWrote) {
  const char* text = R"({
    "machine": {"cpu_model": "A CPU", "cores": "two", "cpus": 4.5, "smt": 1, "gpu": {"name": "B"},
                "caches": [{"level": 1, "bytes": 32768}], "hypervisor": null,
                "memory_bytes": 8, "memory_bytes_reason": "a guess", "cpu_quota": 2.0,
                "microcode": null, "microcode_reason": "", "numa_nodes": 7,
                "isa_flags": ["avx", 2]},
    "state": {}, "software": null, "machine_hash": 5, "software_hash": "", "passport": [1, 2]})";
  const Json json = Json::parse(text);
  const Environment environment = environment_from(json);
  EXPECT_EQ(canonical_text(to_json(environment)), canonical_text(json));
  EXPECT_EQ(environment.machine->cpu_model.value, "A CPU");
  EXPECT_TRUE(environment.machine->hypervisor.is_there);
  EXPECT_EQ(environment.machine->memory_bytes.value, 8);
  EXPECT_FALSE(environment.machine->cores.is_there);
  EXPECT_FALSE(environment.machine->architecture.is_there);
  EXPECT_EQ(environment.machine->others.at("gpu"), R"({"name":"B"})");
  EXPECT_TRUE(environment.state);
  EXPECT_FALSE(environment.software);
  EXPECT_EQ(environment.machine_hash, "");
  EXPECT_EQ(environment_from(Json::parse("[1]")), Environment());
  EXPECT_TRUE(to_json(Environment()).empty());
}

TEST(EnvironmentDiff, NamesEachFieldThatDiffers) {
  const Json a = {{"machine", {{"cpu_model", "A"}, {"isa_flags", {"avx", "avx2"}}}},
                  {"software", {{"npm", {{"onnxruntime-node", "1.30.0"}}}, {"kernel", "6.1"}}},
                  {"state", {{"governor", nullptr}, {"governor_reason", "none"}}},
                  {"machine_hash", "1"}};
  Json b = a;
  EXPECT_TRUE(environment_diff(environment_from(a), environment_from(b)).empty());
  b["machine"]["isa_flags"] = {"avx", "sse2"};
  b["software"]["npm"]["onnxruntime-node"] = "1.31.0";
  b["state"] = {{"governor", "performance"}};
  b["machine_hash"] = "2";
  const Json expected = Json::parse(R"([
    {"field": "machine.isa_flags", "a": ["avx2"], "b": ["sse2"]},
    {"field": "software.npm.onnxruntime-node", "a": "1.30.0", "b": "1.31.0"},
    {"field": "state.governor", "a": null, "b": "performance"}])");
  EXPECT_EQ(environment_diff(environment_from(a), environment_from(b)), expected);
  EXPECT_EQ(environment_diff(environment_from(a), {}).size(), 3u);
}

TEST(EnvironmentDiff, DoesNotMindTheOrderOfFields) {
  const Json a = Json::parse(R"({"machine": {"caches": [{"level": 1, "bytes": 2}]}})");
  const Json b = Json::parse(R"({"machine": {"caches": [{"bytes": 2, "level": 1}]}})");
  EXPECT_TRUE(environment_diff(environment_from(a), environment_from(b)).empty());
}

TEST(NpmVersions, ReadsTheNearestNodeModules) {
  FakeRoot root;
  root.file("a/b/c/x", "")
      .file("a/node_modules/.package-lock.json",
            R"({"packages": {"node_modules/onnxruntime-node": {"version": "1.30.0"},
                 "node_modules/x/node_modules/@s/y": {"version": "2.0.0"}}})");
  EXPECT_EQ(npm_versions(root.path() / "a/b/c"),
            (NamedTexts{{"@s/y", "2.0.0"}, {"onnxruntime-node", "1.30.0"}}));
}

}  // namespace
}  // namespace opbench
