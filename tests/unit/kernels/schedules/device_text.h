#pragma once

#include <cctype>
#include <map>
#include <regex>
#include <string>

#include "base/files/file.h"
#include "kernel_harness.h"

namespace opbench {

/// The OpenCL C that lies inside an object.
inline Result<std::string> device_text_of(const std::filesystem::path& object) {
  OPBENCH_TRY(const std::string bytes, read_file(object));
  const size_t begin = bytes.find("/*OpenCL C");
  if (begin == std::string::npos) return Error{ErrorCode::kSystem, "no OpenCL C in the object"};
  return bytes.substr(begin, bytes.find('\0', begin) - begin);
}

/// That of a kernel.
inline Result<std::string> device_text(const KernelSpec& spec) {
  OPBENCH_TRY(const TemporaryFolder folder, TemporaryFolder::make());
  const std::filesystem::path object = folder.path() / "kernel.o";
  OPBENCH_CHECK(compile_kernel(spec, "kernel", object));
  return device_text_of(object);
}

/// Elements of every private array of the kernels, by name.
inline std::map<std::string, int> private_arrays(const std::string& text) {
  static const std::regex kDeclaration(R"(\n *[a-z]+[0-9]* (_[A-Za-z0-9_]+)\[([0-9]+)\];)");
  std::map<std::string, int> arrays;
  for (std::sregex_iterator it(text.begin(), text.end(), kDeclaration), end; it != end; ++it)
    arrays[(*it)[1]] = std::stoi((*it)[2]);
  return arrays;
}

/// The first use of the array as vectors, `)_sum)[_2]`, whose index is not made of numbers.
inline std::string computed_vector(const std::string& text, const std::string& array) {
  const std::string use = ")" + array + ")[";
  for (size_t at = text.find(use); at != std::string::npos; at = text.find(use, at + 1)) {
    const size_t first = at + use.size();
    const std::string index = text.substr(first, text.find(']', first) - first);
    const std::string definition = "int " + index + " = ";
    const size_t value = text.rfind(definition, at);
    const std::string numbers =
        value == std::string::npos ? index : text.substr(value + definition.size(), 40);
    const size_t end = numbers.find_first_not_of("0123456789 <>/");
    if (end != std::string::npos && numbers[end] != ';') return text.substr(at, 60);
  }
  return "";
}

/// The first use of a private array whose index is no number; empty: there is none.
inline std::string computed_index(const std::string& text) {
  for (const auto& [array, size] : private_arrays(text)) {
    const std::string use = array + "[";
    for (size_t at = text.find(use); at != std::string::npos; at = text.find(use, at + 1)) {
      const bool is_whole = at == 0 || (std::isalnum(text[at - 1]) == 0 && text[at - 1] != '_');
      const size_t first = at + use.size();
      const size_t end = text.find_first_not_of("0123456789", first);
      if (is_whole && (end == first || text[end] != ']')) return text.substr(at, 60);
    }
    const std::string vector = computed_vector(text, array);
    if (!vector.empty()) return vector;
  }
  return "";
}

}  // namespace opbench
