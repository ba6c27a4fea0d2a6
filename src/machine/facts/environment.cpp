#include "machine/facts/environment.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>

#include "base/numbers/hash.h"
#include "machine/facts/facts.h"

namespace opbench {
namespace {

bool is_list_of_words(const Json& json) {
  return json.is_array() && !json.empty() &&
         std::ranges::all_of(json, [](const Json& item) { return item.is_string(); });
}

/// The words of `a` that `b` has not.
Json words_of_one(const Json& a, const Json& b) {
  Json words = Json::array();
  for (const Json& word : a) {
    if (std::ranges::find(b, word) == b.end()) words.push_back(word);
  }
  return words;
}

void compare(const std::string& field, const Json& a, const Json& b, Json& differences) {
  if (canonical_text(a) == canonical_text(b)) return;  // whatever the order of fields
  if (a.is_object() && b.is_object()) {
    std::set<std::string> names;
    for (const auto& [name, value] : a.items()) names.insert(name);
    for (const auto& [name, value] : b.items()) names.insert(name);
    for (const std::string& name : names) {
      if (name.ends_with("_reason")) continue;
      const Json of_a = a.contains(name) ? a[name] : Json();
      const Json of_b = b.contains(name) ? b[name] : Json();
      compare(field + "." + name, of_a, of_b, differences);
    }
  } else if (is_list_of_words(a) && is_list_of_words(b)) {
    differences.push_back({{"field", field}, {"a", words_of_one(a, b)}, {"b", words_of_one(b, a)}});
  } else {
    differences.push_back({{"field", field}, {"a", a}, {"b", b}});
  }
}

}  // namespace

Environment capture_environment(const std::filesystem::path& root) {
  Environment environment;
  environment.machine = machine_facts(root, this_topology());
  environment.state = state_facts(root);
  environment.software = software_facts(root);
  environment.machine_hash = sha256(canonical_text(stable_part(to_json(*environment.machine))));
  environment.software_hash = sha256(canonical_text(to_json(*environment.software)));
  return environment;
}

Json environment_diff(const Environment& a, const Environment& b) {
  const Json json_of_a = to_json(a);
  const Json json_of_b = to_json(b);
  Json differences = Json::array();
  for (const char* part : {"machine", "software", "state"}) {
    const Json of_a = json_of_a.contains(part) ? json_of_a[part] : Json();
    const Json of_b = json_of_b.contains(part) ? json_of_b[part] : Json();
    compare(part, of_a, of_b, differences);
  }
  return differences;
}

}  // namespace opbench
