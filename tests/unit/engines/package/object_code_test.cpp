#include "engines/package/object_code.h"

#include <elf.h>
#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

namespace opbench {
namespace {

/// What an object of one function is made of.
struct ObjectParts {
  std::string function = "k_0123456789abcdef01234567";
  std::string code = "\x55\x48\x89\xe5\xc3";
  std::string called = "expf";  ///< what its relocation names
  int64_t addend = -4;
  std::string comment = "GCC 12";
};

template <class T>
std::string bytes_of_struct(const T& value) {
  return {reinterpret_cast<const char*>(&value), sizeof(T)};
}

/// Sections: none, code, its relocations, a remark, symbols, names.
std::string object_of(const ObjectParts& parts) {
  std::string names(1, '\0');
  const auto named = [&names](const std::string& name) {
    const auto at = static_cast<Elf64_Word>(names.size());
    names += name + std::string(1, '\0');
    return at;
  };
  const Elf64_Sym function{named(parts.function), ELF64_ST_INFO(STB_GLOBAL, STT_FUNC), 0, 1, 0,
                           parts.code.size()};
  const Elf64_Sym called{named(parts.called), ELF64_ST_INFO(STB_GLOBAL, 0), 0, SHN_UNDEF, 0, 0};
  const std::vector<std::string> contents = {
      "",
      parts.code + parts.function,
      bytes_of_struct(Elf64_Rela{1, ELF64_R_INFO(2, R_X86_64_PLT32), parts.addend}) +
          bytes_of_struct(Elf64_Rela{3, ELF64_R_INFO(1, R_X86_64_PLT32), parts.addend}),
      parts.comment,
      bytes_of_struct(Elf64_Sym{}) + bytes_of_struct(function) + bytes_of_struct(called),
      names};
  std::vector<Elf64_Shdr> headers(contents.size());
  headers[1].sh_type = SHT_PROGBITS;
  headers[1].sh_flags = SHF_ALLOC | SHF_EXECINSTR;
  headers[2].sh_type = SHT_RELA;
  headers[2].sh_info = 1;
  headers[2].sh_link = 4;
  headers[3].sh_type = SHT_PROGBITS;
  headers[4].sh_type = SHT_SYMTAB;
  headers[4].sh_link = 5;
  headers[5].sh_type = SHT_STRTAB;
  std::string body;
  for (size_t i = 0; i < contents.size(); ++i) {
    headers[i].sh_offset = sizeof(Elf64_Ehdr) + body.size();
    headers[i].sh_size = contents[i].size();
    body += contents[i];
  }
  Elf64_Ehdr file{};
  std::memcpy(file.e_ident, ELFMAG, SELFMAG);
  file.e_ident[EI_CLASS] = ELFCLASS64;
  file.e_shoff = sizeof(Elf64_Ehdr) + body.size();
  file.e_shentsize = sizeof(Elf64_Shdr);
  file.e_shnum = static_cast<Elf64_Half>(headers.size());
  std::string object = bytes_of_struct(file) + body;
  for (const Elf64_Shdr& header : headers) object += bytes_of_struct(header);
  return object;
}

std::string hash_of_parts(const ObjectParts& parts) {
  return hash_of_object(object_of(parts), parts.function);
}

TEST(ObjectCode, IsTheSameForTheSameInstructions) {
  const ObjectParts parts;
  EXPECT_EQ(hash_of_parts(parts).size(), 64U);
  EXPECT_EQ(hash_of_parts(parts), hash_of_parts(parts));
  EXPECT_EQ(hash_of_parts({.function = "k_ffff456789abcdef01234567"}), hash_of_parts(parts));
  EXPECT_EQ(hash_of_parts({.comment = "another compiler's remark"}), hash_of_parts(parts));
}

TEST(ObjectCode, ChangesWithWhatIsExecuted) {
  const std::string hash = hash_of_parts({});
  EXPECT_NE(hash_of_parts({.code = "\x55\x48\x89\xe5\x90\xc3"}), hash);
  EXPECT_NE(hash_of_parts({.called = "logf"}), hash);
  EXPECT_NE(hash_of_parts({.addend = 4}), hash);
}

TEST(ObjectCode, TakesAnyBytes) {
  const ObjectParts parts;
  EXPECT_NE(hash_of_object("no object", "k_1"), hash_of_object("no objects", "k_1"));
  EXPECT_EQ(hash_of_object("calls k_1", "k_1"), hash_of_object("calls k_2", "k_2"));
  const std::string whole = object_of(parts);
  for (size_t length = 0; length < whole.size(); ++length) {
    EXPECT_EQ(hash_of_object(whole.substr(0, length), parts.function).size(), 64U);
  }
  for (size_t at = 0; at < whole.size(); ++at) {
    std::string damaged = whole;
    damaged[at] = '\xff';
    EXPECT_EQ(hash_of_object(damaged, parts.function).size(), 64U);
  }
}

}  // namespace
}  // namespace opbench
