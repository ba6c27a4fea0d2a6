#include "presentation/access/access_rules.h"

#include <gtest/gtest.h>

namespace opbench {
namespace {

AccessRules own_rules(const std::string& token = "") {
  return {.address = "127.0.0.1", .port = 8017, .token = token};
}

int status_for(const AccessRules& rules, const AskingParty& party) {
  const auto refusal = refusal_of(rules, party);
  return refusal ? refusal->status : 200;
}

TEST(AccessRules, TakeOwnNamesAlone) {
  for (const char* host : {"127.0.0.1:8017", "localhost:8017", "[::1]:8017"}) {
    EXPECT_EQ(status_for(own_rules(), {.host = host}), 200) << host;
  }
  for (const char* host : {"", "127.0.0.1", "127.0.0.1:80", "evil.example:8017",
                           "127.0.0.1.evil.example:8017", "[::1", "127.evil:8017"}) {
    EXPECT_EQ(status_for(own_rules(), {.host = host}), 403) << host;
  }
}

TEST(AccessRules, TakeAddressesWhereEveryAddressListens) {
  const AccessRules rules{.address = "0.0.0.0", .port = 8017, .token = "0123456789abcdef"};
  const std::string known = "Bearer 0123456789abcdef";
  EXPECT_EQ(status_for(rules, {.host = "192.168.1.7:8017", .authorization = known}), 200);
  EXPECT_EQ(status_for(rules, {.host = "evil.example:8017", .authorization = known}), 403);
}

TEST(AccessRules, RefuseOtherOrigins) {
  const std::string host = "127.0.0.1:8017";
  EXPECT_EQ(status_for(own_rules(), {.host = host, .origin = "http://127.0.0.1:8017"}), 200);
  for (const char* origin : {"null", "https://127.0.0.1:8017", "http://localhost:8017"}) {
    EXPECT_EQ(status_for(own_rules(), {.host = host, .origin = origin}), 403) << origin;
  }
  EXPECT_EQ(status_for(own_rules(), {.host = host, .fetch_site = "cross-site"}), 403);
  EXPECT_EQ(status_for(own_rules(), {.host = host, .fetch_site = "cross-site", .is_of_page = true}),
            200);
}

TEST(AccessRules, WantTheToken) {
  const AccessRules rules = own_rules("0123456789abcdef");
  const std::string host = "127.0.0.1:8017";
  EXPECT_EQ(status_for(rules, {.host = host}), 401);
  EXPECT_EQ(status_for(rules, {.host = host, .authorization = "Bearer 0123456789abcdeX"}), 401);
  EXPECT_EQ(status_for(rules, {.host = host, .cookie = "a=b; opbench_token=0123456789abcdef"}),
            200);
  EXPECT_EQ(status_for(rules, {.host = host, .cookie = "opbench_token="}), 401);
}

TEST(AccessRules, KnowLoopback) {
  for (const char* address : {"127.0.0.1", "127.8.9.1", "::1", "localhost"}) {
    EXPECT_TRUE(is_loopback(address)) << address;
  }
  for (const char* address : {"0.0.0.0", "::", "10.0.0.1", "127.example", ""}) {
    EXPECT_FALSE(is_loopback(address)) << address;
  }
}

TEST(AccessRules, CompareSecretsWhole) {
  EXPECT_TRUE(is_same_secret("abc", "abc"));
  for (const char* given : {"", "ab", "abcd", "abd", "abcabc"}) {
    EXPECT_FALSE(is_same_secret(given, "abc")) << given;
  }
}

}  // namespace
}  // namespace opbench
