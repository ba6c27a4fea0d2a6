#pragma once

#include <string>

namespace opbench {

/// The time now, RFC 3339, UTC, in whole seconds.
std::string utc_now();

/// Names one run among all: 16 hexadecimal digits of a hash over its time, process and content.
std::string run_id_of(const std::string& timestamp, const std::string& content_sha256);

}  // namespace opbench
