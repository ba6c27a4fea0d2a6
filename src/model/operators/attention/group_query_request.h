#pragma once

#include "model/operators/attention/head_layout.h"

namespace opbench {

/// The operands of com.microsoft GroupQueryAttention.
enum GroupQueryInput : size_t {
  kGroupQuery,
  kGroupKey,
  kGroupValue,
  kGroupPastKey,
  kGroupPastValue,
  kGroupLengths,  ///< of each image less 1, the past included
  kGroupTotalLength,
  kGroupCosines,
  kGroupSines,
  kGroupPositions,
  kGroupBias,
  kGroupSink
};

/// What a com.microsoft GroupQueryAttention node computes: causal attention whose keys and values
/// go into a cache of `present` steps.
struct GroupQueryRequest {
  HeadLayout query;  ///< flat, also where keys and values lie behind it
  HeadLayout key;    ///< flat; of values too
  bool is_packed = false;
  int64_t past = 0;     ///< extent of the cache that comes in; not all of it need be filled
  int64_t total = 0;    ///< steps of the longest image, the past included; where the run alone
                        ///< tells: as many as there can be
  int64_t rotated = 0;  ///< elements of a head that turn with the position; 0: none
  bool is_interleaved = false;
  double scale = 1;
  double softcap = 0;
  int64_t window = -1;  ///< keys that a query sees, its own step included; -1: all before it
  bool has_smooth_softmax = false;

  int64_t present() const { return past > total ? past : total; }
};

/// The request of a call. `kInvalidInput` when operands or attributes do not fit together.
Result<GroupQueryRequest> group_query_request(const OperatorCall& call);

}  // namespace opbench
