#include "prediction/why/machine_code.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace opbench {
namespace {

// What GNU objdump prints of a kernel with one parallel loop of 21 tasks.
const std::string kListing = R"(
k.o:     file format elf64-x86-64

Disassembly of section .text.k_ab_par_for_out_s0_task:

0000000000000000 <k_ab_par_for_out_s0_task>:
   0:	push   %r15
  10:	mov    $0x10,%eax
  20:	vbroadcastss -0x10c(%rcx,%rdi,1),%zmm25
  28:	vmovaps -0x3c0(%rsi),%zmm26
  30:	vfmadd231ps %zmm25,%zmm26,%zmm24
  36:	vfmadd231ps 0x40(%rsp),%zmm26,%zmm23
  40:	vmovups %zmm23,0x80(%rsp)
  48:	add    $0x4,%rdi
  4c:	jne    20 <k_ab_par_for_out_s0_task+0x20>
  50:	vaddps %zmm1,%zmm2,%zmm3
  56:	dec    %eax
  58:	jne    10 <k_ab_par_for_out_s0_task+0x10>
  5a:	ret

Disassembly of section .text.k_ab:

0000000000000000 <k_ab>:
   0:	sub    $0x38,%rsp
  1f:	mov    0x0(%rip),%rsi        # 26 <k_ab+0x26>
			22: R_X86_64_GOTPCREL	k_ab_par_for_out_s0_task-0x4
  26:	lea    0x20(%rsp),%r8
  2b:	xor    %edx,%edx
  2d:	mov    $0x15,%ecx
  32:	call   37 <k_ab+0x37>
			33: R_X86_64_PLT32	halide_do_par_for-0x4
)";

TEST(MachineCode, CountsTheInnermostLoopThatComputes) {
  const MachineCode code = read_listing(kListing);
  ASSERT_TRUE(code.hot);
  EXPECT_EQ(code.hot->function, "k_ab_par_for_out_s0_task");
  EXPECT_TRUE(code.hot->is_loop);
  EXPECT_EQ(code.hot->instructions, 7);
  EXPECT_EQ(code.hot->arithmetic, 2);
  EXPECT_EQ(code.hot->multiply_adds, 2);
  EXPECT_EQ(code.hot->scalar, 0);
  EXPECT_EQ(code.hot->vector_bits, 512);
  EXPECT_EQ(code.hot->memory, 4);
  EXPECT_EQ(code.hot->stack_loads, 1);
  EXPECT_EQ(code.hot->stack_stores, 1);
  EXPECT_EQ(code.hot->text.front(), "vbroadcastss -0x10c(%rcx,%rdi,1),%zmm25");
}

TEST(MachineCode, ReadsTheTasksOfTheParallelLoopFromItsCall) {
  const MachineCode code = read_listing(kListing);
  ASSERT_EQ(code.parallel.size(), 1);
  EXPECT_EQ(code.parallel[0].tasks, 21);
  EXPECT_EQ(parallel_tasks(code), 21);
}

TEST(MachineCode, KnowsNoTasksWhereTheyAreFoundAtRunTime) {
  std::string listing = kListing;
  listing.replace(listing.find("mov    $0x15,%ecx"), 17, "mov    %r9d,%ecx ");
  EXPECT_EQ(parallel_tasks(read_listing(listing)), std::nullopt);
}

TEST(MachineCode, HasOneTaskWhereTheLoopIsInNoParallelOne) {
  const MachineCode code = read_listing(
      "0000000000000000 <k_ab>:\n"
      "   0:\tvmulss (%rsi),%xmm1,%xmm2\n"
      "   4:\tvaddss %xmm1,%xmm2,%xmm3\n"
      "   8:\tjne    0 <k_ab>\n");
  ASSERT_TRUE(code.hot);
  EXPECT_EQ(code.hot->scalar, 2);
  EXPECT_EQ(code.hot->vector_bits, 32);
  EXPECT_EQ(parallel_tasks(code), 1);
}

TEST(MachineCode, TakesPackedIntegersForNoSingleNumbers) {
  const MachineCode code = read_listing(
      "0000000000000000 <k_ab>:\n"
      "   0:\tvpdpbusd (%rsi),%ymm1,%ymm2\n"
      "   4:\tvpmaxsd %ymm2,%ymm3,%ymm4\n"
      "   8:\tjne    0 <k_ab>\n");
  ASSERT_TRUE(code.hot);
  EXPECT_EQ(code.hot->arithmetic, 2);
  EXPECT_EQ(code.hot->scalar, 0);
  EXPECT_EQ(code.hot->vector_bits, 256);
}

TEST(MachineCode, ReadsTheListingOfLlvm) {
  const MachineCode code = read_listing(
      "0000000000000000 <k_ab_par_for_x>:\n"
      "       0: \tvmulps\t(%rsi), %ymm1, %ymm2\n"
      "       4: \tjne\t0x0 <k_ab_par_for_x>\n"
      "0000000000000000 <k_ab>:\n"
      "      1f: \tmovq\t(%rip), %rsi\n"
      "\t\t0000000000000022:  R_X86_64_GOTPCREL\tk_ab_par_for_x-0x4\n"
      "      2d: \tmovl\t$6, %ecx\n"
      "      32: \tcallq\t0x37 <k_ab+0x37>\n"
      "\t\t0000000000000033:  R_X86_64_PLT32\thalide_do_par_for-0x4\n");
  ASSERT_EQ(code.parallel.size(), 1);
  EXPECT_EQ(code.parallel[0].tasks, 6);
  EXPECT_EQ(code.parallel[0].function, "k_ab_par_for_x");
}

TEST(MachineCode, FindsNothingInOtherText) {
  const MachineCode code = read_listing("objdump: 'x.o': No such file\n");
  EXPECT_FALSE(code.hot);
  EXPECT_EQ(parallel_tasks(code), std::nullopt);
}

}  // namespace
}  // namespace opbench
