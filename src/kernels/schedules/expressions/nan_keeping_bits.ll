; Minimum and maximum that keep NaN of their first operand, by its bits: right on every processor, also
; where LLVM is told that there is no NaN. No data layout: it is that of the kernel. Halide looks for the
; names with x4 to call on vectors.

define weak_odr float @opbench_at_least(float %x, float %bound) alwaysinline nounwind readnone {
  %is_outside = fcmp olt float %x, %bound
  %number = select i1 %is_outside, float %bound, float %x
  %bits = bitcast float %x to i32
  %size = and i32 %bits, 2147483647
  %is_nan = icmp ugt i32 %size, 2139095040
  %number_bits = bitcast float %number to i32
  %value_bits = select i1 %is_nan, i32 %bits, i32 %number_bits
  %value = bitcast i32 %value_bits to float
  ret float %value
}

define weak_odr <4 x float> @opbench_at_leastx4(<4 x float> %x, <4 x float> %bound) alwaysinline nounwind readnone {
  %is_outside = fcmp olt <4 x float> %x, %bound
  %number = select <4 x i1> %is_outside, <4 x float> %bound, <4 x float> %x
  %bits = bitcast <4 x float> %x to <4 x i32>
  %size = and <4 x i32> %bits, <i32 2147483647, i32 2147483647, i32 2147483647, i32 2147483647>
  %is_nan = icmp ugt <4 x i32> %size, <i32 2139095040, i32 2139095040, i32 2139095040, i32 2139095040>
  %number_bits = bitcast <4 x float> %number to <4 x i32>
  %value_bits = select <4 x i1> %is_nan, <4 x i32> %bits, <4 x i32> %number_bits
  %value = bitcast <4 x i32> %value_bits to <4 x float>
  ret <4 x float> %value
}

define weak_odr float @opbench_at_most(float %x, float %bound) alwaysinline nounwind readnone {
  %is_outside = fcmp ogt float %x, %bound
  %number = select i1 %is_outside, float %bound, float %x
  %bits = bitcast float %x to i32
  %size = and i32 %bits, 2147483647
  %is_nan = icmp ugt i32 %size, 2139095040
  %number_bits = bitcast float %number to i32
  %value_bits = select i1 %is_nan, i32 %bits, i32 %number_bits
  %value = bitcast i32 %value_bits to float
  ret float %value
}

define weak_odr <4 x float> @opbench_at_mostx4(<4 x float> %x, <4 x float> %bound) alwaysinline nounwind readnone {
  %is_outside = fcmp ogt <4 x float> %x, %bound
  %number = select <4 x i1> %is_outside, <4 x float> %bound, <4 x float> %x
  %bits = bitcast <4 x float> %x to <4 x i32>
  %size = and <4 x i32> %bits, <i32 2147483647, i32 2147483647, i32 2147483647, i32 2147483647>
  %is_nan = icmp ugt <4 x i32> %size, <i32 2139095040, i32 2139095040, i32 2139095040, i32 2139095040>
  %number_bits = bitcast <4 x float> %number to <4 x i32>
  %value_bits = select <4 x i1> %is_nan, <4 x i32> %bits, <4 x i32> %number_bits
  %value = bitcast <4 x i32> %value_bits to <4 x float>
  ret <4 x float> %value
}
