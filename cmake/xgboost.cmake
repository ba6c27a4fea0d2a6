# XGBoost::xgboost: the header, and the library's functions as jumps, which load_xgboost() leads
# there: linking it costs each start of a program 3 ms, and only tuners with trees use it.
find_library(OPBENCH_LIB_xgboost xgboost REQUIRED)
find_path(OPBENCH_INCLUDE_xgboost xgboost/c_api.h REQUIRED)
opbench_functions_of(${OPBENCH_LIB_xgboost} "XG[A-Za-z0-9_]+" xgboost_functions)
opbench_loaded_library(xgboost ${xgboost_functions})
target_include_directories(xgboost_jumps SYSTEM PUBLIC ${OPBENCH_INCLUDE_xgboost})
add_library(XGBoost::xgboost ALIAS xgboost_jumps)
