#include "experiments/place/energy_constants.h"

namespace opbench {

std::string_view built_in_energy_text() {
  return R"(# What devices draw, for `opbench place --energy FILE`. Nothing here was measured: these are round
# figures for a core of a server. Put the data sheet's or your meter's figures in their place.
# Reports call every energy "modelled" and name this file.

[cpu]                  # for each CPU of a device such as cpu0 or cpu0+cpu1
busy_w = 6.0           # W while a unit runs on the device
idle_w = 1.0           # W while none does

[variant.avx2]         # in place of [cpu] for devices such as cpu1:avx2, where the machine's own
                       # vectors are wider: narrower ones draw less
busy_w = 4.5
idle_w = 1.0

[transfer]             # what a unit reads that another device made
pj_per_byte = 100.0    # picojoules: about a read from the last cache

# [device.NAME]        # a whole device by its name; a table of times needs this
# busy_w = 2.0
# idle_w = 0.2
)";
}

}  // namespace opbench
