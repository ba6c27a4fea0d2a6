#pragma once

#include <string>
#include <vector>

#include "presentation/html/page_options.h"
#include "presentation/html/page_rows.h"

namespace opbench {

/// What every section reads.
struct Page {
  const ProfileResult* result = nullptr;
  const ProfileResult* base = nullptr;  ///< null: none
  PageOptions options;
  std::vector<PagePair> pairs;  ///< one an engine run
};

/// Sections are HTML: a `<details>` each, with its title as summary. All of them escape what
/// reports say. An empty text: nothing to show.

/// What to do first; without findings, the command that looks for them.
std::string findings_section(const Page& page);
/// End to end, sum, gap and verdict, a row an engine run; warnings and checks.
std::string summary_section(const Page& page);
/// Every row with its figures, the base's below them; what one side alone has in tables of their
/// own.
std::string units_section(const PagePair& pair);
/// FLOP/s over FLOP per byte below the measured ceilings.
std::string roofline_section(const PagePair& pair);
/// One call of the model: its units in order, as wide as they take time.
std::string timeline_section(const Page& page, const PagePair& pair);
/// The units and what they need, coloured by time.
std::string graph_section(const Page& page, const PagePair& pair);
/// The samples of every row, with median and interval.
std::string samples_section(const PagePair& pair);
/// The share of units that are at least p times as fast as the base.
std::string ratio_section(const PagePair& pair);
/// Machine, state and software; with a base what differs first.
std::string environment_section(const Page& page);
/// The command that repeats each row.
std::string repeat_section(const Page& page);

/// The style sheet and the script of the page.
std::string page_style();
std::string page_script();

}  // namespace opbench
