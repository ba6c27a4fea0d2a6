#include "engines/device_hooks/kernel_words.h"

#include <cstdio>
#include <string>

#include "engines/runtime/kernel_runtime.h"

namespace opbench {
namespace {

std::string trimmed(const char* text) {
  std::string words = text == nullptr ? "" : text;
  while (!words.empty() && (words.back() == '\n' || words.back() == ' ')) words.pop_back();
  return words;
}

}  // namespace

void note_kernel_failure(void* user_context, const char* message) {
  const std::string words = trimmed(message);
  std::fprintf(stderr, "%s\n", words.c_str());
  auto* const context = static_cast<KernelContext*>(user_context);
  if (context != nullptr && context->failure.empty()) context->failure = words;
}

}  // namespace opbench
