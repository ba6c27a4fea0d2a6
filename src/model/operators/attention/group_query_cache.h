#pragma once

#include <string>

#include "model/operators/attention/attention_parts.h"
#include "model/operators/attention/group_query_request.h"

namespace opbench {

/// The steps of a GroupQueryAttention with a cache of which only the run tells how much is filled:
/// `before` steps, for each image, stand before those of the call.
class GroupQueryCache {
 public:
  /// One step a call, or one image: others have no nodes that move steps to their places.
  static bool is_taken(const GroupQueryRequest& request) {
    return request.query.steps == 1 || request.query.batch == 1;
  }

  GroupQueryCache(NodeParts& parts, const GroupQueryRequest& request);

  /// int64 [batch, steps]
  std::string positions();

  /// The cache with the steps of `now` in it, as far as keys reach. `result` gets the whole cache.
  HeadValue with(const std::string& part, const std::string& past, const HeadValue& now,
                 const std::string& result);

  /// Hides later keys, those outside the window, and padding.
  void hide_keys(ScoreMask& mask);

 private:
  std::string aligned(const std::string& part, const std::string& now);

  NodeParts& parts_;
  const GroupQueryRequest& r_;
  std::string last_, before_;  ///< int64 [batch, 1, 1, 1]
};

}  // namespace opbench
