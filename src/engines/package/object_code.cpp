#include "engines/package/object_code.h"

#include <elf.h>
#include <fmt/format.h>

#include <cstdint>
#include <cstring>
#include <optional>
#include <vector>

#include "base/numbers/hash.h"

namespace opbench {
namespace {

std::string without_name(std::string_view bytes, std::string_view name) {
  std::string text(bytes);
  if (name.empty()) return text;
  for (size_t at = text.find(name); at != std::string::npos; at = text.find(name, at)) {
    text.replace(at, name.size(), name.size(), '?');
    at += name.size();
  }
  return text;
}

/// Reads an object; nothing where a table lies outside the bytes.
class ObjectReader {
 public:
  ObjectReader(std::string_view bytes, std::string_view function)
      : bytes_(bytes), function_(function) {}

  /// The text that is hashed.
  std::optional<std::string> code() {
    if (!read_sections()) return std::nullopt;
    std::string text;
    for (size_t i = 0; i < sections_.size(); ++i) {
      const Elf64_Shdr& section = sections_[i];
      if (is_loaded(section)) {
        text += fmt::format("section {} {} {} {} {}\n", i, section.sh_type, section.sh_flags,
                            section.sh_size, section.sh_addralign);
        if (section.sh_type == SHT_NOBITS) continue;
        const auto content = part(section.sh_offset, section.sh_size);
        if (!content) return std::nullopt;
        text += without_name(*content, function_);
      } else if (section.sh_type == SHT_RELA && section.sh_info < sections_.size() &&
                 is_loaded(sections_[section.sh_info])) {
        if (!add_relocations(section, text)) return std::nullopt;
      }
    }
    return text;
  }

 private:
  static bool is_loaded(const Elf64_Shdr& section) {
    return (section.sh_flags & SHF_ALLOC) != 0 && section.sh_type != SHT_NOTE;
  }

  std::optional<std::string_view> part(uint64_t offset, uint64_t size) const {
    if (offset > bytes_.size() || size > bytes_.size() - offset) return std::nullopt;
    return bytes_.substr(offset, size);
  }

  template <class T>
  std::optional<std::vector<T>> table(uint64_t offset, uint64_t size) const {
    const auto content = part(offset, size);
    if (!content) return std::nullopt;
    std::vector<T> entries(content->size() / sizeof(T));
    std::memcpy(entries.data(), content->data(), entries.size() * sizeof(T));
    return entries;
  }

  bool read_sections() {
    const auto header = table<Elf64_Ehdr>(0, sizeof(Elf64_Ehdr));
    if (!header || std::memcmp(header->front().e_ident, ELFMAG, SELFMAG) != 0) return false;
    const Elf64_Ehdr& file = header->front();
    if (file.e_ident[EI_CLASS] != ELFCLASS64 || file.e_shentsize != sizeof(Elf64_Shdr))
      return false;
    const auto read = table<Elf64_Shdr>(file.e_shoff, uint64_t{file.e_shnum} * sizeof(Elf64_Shdr));
    if (read) sections_ = *read;
    return read.has_value();
  }

  std::optional<std::string> symbol_text(const Elf64_Sym& symbol, const Elf64_Shdr& symbols) const {
    if (symbol.st_shndx != SHN_UNDEF) {
      return fmt::format("in {} at {}", symbol.st_shndx, symbol.st_value);
    }
    if (symbols.sh_link >= sections_.size()) return std::nullopt;
    const Elf64_Shdr& names = sections_[symbols.sh_link];
    const auto text = part(names.sh_offset, names.sh_size);
    if (!text || symbol.st_name > text->size()) return std::nullopt;
    const std::string_view name = text->substr(symbol.st_name);
    return without_name(name.substr(0, name.find('\0')), function_);
  }

  bool add_relocations(const Elf64_Shdr& section, std::string& text) const {
    const auto entries = table<Elf64_Rela>(section.sh_offset, section.sh_size);
    if (!entries || section.sh_link >= sections_.size()) return false;
    const Elf64_Shdr& symbols = sections_[section.sh_link];
    const auto known = table<Elf64_Sym>(symbols.sh_offset, symbols.sh_size);
    if (!known) return false;
    for (const Elf64_Rela& entry : *entries) {
      const uint64_t number = ELF64_R_SYM(entry.r_info);
      if (number >= known->size()) return false;
      const auto symbol = symbol_text((*known)[number], symbols);
      if (!symbol) return false;
      text += fmt::format("relocation {} {} {} {}\n", entry.r_offset, ELF64_R_TYPE(entry.r_info),
                          entry.r_addend, *symbol);
    }
    return true;
  }

  std::string_view bytes_, function_;
  std::vector<Elf64_Shdr> sections_;
};

}  // namespace

std::string hash_of_object(std::string_view object, std::string_view function) {
  const auto code = ObjectReader(object, function).code();
  return sha256(code ? *code : without_name(object, function));
}

}  // namespace opbench
