#include "records/json/json_scan.h"

#include <gtest/gtest.h>

namespace opbench {
namespace {

TEST(JsonScan, FindsPlaces) {
  const std::string text = R"( {"a": [1, {"b": "x,]", "c": null}], "d": 2})";
  JsonScan scan(text);
  EXPECT_FALSE(scan.fault());
  const JsonPlace root;
  const JsonPlace a = root.field("a");
  const JsonPlace second = a.item(1);
  const JsonPlace c = second.field("c");
  EXPECT_EQ(c.text(), "a[1].c");
  EXPECT_EQ(scan.offset_of(root), 1u);
  EXPECT_EQ(scan.offset_of(a), text.find("[1"));
  EXPECT_EQ(scan.offset_of(c), text.find("null"));
  EXPECT_EQ(scan.offset_of(root.field("d")), text.find("2}"));
  EXPECT_EQ(scan.text_of(second), R"({"b": "x,]", "c": null})");
  EXPECT_EQ(scan.offset_of(second.field("z")), scan.offset_of(second)) << "its parent";
}

TEST(JsonScan, QuotesWhatStrictParsersRefuse) {
  EXPECT_EQ(JsonScan("[NaN, -Infinity, 1, 18446744073709551616, 1e999, 1e-999]")
                .with_words_quoted()
                ->text,
            R"(["\u0001NaN", "\u0001-Infinity", 1, "\u000118446744073709551616", "\u00011e999", )"
            "1e-999]");
  EXPECT_FALSE(JsonScan("[18446744073709551615, -9223372036854775808]").with_words_quoted());
  const auto quoted = JsonScan(R"([NaN, "\u0001"])").with_words_quoted();
  EXPECT_EQ(quoted->text, R"(["\u0002NaN", "\u0001"])");
  EXPECT_EQ(quoted->mark, 2);
}

TEST(JsonScan, SaysWhereTextIsNoJson) {
  struct Case {
    const char* text;
    size_t offset;
  };
  for (const Case& entry :
       {Case{"", 0}, Case{"{", 1}, Case{"[1,]", 3}, Case{"[1 2]", 3}, Case{"{\"a\" 1}", 5},
        Case{"{a: 1}", 1}, Case{"\"a\\q\"", 3}, Case{"tru", 3}, Case{"trux", 0}, Case{"-", 1},
        Case{"1.", 2}, Case{"1e", 2}, Case{"00", 0}, Case{"[] []", 3}, Case{"\"a\nb\"", 2}}) {
    const JsonScan scan(entry.text);
    ASSERT_TRUE(scan.fault()) << entry.text;
    EXPECT_EQ(scan.fault()->offset, entry.offset) << entry.text << ": " << scan.fault()->reason;
  }
}

TEST(JsonScan, FindsBytesThatAreNotUtf8) {
  EXPECT_EQ(first_invalid_utf8("aé€😀"), std::string("aé€😀").size());
  for (const std::string bad : {"\x80", "\xc0\x80", "\xe0\x80\x80", "\xed\xa0\x80",
                                "\xf0\x80\x80\x80", "\xf4\x90\x80\x80", "\xf5", "\xe2\x82"}) {
    EXPECT_EQ(first_invalid_utf8("a" + bad), 1u);
  }
}

}  // namespace
}  // namespace opbench
