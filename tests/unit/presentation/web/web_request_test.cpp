#include "presentation/web/requests/web_request.h"

#include <gtest/gtest.h>

namespace opbench {
namespace {

TEST(WebRequest, ReadsPagesWithinTheirLimits) {
  const auto page = WebRequest({{"offset", "20"}, {"limit", "500"}}).page();
  ASSERT_TRUE(page.has_value());
  EXPECT_EQ(page->offset, 20);
  EXPECT_EQ(page->limit, 500);
  EXPECT_EQ(WebRequest({}).page()->limit, 100);
  for (const char* limit : {"0", "501", "-1", "ten", "1e2", "99999999999999999999"}) {
    const auto refused = WebRequest(WebRequest::Parameters{{"limit", limit}}).page();
    ASSERT_FALSE(refused.has_value()) << limit;
    EXPECT_EQ(refused.error().code, ErrorCode::kInvalidInput);
    EXPECT_NE(refused.error().message.find(limit), std::string::npos);
  }
}

TEST(WebRequest, GuessesWhatWasMeant) {
  const auto refused = WebRequest(WebRequest::Parameters{{"sort", "facotr"}})
                           .choice("sort", {"factor", "name"}, "name");
  ASSERT_FALSE(refused.has_value());
  EXPECT_NE(to_text(refused.error()).find("did you mean: factor"), std::string::npos);
}

TEST(WebRequest, HasOneTextForEqualRequests) {
  const WebRequest one({{"b", "x/y z"}, {"a", "1"}, {"empty", ""}, {"a", "0"}});
  EXPECT_EQ(one.canonical_query(), "a=0&a=1&b=x%2Fy%20z");
  EXPECT_EQ(percent_encoded("ü@:%"), "%C3%BC%40%3A%25");
}

}  // namespace
}  // namespace opbench
