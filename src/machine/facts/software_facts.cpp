#include <gnu/libc-version.h>
#include <nlohmann/json.hpp>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <sstream>

#include "base/files/file.h"
#include "machine/facts/build_info.h"
#include "machine/facts/cgroup.h"
#include "machine/facts/facts.h"

namespace opbench {
namespace {

namespace fs = std::filesystem;

/// Variables that change how engines and libraries run.
NamedTexts engine_variables() {
  static constexpr const char* kStarts[] = {"OMP_",      "GOMP_",   "KMP_",           "DNNL_",
                                            "ONEDNN_",   "ORT_",    "MKL_",           "HL_",
                                            "OPENBLAS_", "MALLOC_", "GLIBC_TUNABLES", "LD_PRELOAD"};
  NamedTexts variables;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string text = *entry;
    const size_t equals = text.find('=');
    const auto starts = [&](const char* start) { return text.starts_with(start); };
    if (equals == std::string::npos || std::ranges::none_of(kStarts, starts)) continue;
    variables[text.substr(0, equals)] = text.substr(equals + 1);
  }
  return variables;
}

std::optional<std::string> distribution(const fs::path& root) {
  std::istringstream lines(read_text(root / "etc/os-release").value_or(""));
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("PRETTY_NAME=")) continue;
    std::string name = line.substr(std::strlen("PRETTY_NAME="));
    std::erase(name, '"');
    return name;
  }
  return std::nullopt;
}

/// `bookworm/sid` or `12.5`: os-release does not tell the point release.
std::optional<std::string> debian_version(const fs::path& root) {
  return read_text(root / "etc/debian_version");
}

void add_system(SoftwareFacts& software, const fs::path& root) {
  utsname names{};  // its nodename is a host name and stays out
  const bool known = uname(&names) == 0;
  set_fact(software.kernel, known ? std::optional<std::string>(names.release) : std::nullopt,
           "uname fails");
  set_fact(software.kernel_build, known ? std::optional<std::string>(names.version) : std::nullopt,
           "uname fails");
  set_fact(software.distribution, distribution(root), "no /etc/os-release");
  set_fact(software.debian_version, debian_version(root), "no /etc/debian_version");
  set_fact(software.libc, std::string("glibc ") + gnu_get_libc_version());
  const Container container = find_container(root);
  const auto kind = container.kind.empty() ? std::nullopt : std::optional(container.kind);
  set_fact(software.container, kind, "no sign of a container");
  set_fact(software.container_digest, container.digest, container.digest_reason);
}

void add_build(SoftwareFacts& software) {
  const BuildInfo build = build_info();
  set_fact(software.opbench, build.version);
  const bool checkout = !build.git_commit.empty();
  const std::string why = "not built from a git checkout";
  set_fact(software.git_commit, checkout ? std::optional(build.git_commit) : std::nullopt, why);
  set_fact(software.git_dirty, checkout ? std::optional(build.git_dirty) : std::nullopt, why);
  set_fact(software.compiler, build.compiler);
  set_fact(software.compiler_flags, build.compiler_flags);
  set_fact(software.build_type, build.build_type);
}

}  // namespace

NamedTexts npm_versions(const fs::path& folder) {
  for (fs::path above = folder;; above = above.parent_path()) {
    const auto text = read_text(above / "node_modules/.package-lock.json");
    if (text) {
      const auto lock = parse_json(*text, "node_modules/.package-lock.json");
      NamedTexts versions;
      if (!lock || !lock->contains("packages")) return {};
      for (const auto& [path, package] : (*lock)["packages"].items()) {
        const size_t name = path.rfind("node_modules/");
        if (name == std::string::npos || !package.contains("version")) continue;
        versions[path.substr(name + std::strlen("node_modules/"))] =
            package["version"].is_string() ? package["version"].get<std::string>() : "";
      }
      return versions;
    }
    if (above == above.parent_path()) return {};
  }
}

SoftwareFacts software_facts(const fs::path& root) {
  SoftwareFacts software;
  add_system(software, root);
  add_build(software);
  set_fact(software.libraries, std::optional(needed_libraries()),
           "the program is linked statically");
  set_fact(software.npm, std::optional(npm_versions(executable_folder())),
           "no node_modules above the program");
  set_fact(software.variables, engine_variables());
  return software;
}

}  // namespace opbench
