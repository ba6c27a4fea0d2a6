#include "records/json/python_json.h"

#include <gtest/gtest.h>

#include <limits>

namespace opbench {
namespace {

std::string number(double value) {
  std::string text;
  append_python_number(text, value);
  return text;
}

TEST(PythonJson, WritesNumbersAsPythonDoes) {
  EXPECT_EQ(number(1e9), "1000000000.0");
  EXPECT_EQ(number(0.0001), "0.0001");
  EXPECT_EQ(number(1e-05), "1e-05");
  EXPECT_EQ(number(1.2345e-05), "1.2345e-05");
  EXPECT_EQ(number(9999999999999998.0), "9999999999999998.0");
  EXPECT_EQ(number(1e16), "1e+16");
  EXPECT_EQ(number(1.5e300), "1.5e+300");
  EXPECT_EQ(number(5e-324), "5e-324");
  EXPECT_EQ(number(0.0), "0.0");
  EXPECT_EQ(number(-0.0), "-0.0");
  EXPECT_EQ(number(-2.5), "-2.5");
  EXPECT_EQ(number(0.1), "0.1");
  EXPECT_EQ(number(1663918044.7181036), "1663918044.7181036");
  EXPECT_EQ(number(std::numeric_limits<double>::quiet_NaN()), "NaN");
  EXPECT_EQ(number(-std::numeric_limits<double>::infinity()), "-Infinity");
}

TEST(PythonJson, WritesStringsInAscii) {
  std::string text;
  append_python_string(text, "a\"\\/\b\f\n\r\t\x01\x7fé€😀");
  EXPECT_EQ(text, R"("a\"\\/\b\f\n\r\t\u0001\u007f\u00e9\u20ac\ud83d\ude00")");
}

}  // namespace
}  // namespace opbench
