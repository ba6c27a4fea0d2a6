#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "records/store/rows/trial_row.h"

namespace opbench {

/// Tells equal records of one file apart: turns contents into identities by counting how often each
/// was seen. Four bytes a record, repeated or not, in a table that is made for the file's size and
/// added to when it is full. Records are told apart by 32 bits and their place in the table; of ten
/// million, one is taken for a repetition of another with a probability of 1 %, and then has an
/// identity of its own all the same. Any thread.
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
  bool contains(const Id128& id) const;
  void insert(const Id128& id);
  int64_t next_occurrence(const Id128& content) const;

  std::mutex mutex_;
  std::vector<Slots> tables_;
};

}  // namespace opbench
