#include "machine/facts/topology.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

#include "base/files/file.h"
#include "machine/facts/cpu_list.h"
#include "machine/resources/cpu_choice.h"
#include "machine/resources/pinning.h"

namespace opbench {
namespace {

using testing::HasSubstr;
using Cpus = std::vector<int>;

Topology fixture(const std::string& name) {
  const std::string path = OPBENCH_TEST_FIXTURES "/hwloc/" + name;
  return read_topology(read_file(path).value(), path).value();
}

Cpus chosen(const Topology& topology, int threads, const Cpus& allowed) {
  const auto cpus = choose_cpus(topology, threads, allowed);
  EXPECT_TRUE(cpus) << (cpus ? "" : to_text(cpus.error()));
  return cpus.value_or(Cpus{});
}

Cpus chosen(const Topology& topology, int threads) {
  return chosen(topology, threads, topology.cpus());
}

Cpus even_numbers(int first, int last) {
  Cpus cpus;
  for (int cpu = first; cpu <= last; cpu += 2) cpus.push_back(cpu);
  return cpus;
}

TEST(Topology, ReadsATwoSocketMachine) {
  const Topology topology = fixture("two-socket-64.xml");
  EXPECT_EQ(topology.packages, 2);
  EXPECT_EQ(topology.cores.size(), 64u);
  EXPECT_EQ(topology.numa_nodes.size(), 4u);
  EXPECT_EQ(topology.numa_nodes[1].cpus, even_numbers(32, 62));
  EXPECT_EQ(topology.cores[0].cpus, Cpus{0});
  EXPECT_EQ(topology.cores[32].cpus, Cpus{1});
  EXPECT_EQ(topology.cores[32].package, 1);
  EXPECT_EQ(topology.cache_bytes(1, 5), 32 << 10);
  EXPECT_EQ(topology.cache_bytes(2, 5), 1 << 20);
  EXPECT_EQ(topology.cache_bytes(3, 5), 32 << 20);
  EXPECT_EQ(topology.cache_bytes(4, 5), 0);
}

TEST(Topology, KnowsWhichCpusShareACache) {
  const Topology sockets = fixture("two-socket-64.xml");
  EXPECT_TRUE(sockets.share_cache(0, 2));
  EXPECT_FALSE(sockets.share_cache(0, 1)) << "on the other socket";
  EXPECT_FALSE(sockets.share_cache(0, 1000));
}

TEST(Topology, ReadsTheKindsOfAHybridMachine) {
  const Topology topology = fixture("hybrid-4p4e.xml");
  ASSERT_EQ(topology.cores.size(), 8u);
  EXPECT_EQ(topology.cores[0].kind, "IntelAtom");
  EXPECT_EQ(topology.cores[0].cpus, Cpus{0});
  EXPECT_EQ(topology.cores[4].kind, "IntelCore");
  EXPECT_EQ(topology.cores[4].cpus, (Cpus{4, 5}));
  EXPECT_GT(topology.cores[4].efficiency, topology.cores[0].efficiency);
}

TEST(Topology, RefusesWhatIsNotHwlocXml) {
  const auto topology = read_topology("<html></html>", "page.html");
  ASSERT_FALSE(topology);
  EXPECT_EQ(topology.error().code, ErrorCode::kInvalidInput);
  EXPECT_THAT(topology.error().message, HasSubstr("\"page.html\""));
}

TEST(Topology, ReadsThisMachine) {
  const auto topology = this_topology();
  ASSERT_TRUE(topology);
  EXPECT_FALSE(topology->cores.empty());
  for (const int cpu : current_affinity()) {
    EXPECT_THAT(topology->cpus(), testing::Contains(cpu));
  }
}

TEST(ChooseCpus, FillsOneNumaNodeBeforeTheNext) {
  const Topology topology = fixture("two-socket-64.xml");
  EXPECT_EQ(chosen(topology, 1), Cpus{0});
  EXPECT_EQ(chosen(topology, 4), (Cpus{0, 2, 4, 6}));
  EXPECT_EQ(chosen(topology, 16), even_numbers(0, 30));
  EXPECT_EQ(chosen(topology, 32), even_numbers(0, 62));
  Cpus all = even_numbers(0, 62);
  const Cpus second_socket = even_numbers(1, 63);
  all.insert(all.end(), second_socket.begin(), second_socket.end());
  EXPECT_EQ(chosen(topology, 64), all);
}

TEST(ChooseCpus, TakesTheNodeThatHasRoomForAllThreads) {
  const Topology topology = fixture("two-socket-64.xml");
  EXPECT_EQ(chosen(topology, 3, {0, 2, 1, 3, 5, 7}), (Cpus{1, 3, 5}));
  EXPECT_EQ(chosen(topology, 2, {0, 2, 1, 3, 5, 7}), (Cpus{0, 2}));
  EXPECT_EQ(chosen(topology, 5, {0, 2, 1, 3, 5, 7}), (Cpus{0, 2, 1, 3, 5}));
  // No node has three cores, but the second package has.
  EXPECT_EQ(chosen(topology, 3, {0, 2, 1, 3, 33}), (Cpus{1, 3, 33}));
}

TEST(ChooseCpus, TakesSmtSiblingsLast) {
  const Topology topology = fixture("smt-4x2.xml");
  EXPECT_EQ(topology.cores[0].cpus, (Cpus{0, 4}));
  EXPECT_EQ(chosen(topology, 4), (Cpus{0, 1, 2, 3}));
  EXPECT_EQ(chosen(topology, 6), (Cpus{0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(chosen(topology, 2, {0, 4, 5}), (Cpus{0, 5}));
  EXPECT_EQ(chosen(topology, 3, {0, 4, 5}), (Cpus{0, 5, 4}));
}

TEST(ChooseCpus, TakesPerformanceCoresFirst) {
  const Topology topology = fixture("hybrid-4p4e.xml");
  EXPECT_EQ(chosen(topology, 1), Cpus{4});
  EXPECT_EQ(chosen(topology, 4), (Cpus{4, 6, 8, 10}));
  EXPECT_EQ(chosen(topology, 6), (Cpus{4, 6, 8, 10, 0, 1}));
  EXPECT_EQ(chosen(topology, 12), (Cpus{4, 6, 8, 10, 0, 1, 2, 3, 5, 7, 9, 11}));
  EXPECT_EQ(chosen(topology, 2, {0, 1, 11}), (Cpus{11, 0}));
}

std::string failure(const Topology& topology, int threads, const Cpus& allowed) {
  const auto cpus = choose_cpus(topology, threads, allowed);
  EXPECT_FALSE(cpus);
  return cpus ? "" : to_text(cpus.error());
}

TEST(ChooseCpus, RefusesWhatTheMachineHasNot) {
  const Topology topology = fixture("smt-4x2.xml");
  EXPECT_THAT(failure(topology, 0, topology.cpus()), HasSubstr("\"0\" threads"));
  EXPECT_THAT(failure(topology, -3, topology.cpus()), HasSubstr("\"-3\" threads"));
  EXPECT_THAT(failure(topology, 9, topology.cpus()),
              HasSubstr("\"9\" threads do not fit on 8 CPUs"));
  EXPECT_THAT(failure(topology, 2, {1}), HasSubstr("\"2\" threads do not fit on 1 CPU:"));
  EXPECT_EQ(failure(topology, 1, {0, 8, 9, 11}),
            "error: CPUs \"8-9,11\" do not exist here\n  known: 0-7\n");
  EXPECT_THAT(failure(topology, 1, {8}), HasSubstr("CPU \"8\" does not exist"));
  EXPECT_THAT(failure(topology, 1, {}), HasSubstr("\"1\" threads do not fit on 0 CPUs"));
}

TEST(CpuList, ReadsNumbersAndRanges) {
  EXPECT_EQ(parse_cpu_list("0,2-5").value(), (Cpus{0, 2, 3, 4, 5}));
  EXPECT_EQ(parse_cpu_list("7").value(), Cpus{7});
  EXPECT_EQ(parse_cpu_list("3,1").value(), (Cpus{1, 3}));
  EXPECT_EQ(cpu_list_text({5, 0, 2, 3, 4}), "0,2-5");
  EXPECT_EQ(cpu_list_text({}), "");
}

TEST(CpuList, RefusesWhatIsNoList) {
  for (const std::string text : {"", "a", "1,", ",1", "1-", "-1", "1--2", "5-2", "1,1", "1-3,2",
                                 "0x1", "99999999999", "0-70000", "1 2"}) {
    const auto cpus = parse_cpu_list(text);
    ASSERT_FALSE(cpus) << text;
    EXPECT_EQ(cpus.error().code, ErrorCode::kInvalidInput);
    EXPECT_THAT(cpus.error().message, HasSubstr("\"" + text + "\""));
  }
}

TEST(Pinning, RestrictsTheThread) {
  const Cpus before = current_affinity();
  ASSERT_FALSE(before.empty());
  ASSERT_TRUE(pin_this_thread({before.back()}));
  EXPECT_EQ(current_affinity(), Cpus{before.back()});
  ASSERT_TRUE(pin_this_thread(before));
  EXPECT_EQ(current_affinity(), before);
}

TEST(Pinning, RefusesCpusThatAreNotThere) {
  const auto pinned = pin_this_thread({60000});
  ASSERT_FALSE(pinned);
  EXPECT_THAT(to_text(pinned.error()), HasSubstr("\"60000\""));
  EXPECT_FALSE(pin_this_thread({}));
}

}  // namespace
}  // namespace opbench
