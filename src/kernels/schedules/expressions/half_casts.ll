; Conversions between float and binary16 by the instructions of F16C and AVX-512, which Halide 14
; does not know. The names with x8 and x16 are those that it looks for to call on vectors.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128"

define weak_odr i16 @opbench_to_half(float %x) alwaysinline nounwind readnone {
  %half = fptrunc float %x to half
  %bits = bitcast half %half to i16
  ret i16 %bits
}

define weak_odr <8 x i16> @opbench_to_halfx8(<8 x float> %x) alwaysinline nounwind readnone {
  %half = fptrunc <8 x float> %x to <8 x half>
  %bits = bitcast <8 x half> %half to <8 x i16>
  ret <8 x i16> %bits
}

define weak_odr <16 x i16> @opbench_to_halfx16(<16 x float> %x) alwaysinline nounwind readnone {
  %half = fptrunc <16 x float> %x to <16 x half>
  %bits = bitcast <16 x half> %half to <16 x i16>
  ret <16 x i16> %bits
}

define weak_odr float @opbench_from_half(i16 %bits) alwaysinline nounwind readnone {
  %half = bitcast i16 %bits to half
  %x = fpext half %half to float
  ret float %x
}

define weak_odr <8 x float> @opbench_from_halfx8(<8 x i16> %bits) alwaysinline nounwind readnone {
  %half = bitcast <8 x i16> %bits to <8 x half>
  %x = fpext <8 x half> %half to <8 x float>
  ret <8 x float> %x
}

define weak_odr <16 x float> @opbench_from_halfx16(<16 x i16> %bits) alwaysinline nounwind readnone {
  %half = bitcast <16 x i16> %bits to <16 x half>
  %x = fpext <16 x half> %half to <16 x float>
  ret <16 x float> %x
}
