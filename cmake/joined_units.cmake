# Joined compilation units: the compiler reads several sources of a target as one, and their headers once.
# A fresh build takes less than half the CPU time of single files; a touched source compiles its whole unit again.
option(OPBENCH_JOINED "compile the sources of a target in joined units" ON)

# Joins the sources of a target in units of SIZE files. tests/style/check_joined.mjs finds names that clash.
function(opbench_join target)
  cmake_parse_arguments(J "" "SIZE" "" ${ARGN})
  if(NOT J_SIZE)
    set(J_SIZE 16)
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${OPBENCH_JOINED} UNITY_BUILD_BATCH_SIZE ${J_SIZE})
endfunction()
