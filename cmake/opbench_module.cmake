# One static library a room: opbench_<floor>_<room> from the sources below src/<floor>/<room>. Two floors
# may have rooms of one name. USES names rooms by their paths, <floor>/<room>. A room sees only the headers
# of the rooms it USES, and may use only rooms added before it, so the order in the root file is the
# architecture.
# HOT: the compiler optimizes this room fully, because runs spend time in it. It optimizes other rooms
# little, which compiles a third faster.
# SHORT: single sources of this room do not use the common precompiled headers, because they are small.
# OWN_HEADERS: this room precompiles headers of its own.
# UNIT: sources in a joined unit, where another number than 16 suits the room.
function(opbench_module path)
  cmake_parse_arguments(M "HOT;SHORT;OWN_HEADERS" "UNIT" "USES;LINKS;TABLE" ${ARGN})
  string(REPLACE / _ name ${path})
  set(uses "")
  foreach(room IN LISTS M_USES)
    string(REPLACE / _ library opbench_${room})
    if(NOT TARGET ${library})
      message(FATAL_ERROR "room '${path}' uses '${room}', which is not below it")
    endif()
    list(APPEND uses ${library})
  endforeach()
  set(dir ${PROJECT_SOURCE_DIR}/src/${path})
  opbench_include_root(${name} ${path} root)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${dir}/*.cpp)
  file(GLOB_RECURSE headers CONFIGURE_DEPENDS RELATIVE ${dir} ${dir}/*.h ${dir}/*.inc)
  list(TRANSFORM headers PREPEND ${root}/${path}/)
  foreach(kind IN LISTS M_TABLE)
    opbench_table(${path} ${kind} table)
    list(APPEND sources ${table})
  endforeach()
  add_library(opbench_${name} STATIC ${sources})
  target_sources(opbench_${name} PUBLIC FILE_SET HEADERS BASE_DIRS ${root} FILES ${headers})
  target_link_libraries(opbench_${name} PUBLIC opbench_flags ${uses} PRIVATE ${M_LINKS})
  if(M_HOT)
    target_compile_options(opbench_${name} PRIVATE ${OPBENCH_HOT_FLAGS})
    set(common opbench_headers_hot)
  else()
    target_compile_options(opbench_${name} PRIVATE ${OPBENCH_COLD_FLAGS})
    set(common opbench_headers)
  endif()
  if(NOT M_OWN_HEADERS AND (OPBENCH_JOINED OR NOT M_SHORT))
    target_precompile_headers(opbench_${name} REUSE_FROM ${common})
  endif()
  opbench_join(opbench_${name} SIZE ${M_UNIT})
endfunction()

# Makes a folder that holds one link, <floor>/<room> -> src/<floor>/<room>. A target with this folder on
# its include path sees the headers of this room alone, by their path in the tree.
function(opbench_include_root name path out)
  set(root ${PROJECT_BINARY_DIR}/include/${name})
  get_filename_component(floor ${root}/${path} DIRECTORY)
  file(MAKE_DIRECTORY ${floor})
  file(CREATE_LINK ${PROJECT_SOURCE_DIR}/src/${path} ${root}/${path} SYMBOLIC)
  set(${out} ${root} PARENT_SCOPE)
endfunction()

# Writes <kind>_table.cpp from the files <x>_<kind>.cpp of a room, in any folder of it: each defines
# `<Kind>Def <x>_<kind>()`, and a file with a wrong name is a link error that names it.
function(opbench_table path kind out)
  set(dir ${PROJECT_SOURCE_DIR}/src/${path})
  file(GLOB_RECURSE files CONFIGURE_DEPENDS ${dir}/*_${kind}.cpp)
  file(GLOB_RECURSE header RELATIVE ${PROJECT_SOURCE_DIR}/src ${dir}/${kind}.h)
  set(functions "")
  foreach(file IN LISTS files)
    get_filename_component(function ${file} NAME_WE)
    list(APPEND functions ${function})
  endforeach()
  list(SORT functions)
  string(SUBSTRING ${kind} 0 1 initial)
  string(TOUPPER ${initial} initial)
  string(SUBSTRING ${kind} 1 -1 rest)
  set(def ${initial}${rest}Def)
  set(declarations "")
  set(calls "")
  foreach(function IN LISTS functions)
    string(APPEND declarations "${def} ${function}();\n")
    string(APPEND calls "      ${function}(),\n")
  endforeach()
  set(table ${PROJECT_BINARY_DIR}/generated/${kind}_table.cpp)
  set(text "// Generated from the file names in src/${path}.
#include \"${header}\"
namespace opbench {
${declarations}
const Table<${def}>& ${kind}_table() {
  static const Table<${def}> table(\"${kind}\", {
${calls}  });
  return table;
}
}  // namespace opbench
")
  file(CONFIGURE OUTPUT ${table} CONTENT "${text}" @ONLY)
  set(${out} ${table} PARENT_SCOPE)
endfunction()

# One test executable a room, test_<floor>_<room>. It links that room, so a test cannot reach upward either. USES: further
# rooms that the tests need. HELPERS: rooms whose test headers they include.
# Tests are compiled more often than they run. So the compiler optimizes them little and reads their
# common headers once, for the first room's.
function(opbench_test path)
  cmake_parse_arguments(T "" "SHARDS" "USES;HELPERS;LINKS" ${ARGN})
  string(REPLACE / _ name ${path})
  file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/unit/${path}/*_test.cpp)
  if(NOT sources OR NOT GTest_FOUND)
    return()
  endif()
  add_executable(test_${name} ${sources})
  target_link_libraries(test_${name} PRIVATE opbench_${name} GTest::gmock GTest::gtest_main ${T_LINKS})
  foreach(room IN LISTS T_USES)
    string(REPLACE / _ library opbench_${room})
    target_link_libraries(test_${name} PRIVATE ${library})
  endforeach()
  list(TRANSFORM T_HELPERS PREPEND ${PROJECT_SOURCE_DIR}/tests/unit/)
  target_include_directories(test_${name} PRIVATE ${PROJECT_SOURCE_DIR}/tests/unit ${T_HELPERS})
  target_compile_options(test_${name} PRIVATE -O1)
  if(TARGET test_base AND NOT name STREQUAL base)
    target_precompile_headers(test_${name} REUSE_FROM test_base)
  else()
    target_precompile_headers(test_${name} PRIVATE
      <gmock/gmock.h> <gtest/gtest.h> <nlohmann/json.hpp> <filesystem> <string> <vector>)
  endif()
  target_compile_definitions(test_${name} PRIVATE
    OPBENCH_TEST_FIXTURES="${PROJECT_SOURCE_DIR}/tests/fixtures"
    OPBENCH_BINARY_DIR="${PROJECT_BINARY_DIR}/bin")
  opbench_join(test_${name})
  add_test(NAME unit.${name} COMMAND test_${name})
  if(T_SHARDS)
    set_tests_properties(unit.${name} PROPERTIES
      ENVIRONMENT "GTEST_TOTAL_SHARDS=${T_SHARDS};GTEST_SHARD_INDEX=0")
    foreach(shard RANGE 2 ${T_SHARDS})
      math(EXPR index "${shard} - 1")
      add_test(NAME unit.${name}-${shard} COMMAND test_${name})
      set_tests_properties(unit.${name}-${shard} PROPERTIES COST 1000 ENVIRONMENT
        "GTEST_TOTAL_SHARDS=${T_SHARDS};GTEST_SHARD_INDEX=${index};GTEST_OUTPUT=xml:${PROJECT_BINARY_DIR}/test-results/test_${name}-${shard}.xml")
    endforeach()
  endif()
endfunction()
