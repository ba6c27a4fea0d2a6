#!/bin/sh
# Which workloads took longest here, of everything that was measured and kept in the store.
#   slowest_workloads.sh
set -eu
opbench=${OPBENCH:-opbench}

"$opbench" records query "
  SELECT workload, engine, num_cpu_threads AS threads, min(runtime_ms_median) AS best_ms, count(*) AS runs
  FROM benchmarks
  WHERE workload <> ''
  GROUP BY ALL
  ORDER BY best_ms DESC
  LIMIT 10"
