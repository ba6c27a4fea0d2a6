# Writes ${HEADER} with the commit of ${SOURCE} and whether what is compiled differs from it.
set(commit "")
set(dirty false)
execute_process(COMMAND git -C ${SOURCE} rev-parse HEAD
                OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE result)
if(NOT result EQUAL 0)
  set(commit "")
else()
  execute_process(COMMAND git -C ${SOURCE} --no-optional-locks status --porcelain -- src cmake CMakeLists.txt
                  OUTPUT_VARIABLE changes ERROR_QUIET)
  if(changes)
    set(dirty true)
  endif()
endif()
file(CONFIGURE OUTPUT ${HEADER} CONTENT "#pragma once
#define OPBENCH_GIT_COMMIT \"${commit}\"
#define OPBENCH_GIT_DIRTY ${dirty}
" @ONLY)
