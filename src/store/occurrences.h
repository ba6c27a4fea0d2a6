#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include "opbench/store/trial_row.h"

namespace opbench {

/// Tells equal records of one file apart: turns contents into identities by counting how often each
/// was seen. Four bytes a record, taken from a table that is made for the file's size and added to
/// when it is full. Records are told apart by 32 bits and their place in the table; of ten million,
/// one is taken for a repetition of another with a probability of 1 %, and then keeps an identity
/// of its own all the same. Any thread.
class Occurrences {
 public:
  explicit Occurrences(int64_t expected_records);
  void number(std::span<Id128> ids);

 private:
  struct Free {
    void operator()(void* memory) const;
  };
  struct Slots {
    std::unique_ptr<uint32_t, Free> prints;  ///< 0 is free
    uint64_t mask = 0;
    int64_t used = 0;
  };
  static Slots make_slots(uint64_t count);
  bool is_new(const Id128& id);

  std::mutex mutex_;
  std::vector<Slots> tables_;
  std::map<std::pair<uint64_t, uint64_t>, int64_t> repeated_;
};

}  // namespace opbench
