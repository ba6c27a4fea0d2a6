#include "report_models.h"

namespace opbench::test {
namespace {

/// 16-bit floats from end to end: products, elements and movements.
const char* const kHalves = R"(<ir_version: 8, opset_import: ["" : 17]>
halves (float16[1,2,6,6] x) => (float16[1,72] y, float16[1,2,6,6] z)
<float[2,2,1,1] wide = {1, 2, 3, 4}, int64[2] flat = {1, 72}> {
  w = Cast <to = 10> (wide)
  c = Conv (x, w)
  r = Relu (c)
  d = Conv (r, w)
  s = Add (d, x)
  both = Concat <axis = 0> (s, d)
  a, z = Split <axis = 0> (both)
  t = Transpose <perm = [0, 2, 3, 1]> (a)
  y = Reshape (t, flat)
})";

/// Whose second result nobody reads, and ONNX wants.
const char* const kBest = R"(<ir_version: 8, opset_import: ["" : 17]>
best (float[6,4] x) => (float[6,2] y)
<int64[1] k = {2}> {
  v, i = TopK (x, k)
  y = Relu (v)
})";

/// A dropout whose mask is read, in a loop whose nodes are not in order.
const char* const kMasked = R"(<ir_version: 8, opset_import: ["" : 17]>
masked (float[2,3] x) => (float[2,3] y, bool[2,3] mask)
<int64 three = {3}, bool yes = {1}> {
  d, mask = Dropout (x)
  w = Where (mask, d, zero)
  zero = Sub (x, x)
  y = Loop <body = body (int64 i, bool going, float[2,3] v) => (bool going_on, float[2,3] next) {
    next = Add (squared, w)
    going_on = Identity (going)
    squared = Mul (v, v)
  }> (three, yes, x)
})";

/// Operands along an axis, as opset 6 has them: a bias of the channels, a factor of the images.
const char* const kAlongAxes = R"(<ir_version: 3, opset_import: ["" : 6]>
along_axes (float[2,2,2,2] x) => (float[2,2,2,2] y)
<float[2,2,1,1] w = {1, 2, 3, 4}, float[2] b = {10, 100}, float[2] f = {1, 2}> {
  c = Conv (x, w)
  biased = Add <axis = 1, broadcast = 1> (c, b)
  y = Mul <axis = 0, broadcast = 1> (biased, f)
})";

}  // namespace

std::map<std::string, std::string> report_models() {
  return {{"report_halves", kHalves},
          {"report_best", kBest},
          {"report_masked", kMasked},
          {"report_along_axes", kAlongAxes}};
}

}  // namespace opbench::test
