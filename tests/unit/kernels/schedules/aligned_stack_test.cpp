#include <gtest/gtest.h>

#include <regex>
#include <string>

#include "kernel_code.h"

namespace opbench {
namespace {

size_t matches(const std::string& text, const std::string& pattern) {
  const std::regex expression(pattern);
  return static_cast<size_t>(
      std::distance(std::sregex_iterator(text.begin(), text.end(), expression), {}));
}

// 28 sums, 4 vectors and a broadcast: one more than there are registers.
TEST(AlignedStack, VectorsThatLeaveRegistersLieOnCacheLines) {
  const std::string code = code_of("conv2d 1x1024x14x14 w:256x1024x1x1", "conv2d_pointwise",
                                   {{"tile_x", 7}, {"tile_co", 4}});
  EXPECT_GT(matches(code, "vfmadd"), 0U) << code;
  EXPECT_GT(matches(code, "vmovaps %zmm[0-9]+,(-?0x[0-9a-f]+)?\\(%rsp\\)"), 0U) << code;
  EXPECT_EQ(matches(code, "vmovups %zmm[0-9]+,(-?0x[0-9a-f]+)?\\(%rsp\\)"), 0U) << code;
}

}  // namespace
}  // namespace opbench
