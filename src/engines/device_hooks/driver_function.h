#pragma once

#include <dlfcn.h>

namespace opbench {

/// Looks a function of a driver's library up by its name; false where it has none.
template <class Function>
bool take_driver_function(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(::dlsym(library, name));
  return function != nullptr;
}

}  // namespace opbench
