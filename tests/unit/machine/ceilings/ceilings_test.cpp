#include "machine/ceilings/ceilings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "base/files/file.h"
#include "base/tensors/tensor.h"
#include "machine/ceilings/bursts.h"
#include "machine/ceilings/ceiling_kernels.h"
#include "machine/facts/clock.h"
#include "machine/resources/pinning.h"

namespace opbench {
namespace {

using testing::HasSubstr;

constexpr int64_t kMiB = 1 << 20;

Topology fixture(const std::string& name) {
  const std::string path = OPBENCH_TEST_FIXTURES "/hwloc/" + name;
  return read_topology(read_file(path).value(), path).value();
}

Ceilings example() {
  return {.cpus = {0, 1},
          .isa = "avx2",
          .peak_one_thread = 50.25,
          .peak_all_threads = 100.5,
          .bandwidth = {{"L1", 16384, 200, 400}, {"DRAM", 64 * kMiB, 20, 30}}};
}

/// Every loop that this CPU can run.
std::vector<KernelIsa> isas() {
  std::vector<KernelIsa> result = {KernelIsa::kPortable};
  if (widest_isa() >= KernelIsa::kAvx2) result.push_back(KernelIsa::kAvx2);
  if (widest_isa() >= KernelIsa::kAvx512) result.push_back(KernelIsa::kAvx512);
  return result;
}

TEST(CeilingKernels, ComputeWhatTheyClaim) {
  for (const KernelIsa isa : isas()) {
    const double lanes = flops_of_round(isa) / 2 / 12;
    // Chain i starts at i: 0 + 1 + … + 11 = 66; a round halves and adds 1; the limit is 2.
    EXPECT_FLOAT_EQ(run_multiply_adds(isa, 0), static_cast<float>(66 * lanes)) << name_of(isa);
    EXPECT_FLOAT_EQ(run_multiply_adds(isa, 1), static_cast<float>((33 + 12) * lanes));
    EXPECT_FLOAT_EQ(run_multiply_adds(isa, 1000), static_cast<float>(24 * lanes));
  }
}

TEST(CeilingKernels, ReadEveryByte) {
  constexpr size_t kBytes = 3 * 512;
  for (const KernelIsa isa : isas()) {
    for (const size_t at : {size_t{0}, size_t{8}, size_t{511}, size_t{512}, kBytes - 1}) {
      Bytes data(kBytes, std::byte{0});
      EXPECT_EQ(run_reads(isa, data.data(), kBytes, 1), 0u);
      data[at] = std::byte{1};
      EXPECT_NE(run_reads(isa, data.data(), kBytes, 2), 0u) << name_of(isa) << " at " << at;
    }
  }
}

TEST(Bursts, GiveLikeCoresTheSameRuns) {
  EXPECT_EQ(runs_of_burst({1e-6, 1.2e-6}), (std::vector<int64_t>{500, 500}));
  EXPECT_EQ(runs_of_burst({1e-6, 2e-6}), (std::vector<int64_t>{500, 250}));
  EXPECT_EQ(runs_of_burst({1.0}), std::vector<int64_t>{1});
  EXPECT_EQ(runs_of_burst({0.0}).front(), 500'000'000);
}

TEST(Bursts, FailWhereAThreadCannotBePinned) {
  const auto work = [] { return BurstWork{.run = [](int64_t) {}, .amount = 1}; };
  const auto rate = best_rate({current_affinity().front(), 60000}, 0.001, work);
  ASSERT_FALSE(rate);
  EXPECT_EQ(rate.error().code, ErrorCode::kInvalidInput);
  EXPECT_THAT(rate.error().message, HasSubstr("\"60000\""));
  EXPECT_FALSE(remeasure_peak({60000}));
  EXPECT_FALSE(remeasure_peak({}));
}

TEST(Bursts, FailWhereMemoryIsMissing) {
  const auto work = []() -> BurstWork { throw std::bad_alloc(); };
  const auto rate = best_rate(current_affinity(), 0.001, work);
  ASSERT_FALSE(rate);
  EXPECT_EQ(rate.error().code, ErrorCode::kSystem);
}

TEST(Ceilings, ReadEachLevelAndNoOther) {
  const Topology one = fixture("smt-4x2.xml");  // 32 KiB, 256 KiB, 8 MiB for all
  EXPECT_EQ(bytes_to_read(one, 1, 0, 1), 16 << 10);
  EXPECT_EQ(bytes_to_read(one, 2, 0, 1), 128 << 10);
  EXPECT_EQ(bytes_to_read(one, 3, 0, 1), kMiB);
  EXPECT_EQ(bytes_to_read(one, 3, 0, 4), 512 << 10);
  EXPECT_EQ(bytes_to_read(one, 4, 0, 1), 64 * kMiB);
  EXPECT_EQ(bytes_to_read(one, 4, 0, 4), 16 * kMiB);
  const Topology many = fixture("two-socket-64.xml");  // 1 MiB; 32 MiB for each 16 cores
  EXPECT_EQ(bytes_to_read(many, 3, 0, 1), 4 * kMiB);
  EXPECT_EQ(bytes_to_read(many, 3, 0, 64), 2 * kMiB);
  EXPECT_EQ(bytes_to_read(many, 4, 0, 1), 128 * kMiB);
  EXPECT_EQ(bytes_to_read(many, 4, 0, 64), 8 * kMiB);
  EXPECT_EQ(bytes_to_read(Topology{}, 1, 0, 1), 0);
  EXPECT_EQ(bytes_to_read(Topology{}, 4, 0, 1), 64 * kMiB);
}

TEST(Ceilings, SurviveTheirText) {
  EXPECT_EQ(parse_ceilings(to_text(example())).value(), example());
  for (const char* bad : {"", "{}", "[1]", R"({"schema":"opbench.ceilings/9"})",
                          R"({"schema":"opbench.ceilings/1","cpus":"x"})"}) {
    const auto parsed = parse_ceilings(bad);
    ASSERT_FALSE(parsed) << bad;
    EXPECT_EQ(parsed.error().code, ErrorCode::kInvalidInput);
  }
}

TEST(Ceilings, ComeFromTheCacheOfTheSameCpusAndMachine) {
  const auto folder = TemporaryFolder::make().value();
  const std::string hash(64, 'a');
  ASSERT_TRUE(write_file(folder.path() / "ceilings-aaaaaaaaaaaaaaaa-2.json", to_text(example())));
  EXPECT_EQ(ceilings({0, 1}, Topology{}, hash, folder.path()).value(), example());
  // Other CPUs are measured, here in vain.
  EXPECT_FALSE(ceilings({60000, 60001}, Topology{}, hash, folder.path()));
}

TEST(Ceilings, AreMeasuredAndKept) {
  const auto folder = TemporaryFolder::make().value();
  const std::vector<int> cpus = {current_affinity().front()};
  const auto measured = ceilings(cpus, Topology{}, std::string(64, 'b'), folder.path() / "new");
  ASSERT_TRUE(measured) << to_text(measured.error());
  EXPECT_EQ(measured->isa, name_of(widest_isa()));
  EXPECT_GT(measured->peak_one_thread, 0);
  EXPECT_EQ(measured->peak_all_threads, measured->peak_one_thread);
  ASSERT_EQ(measured->bandwidth.size(), 1u);  // a machine of which only its memory is known
  EXPECT_EQ(measured->bandwidth[0].level, "DRAM");
  EXPECT_GT(measured->bandwidth[0].one_thread, 0);
  const auto again = ceilings(cpus, Topology{}, std::string(64, 'b'), folder.path() / "new");
  EXPECT_EQ(again.value(), *measured);
}

TEST(Clock, CostsSomething) {
  const ClockCost cost = measure_clock();
  EXPECT_GT(cost.resolution_ns, 0);
  EXPECT_GT(cost.overhead_ns, 0);
  EXPECT_TRUE(std::isfinite(cost.overhead_ns));
}

}  // namespace
}  // namespace opbench
