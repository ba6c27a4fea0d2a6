; Minimum and maximum that keep NaN of their first operand, on AVX-512. The instructions return their
; last source where either is NaN; LLVM, told that there is no NaN, would exchange the sources.
; Halide looks for the names with x4, x8 … to call on vectors.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128"

define weak_odr float @opbench_at_least(float %x, float %bound) alwaysinline nounwind readnone {
  %value = call float asm "vmaxss $2, $1, $0", "=v,v,v"(float %bound, float %x) nounwind readnone
  ret float %value
}

define weak_odr <4 x float> @opbench_at_leastx4(<4 x float> %x, <4 x float> %bound) alwaysinline nounwind readnone {
  %value = call <4 x float> asm "vmaxps $2, $1, $0", "=v,v,v"(<4 x float> %bound, <4 x float> %x) nounwind readnone
  ret <4 x float> %value
}

define weak_odr <8 x float> @opbench_at_leastx8(<8 x float> %x, <8 x float> %bound) alwaysinline nounwind readnone {
  %value = call <8 x float> asm "vmaxps $2, $1, $0", "=v,v,v"(<8 x float> %bound, <8 x float> %x) nounwind readnone
  ret <8 x float> %value
}

define weak_odr <16 x float> @opbench_at_leastx16(<16 x float> %x, <16 x float> %bound) alwaysinline nounwind readnone {
  %value = call <16 x float> asm "vmaxps $2, $1, $0", "=v,v,v"(<16 x float> %bound, <16 x float> %x) nounwind readnone
  ret <16 x float> %value
}

define weak_odr float @opbench_at_most(float %x, float %bound) alwaysinline nounwind readnone {
  %value = call float asm "vminss $2, $1, $0", "=v,v,v"(float %bound, float %x) nounwind readnone
  ret float %value
}

define weak_odr <4 x float> @opbench_at_mostx4(<4 x float> %x, <4 x float> %bound) alwaysinline nounwind readnone {
  %value = call <4 x float> asm "vminps $2, $1, $0", "=v,v,v"(<4 x float> %bound, <4 x float> %x) nounwind readnone
  ret <4 x float> %value
}

define weak_odr <8 x float> @opbench_at_mostx8(<8 x float> %x, <8 x float> %bound) alwaysinline nounwind readnone {
  %value = call <8 x float> asm "vminps $2, $1, $0", "=v,v,v"(<8 x float> %bound, <8 x float> %x) nounwind readnone
  ret <8 x float> %value
}

define weak_odr <16 x float> @opbench_at_mostx16(<16 x float> %x, <16 x float> %bound) alwaysinline nounwind readnone {
  %value = call <16 x float> asm "vminps $2, $1, $0", "=v,v,v"(<16 x float> %bound, <16 x float> %x) nounwind readnone
  ret <16 x float> %value
}
