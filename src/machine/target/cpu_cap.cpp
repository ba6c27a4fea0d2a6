#include "machine/target/cpu_cap.h"

#include <algorithm>
#include <cstdlib>

#include "base/errors/suggestion.h"
#include "machine/target/cpu_features.h"

namespace opbench {
namespace {

std::string named_cpu() {
  const char* value = std::getenv("OPBENCH_CPU");
  return value == nullptr ? "" : value;
}

bool is_known_cpu(const std::string& name) {
  const std::vector<std::string> known = x86_processors();
  return std::ranges::find(known, name) != known.end();
}

/// Also sets that no processor of the table names, such as VAES and AVX-VNNI.
bool is_instruction_set(const std::string& word) {
  for (const char* start : {"avx", "amx", "vaes", "vpclmul", "gfni"}) {
    if (word.starts_with(start)) return true;
  }
  return is_kernel_word(word);
}

std::set<std::string> words_of_cap(const std::string& processor) {
  std::set<std::string> words = {kernel_word("sse2")};
  for (const std::string& feature : features_of_processor(processor)) {
    words.insert(kernel_word(feature));
    if (feature == "avx2") words.insert(kernel_word("lzcnt"));  // see the table of processors
  }
  return words;
}

}  // namespace

std::optional<std::string> cpu_cap() {
  const std::string name = named_cpu();
  if (name.empty() || !is_known_cpu(name)) return std::nullopt;
  return name;
}

Result<void> check_cpu_cap() {
  const std::string name = named_cpu();
  if (name.empty() || is_known_cpu(name)) return {};
  return unknown_name("processor", name, x86_processors()).with("in", "$OPBENCH_CPU");
}

std::set<std::string> cpu_flags() { return within_cap(uncapped_cpu_flags()); }

std::set<std::string> within_cap(std::set<std::string> flags) {
  const auto cap = cpu_cap();
  if (!cap) return flags;
  const std::set<std::string> kept = words_of_cap(*cap);
  std::erase_if(flags, [&](const std::string& word) {
    return is_instruction_set(word) && !kept.contains(word);
  });
  return flags;
}

std::vector<std::string> beyond_this_cpu() {
  std::vector<std::string> missing;
  const auto cap = cpu_cap();
  if (!cap) return missing;
  const std::set<std::string> flags = uncapped_cpu_flags();
  for (const std::string& feature : features_of_processor(*cap)) {
    if (!flags.contains(kernel_word(feature))) missing.push_back(feature);
  }
  std::ranges::sort(missing);
  return missing;
}

}  // namespace opbench
