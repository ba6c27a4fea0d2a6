#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <set>
#include <sstream>

#include "base/files/file.h"
#include "base/json/json.h"
#include "external_data.h"
#include "machine/target/parse_target.h"
#include "machine/target/target.h"
#include "machine/target/target_text.h"

namespace opbench {
namespace {

namespace fs = std::filesystem;

/// The target of an AutoTVM record, version 0.1 or 0.2; empty for a comment or a blank line.
std::string target_of_line(const std::string& line) {
  if (line.empty() || line.front() != '{') return "";
  const auto json = parse_json(line, "record");
  if (!json) return "";
  for (const char* field : {"input", "i"}) {
    if (json->contains(field)) return (*json)[field][0].get<std::string>();
  }
  return "";
}

std::set<std::string> corpus() {
  std::set<std::string> targets;
  const fs::path root = test::external_data();
  for (const fs::path& folder : {root / "tophub", root / "opbench" / "log"}) {
    if (!fs::exists(folder)) continue;
    for (const auto& entry : fs::directory_iterator(folder)) {
      const auto text = read_file(entry.path());
      if (!text) continue;
      std::istringstream lines(*text);
      for (std::string line; std::getline(lines, line);) {
        // Lines share a few targets: parse each distinct head once.
        const std::string target = target_of_line(line);
        if (!target.empty()) targets.insert(target);
      }
    }
  }
  return targets;
}

TEST(TargetCorpus, KeepsTheIdentityOfEveryTargetInUsersLogs) {
  const std::set<std::string> targets = corpus();
  if (targets.empty()) GTEST_SKIP() << "no logs under " << test::external_data();
  EXPECT_GE(targets.size(), 20u);
  for (const std::string& text : targets) {
    const auto target = parse_target(text);
    ASSERT_TRUE(target) << text << "\n" << to_text(target.error());
    const auto from_json = parse_target(canonical_text(*target));
    ASSERT_TRUE(from_json) << text;
    EXPECT_EQ(*from_json, *target) << text;
    const auto from_display = parse_target(display_text(*from_json));
    ASSERT_TRUE(from_display) << text;
    EXPECT_EQ(canonical_text(*from_display), canonical_text(*target)) << text;
  }
}

}  // namespace
}  // namespace opbench
