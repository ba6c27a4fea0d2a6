#include <elf.h>
#include <link.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "machine/facts/facts.h"

namespace opbench {
namespace {

namespace fs = std::filesystem;

/// The GNU build id in a note segment of `size` bytes at `notes`, as hex; empty if there is none.
std::string build_id_in(const char* notes, size_t size) {
  constexpr size_t kAlign = 4;
  const auto padded = [](size_t bytes) { return (bytes + kAlign - 1) / kAlign * kAlign; };
  for (size_t at = 0; at + sizeof(ElfW(Nhdr)) <= size;) {
    ElfW(Nhdr) note;
    std::memcpy(&note, notes + at, sizeof note);
    const size_t name = at + sizeof note;
    const size_t content = name + padded(note.n_namesz);
    if (content + note.n_descsz > size) break;
    const bool gnu = note.n_namesz == 4 && std::memcmp(notes + name, "GNU", 4) == 0;
    if (gnu && note.n_type == NT_GNU_BUILD_ID) {
      std::string hex;
      for (size_t i = 0; i < note.n_descsz; ++i) {
        char digits[3];
        std::snprintf(digits, sizeof digits, "%02x", static_cast<uint8_t>(notes[content + i]));
        hex += digits;
      }
      return hex;
    }
    at = content + padded(note.n_descsz);
  }
  return "";
}

std::string build_id_of(const dl_phdr_info& object) {
  for (size_t i = 0; i < object.dlpi_phnum; ++i) {
    const ElfW(Phdr)& segment = object.dlpi_phdr[i];
    if (segment.p_type != PT_NOTE) continue;
    // The loader gives addresses as numbers.
    const auto* notes = reinterpret_cast<const char*>(object.dlpi_addr + segment.p_vaddr);
    if (std::string id = build_id_in(notes, segment.p_memsz); !id.empty()) return id;
  }
  return "";
}

/// A program or library in this process.
struct LoadedObject {
  std::string path;
  std::string build_id;
  std::vector<std::string> needed;  ///< file names
};

/// What an object was linked to.
std::vector<std::string> needed_by(const dl_phdr_info& object) {
  std::vector<std::string> names;
  const ElfW(Dyn)* begin = nullptr;
  for (size_t i = 0; i < object.dlpi_phnum; ++i) {
    if (object.dlpi_phdr[i].p_type != PT_DYNAMIC) continue;
    begin = reinterpret_cast<const ElfW(Dyn)*>(object.dlpi_addr + object.dlpi_phdr[i].p_vaddr);
  }
  if (begin == nullptr) return names;
  ElfW(Addr) texts = 0;
  for (const ElfW(Dyn)* entry = begin; entry->d_tag != DT_NULL; ++entry) {
    if (entry->d_tag == DT_STRTAB) texts = entry->d_un.d_ptr;
  }
  if (texts < object.dlpi_addr) texts += object.dlpi_addr;  // where the loader leaves it as it was
  for (const ElfW(Dyn)* entry = begin; entry->d_tag != DT_NULL; ++entry) {
    if (entry->d_tag != DT_NEEDED) continue;
    names.emplace_back(reinterpret_cast<const char*>(texts + entry->d_un.d_val));
  }
  return names;
}

int add_object(dl_phdr_info* object, size_t, void* result) {
  auto& objects = *static_cast<std::vector<LoadedObject>*>(result);
  objects.push_back({object->dlpi_name == nullptr ? "" : object->dlpi_name, build_id_of(*object),
                     needed_by(*object)});
  return 0;
}

LibraryFacts facts_of(const LoadedObject& object) {
  std::error_code error;
  const fs::path file = fs::canonical(object.path, error);
  LibraryFacts facts{.file = (error ? fs::path(object.path) : file).filename().string()};
  const bool has_id = !object.build_id.empty();
  set_fact(facts.build_id, has_id ? std::optional(object.build_id) : std::nullopt,
           "built without one");
  return facts;
}

}  // namespace

Libraries needed_libraries() {
  std::vector<LoadedObject> objects;
  dl_iterate_phdr(add_object, &objects);
  Libraries libraries;
  if (objects.empty()) return libraries;
  std::vector<std::string> open = objects.front().needed;  // the program stands first
  while (!open.empty()) {
    const std::string name = fs::path(open.back()).filename().string();
    open.pop_back();
    const auto found = std::ranges::find_if(objects, [&](const LoadedObject& object) {
      return fs::path(object.path).filename() == name;
    });
    if (found == objects.end() || libraries.contains(name)) continue;
    libraries[name] = facts_of(*found);
    open.insert(open.end(), found->needed.begin(), found->needed.end());
  }
  return libraries;
}

}  // namespace opbench
