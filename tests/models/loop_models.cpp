#include "loop_models.h"

namespace opbench::test {
namespace {

const char* const kHead = R"(<ir_version: 8, opset_import: ["" : 17]> )";

/// Three times v = (v + w) * i, whose rows are summed and stacked; w belongs to the graph around.
const char* const kSums = R"(
sums (float[4,8] x, float[8] w) => (float[4,8] y, float[3,4] rows)
<int64 three = {3}, bool yes = {1}, int64[1] axis = {1}> {
  y, rows = Loop <body = body (int64 i, bool going, float[4,8] v) =>
                              (bool going_on, float[4,8] next, float[4] row) {
    at = Cast <to = 1> (i)
    sum = Add (v, w)
    next = Mul (sum, at)
    row = ReduceSum <keepdims = 0> (next, axis)
    going_on = Identity (going)
  }> (three, yes, x)
})";

/// Doubles while i * i < 10: four times. The loop has no trip count.
const char* const kUntil = R"(
until (float[2,3] x) => (float[2,3] y, int64[n] squares)
<int64 ten = {10}, bool yes = {1}> {
  y, squares = Loop <body = body (int64 i, bool going, float[2,3] v) =>
                                 (bool going_on, float[2,3] next, int64 square) {
    one = Constant <value_int = 1> ()
    after = Add (i, one)
    square = Mul (after, after)
    going_on = Less (square, ten)
    next = Add (v, v)
  }> (_, yes, x)
})";

/// An outer loop of three, whose inner loop runs i times, and an If that takes turns.
const char* const kNested = R"(
nested (float[2,3] x) => (float[2,3] y)
<int64 three = {3}, int64 two = {2}, int64 zero = {0}, bool yes = {1}> {
  y = Loop <body = outer (int64 i, bool going, float[2,3] v) =>
                         (bool going_on, float[2,3] next) {
    going_on = Identity (going)
    inside = Loop <body = inner (int64 j, bool inner_going, float[2,3] u) =>
                                (bool inner_going_on, float[2,3] inner_next) {
      inner_going_on = Identity (inner_going)
      grown = Add (u, x)
      inner_next = Tanh (grown)
    }> (i, yes, v)
    rest = Mod (i, two)
    is_even = Equal (rest, zero)
    next = If (is_even) <then_branch = even () => (float[2,3] a) { a = Abs (inside) },
                         else_branch = odd () => (float[2,3] b) { b = Neg (inside) }>
  }> (three, yes, x)
})";

/// A state, two inputs scanned along other axes, one of them backward, and two outputs likewise.
const char* const kScan = R"(
scan (float[3] start, float[3,5] a, float[5,3] b) => (float[3] last, float[3,5] sums, float[5,3] products) {
  last, sums, products = Scan <num_scan_inputs = 2, scan_input_axes = [1, 0], scan_input_directions = [0, 1],
                               scan_output_axes = [-1, 0], scan_output_directions = [0, 1],
                               body = body (float[3] state, float[3] left, float[3] right) =>
                                           (float[3] next, float[3] sum, float[3] product) {
    sum = Add (left, state)
    product = Mul (left, right)
    next = Sub (sum, product)
  }> (start, a, b)
})";

/// As often as the input says.
const char* const kCounted = R"(
counted (float[2,3] x, int64 n) => (float[2,3] y)
<bool yes = {1}> {
  y = Loop <body = body (int64 i, bool going, float[2,3] v) => (bool going_on, float[2,3] next) {
    going_on = Identity (going)
    next = Add (v, x)
  }> (n, yes, x)
})";

/// While the sum is below 100: only the run tells.
const char* const kData = R"(
data (float[2,3] x) => (float[2,3] y)
<float most = {100}, bool yes = {1}> {
  y = Loop <body = body (int64 i, bool going, float[2,3] v) => (bool going_on, float[2,3] next) {
    next = Add (v, v)
    sum = ReduceSum <keepdims = 0> (next)
    going_on = Less (sum, most)
  }> (_, yes, x)
})";

/// A choice that only the run makes, between results of one type.
const char* const kChoice = R"(
choice (float[64,64] x) => (float[64,64] y)
<float least = {0}> {
  sum = ReduceSum <keepdims = 0> (x)
  is_more = Greater (sum, least)
  y = If (is_more) <then_branch = more () => (float[64,64] a) { a = Abs (x) },
                    else_branch = less () => (float[64,64] b) { b = Neg (x) }>
})";

/// The same between results of two types.
const char* const kTwoShapes = R"(
two_shapes (float[2,3] x) => (float[n,3] y)
<float least = {0}> {
  sum = ReduceSum <keepdims = 0> (x)
  is_more = Greater (sum, least)
  y = If (is_more) <then_branch = more () => (float[4,3] a) { a = Concat <axis = 0> (x, x) },
                    else_branch = less () => (float[2,3] b) { b = Neg (x) }>
})";

}  // namespace

std::map<std::string, std::string> loop_models() {
  std::map<std::string, std::string> models = {
      {"loop_sums", kSums},     {"loop_until", kUntil},         {"loop_nested", kNested},
      {"loop_scan", kScan},     {"loop_counted", kCounted},     {"loop_data", kData},
      {"loop_choice", kChoice}, {"loop_two_shapes", kTwoShapes}};
  for (auto& [name, text] : models) text = kHead + text;
  return models;
}

}  // namespace opbench::test
