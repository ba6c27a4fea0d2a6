#include "engines/package/kernel_cache.h"

#include <fmt/format.h>

#include "base/files/file.h"
#include "base/numbers/hash.h"
#include "base/numbers/number.h"
#include "engines/package/object_code.h"

namespace opbench {

namespace {

std::filesystem::path time_file(std::filesystem::path object) {
  return object.replace_extension(".ms");
}

}  // namespace

KernelKey key_of(const KernelSpec& spec, const std::filesystem::path& cache) {
  const std::string hash = sha256(text_of(spec)).substr(0, 24);
  return {"k_" + hash, cache / "kernels" / hash.substr(0, 2) / (hash + ".o")};
}

void keep_compile_time(const std::filesystem::path& object, double compile_ms) {
  // Without it the kernel is as good: a full disk is told where the object is written.
  static_cast<void>(write_file(time_file(object), fmt::format("{:.6g}\n", compile_ms)));
}

KernelFacts facts_of_kernel(const std::filesystem::path& object, const std::string& function) {
  KernelFacts facts;
  if (const auto bytes = read_file(object)) {
    facts.code_bytes = std::ssize(*bytes);
    facts.code_hash = hash_of_object(*bytes, function);
  }
  std::string text = read_file(time_file(object)).value_or("");
  if (!text.ends_with('\n')) return facts;  // cut
  text.pop_back();
  const auto time = parse_number(text);
  if (time && *time > 0) facts.compile_ms = *time;
  return facts;
}

}  // namespace opbench
