#include "engines/onednn/convolution_ways.h"

namespace opbench {

using dnnl::algorithm;
using Tag = dnnl::memory::format_tag;

std::vector<ConvolutionWay> convolution_ways(const dnnl::memory::dims& source) {
  std::vector<ConvolutionWay> ways = {{algorithm::convolution_auto, "auto"},
                                      {algorithm::convolution_winograd, "winograd"}};
  constexpr size_t kImageRank = 4;
  constexpr int64_t kFewChannels = 8;  // such images are read in layouts of their own
  if (source.size() != kImageRank) return ways;
  for (const Tag tag : {Tag::nhwc, Tag::nChw16c, Tag::nChw8c}) {
    const Tag source_tag = source[1] < kFewChannels ? Tag::any : tag;
    ways.push_back({algorithm::convolution_direct, "direct", source_tag, tag});
  }
  return ways;
}

}  // namespace opbench
