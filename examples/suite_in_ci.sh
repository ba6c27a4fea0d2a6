#!/bin/sh
# A suite for every night: the first run writes a baseline, each later one measures the same again and ends with 3
# where a time is not reproduced. Keep baseline.jsonl where the next run finds it, and make a new one after an
# improvement or on another machine.
#   suite_in_ci.sh [FOLDER]   FOLDER holds baseline.jsonl; default: this one
set -eu
opbench=${OPBENCH:-opbench}
baseline=${1:-.}/baseline.jsonl

if [ ! -e "$baseline" ]; then
  for workload in 'dense 1x256 w:256x256 transB=1' 'relu 1x64x56x56'; do
    "$opbench" op "$workload" --budget "${BUDGET:-5}" --record "$baseline" -q >/dev/null
  done
  echo "wrote $baseline"
  exit 0
fi
"$opbench" replay "$baseline" -q
