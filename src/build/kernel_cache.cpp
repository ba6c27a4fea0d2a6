#include "opbench/build/kernel_cache.h"

#include "opbench/base/hash.h"

namespace opbench {

KernelKey key_of(const KernelSpec& spec, const std::filesystem::path& cache) {
  const std::string hash = sha256(text_of(spec)).substr(0, 24);
  return {"k_" + hash, cache / "kernels" / hash.substr(0, 2) / (hash + ".o")};
}

}  // namespace opbench
