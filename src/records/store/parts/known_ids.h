#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <unordered_set>

namespace opbench {

/// Hashes of the ids in small parts, so that a program that adds many files need not open all
/// parts for each. A hash that is not there means an id that is not there.
class KnownIds {
 public:
  static constexpr int64_t kSmallPartBytes = int64_t{256} << 10;
  static constexpr size_t kMostIds = 500'000;

  bool has_part(const std::string& name) const { return parts_.contains(name); }
  bool has_room() const { return hashes_.size() < kMostIds; }
  void add_part(const std::string& name) { parts_.insert(name); }
  void add(uint64_t hash) { hashes_.insert(hash); }
  bool contains(uint64_t hash) const { return hashes_.contains(hash); }

 private:
  std::set<std::string> parts_;
  std::unordered_set<uint64_t> hashes_;
};

}  // namespace opbench
