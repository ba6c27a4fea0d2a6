#pragma once

#include <optional>
#include <string>

namespace opbench {

/// Milliseconds for a table: three decimals from 0.1 on, below that three significant digits.
std::string ms_text(double ms);

/// The time of an empty call, `0.0055 ms`: four decimals, as clocks tell little below 100 ns.
std::string floor_text(double ms);

/// `12.3`: one decimal below 100, else none.
std::string rate_text(double rate);

/// A share of 0…1 in percent with one decimal: `18.2 %`.
std::string percent_text(double share);

/// How far a value is above another, `+12.3 %`; `-` where the other is no value.
std::string over_text(double value, double other);

/// A value in full precision, the shortest text that reads back to the same; empty for none.
std::string exact_text(std::optional<double> value);

/// `1.2 G`, `34.5 M`, `812`: three significant digits with the prefix of thousands.
std::string scaled_text(double value);

}  // namespace opbench
