WITH base AS (SELECT i, i // 2500 AS t, i % 2500 AS n, hash(i) AS h FROM range(TRIALS) r(i)),
named AS (SELECT *, hash(t) AS workload_key, CASE t % 3 WHEN 0 THEN 'dense_pack.x86' ELSE 'conv2d_NCHWc.x86' END AS task,
'[["TENSOR", [1, ' || 16 * (t % 40 + 1) || ', 56, 56], "float32"], ["TENSOR", [' || (t // 40 + 1) || ', 16, 3, 3], "float32"]]' AS args FROM base),
timed AS (SELECT *, CASE WHEN h % 17 = 0 THEN 4 ELSE 0 END AS error_no, 1e-5 * (t % 50 + 1) * (1 + (h % 1000) / 100.0) * exp(-n / 2500.0) AS s FROM named)
SELECT md5(i::VARCHAR)::UUID AS id, workload_key, 'llvm -mcpu=' || CASE t % 2 WHEN 0 THEN 'skylake-avx512' ELSE 'znver3' END AS target,
task, args, (h % 100000)::UBIGINT AS config_index,
'[["tile_ic", "sp", [-1, 16]], ["tile_oc", "sp", [-1, 16]], ["tile_ow", "sp", [-1, ' || h % 8 || ']], ["unroll_kw", "ot", true]]' AS knobs,
NULL::VARCHAR AS knob_values, CASE WHEN error_no = 0 THEN [s, s * 1.01, s * 0.99] ELSE [1e9] END AS costs_s,
CASE WHEN error_no = 0 THEN s END AS mean_s, error_no::TINYINT AS error_no, NULL::VARCHAR AS error_message, 2.5 AS all_cost_s,
1735689600.0 + t * 3600 + n AS timestamp_unix, NULL::UTINYINT AS number_forms, '0.8' AS tvm_version, 'autotvm-log' AS format,
i + 1 AS line, NULL::VARCHAR AS source, 'generated.log' AS file
FROM timed
