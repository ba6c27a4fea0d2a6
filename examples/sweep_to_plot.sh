#!/bin/sh
# Time over batch sizes: sweep.svg to look at, sweep.csv for other programs.
#   sweep_to_plot.sh [WORKLOAD]
set -eu
opbench=${OPBENCH:-opbench}
workload=${1:-dense 1x256 w:256x256 transB=1}

"$opbench" sweep "$workload" --over batch=1,2,4,8 --budget 0.5 --svg sweep.svg --format csv -o sweep.csv
echo "sweep.svg and sweep.csv hold the times of \"$workload\""
