#pragma once

#include <cstddef>
#include <list>
#include <memory>
#include <mutex>
#include <string>

#include "presentation/web/compare/compared_pair.h"

namespace opbench {

/// The pairs that were compared last, for one state of the store: who sorts, pages through or opens
/// rows of a pair asks for the same rows again. Any thread.
class KeptPairs {
 public:
  static constexpr size_t kMostPairs = 2;
  static constexpr size_t kMostRows = 5000;  ///< of a pair; larger ones are not kept

  /// Null where it is not kept.
  std::shared_ptr<const PairedRows> find(const std::string& key);
  void keep(const std::string& key, std::shared_ptr<const PairedRows> pair);

 private:
  struct Entry {
    std::string key;
    std::shared_ptr<const PairedRows> pair;
  };
  std::mutex mutex_;
  std::list<Entry> entries_;  ///< the newest stands first
};

}  // namespace opbench
