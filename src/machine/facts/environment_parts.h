#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

/// The parts of an environment (environment.h).
namespace opbench {

/// A field of an environment: its value, or why it is not known.
template <class T>
struct Known {
  std::optional<T> value;
  std::string reason;     ///< why there is none; may be empty in environments of other versions
  bool is_there = false;  ///< false: the version that captured the environment does not look for it
  bool operator==(const Known&) const = default;
};

/// Cores of one kind, where not all are alike.
struct CoreKindFacts {
  std::string kind;    ///< hwloc's word
  int efficiency = 0;  ///< rank: higher is faster
  int64_t cores = 0;
  bool operator==(const CoreKindFacts&) const = default;
};

/// Caches that are alike.
struct CacheFacts {
  int level = 1;
  bool instruction = false;
  int64_t bytes = 0;
  int line_bytes = 0;
  int ways = 0;
  int64_t cpus_sharing = 0;
  int64_t count = 0;
  bool operator==(const CacheFacts&) const = default;
};

struct NumaFacts {
  int node = 0;
  int64_t memory_bytes = 0;
  std::string cpus;                 ///< list, as the kernel writes it
  std::vector<uint64_t> distances;  ///< to every node
  bool operator==(const NumaFacts&) const = default;
};

/// A shared library that the program was linked to.
struct LibraryFacts {
  std::string file;
  Known<std::string> build_id;
  bool operator==(const LibraryFacts&) const = default;
};

using NamedTexts = std::map<std::string, std::string>;
using Libraries = std::map<std::string, LibraryFacts>;

/// What this version does not know, or not in this form: the JSON of each field by its name.
using OtherFacts = std::map<std::string, std::string>;

/// What stays as it is for long.
struct MachineFacts {
#define OPBENCH_MACHINE_FACT(type, name) Known<type> name;
#include "machine/facts/environment_fields.inc"
  OtherFacts others;
  bool operator==(const MachineFacts&) const = default;
};

/// What changes while the machine runs.
struct StateFacts {
#define OPBENCH_STATE_FACT(type, name) Known<type> name;
#include "machine/facts/environment_fields.inc"
  OtherFacts others;
  bool operator==(const StateFacts&) const = default;
};

struct SoftwareFacts {
#define OPBENCH_SOFTWARE_FACT(type, name) Known<type> name;
#include "machine/facts/environment_fields.inc"
  OtherFacts others;
  bool operator==(const SoftwareFacts&) const = default;
};

}  // namespace opbench
