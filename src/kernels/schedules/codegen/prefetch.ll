; A cache line that will be read soon, asked for, on x86. Halide's own prefetch there is one for
; lines that are read once: they bypass the second cache, from which other tiles read them again.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128"

define weak_odr i32 @opbench_prefetch(i8* %buffer, i64 %offset) alwaysinline nounwind {
  %line = getelementptr i8, i8* %buffer, i64 %offset
  call void @llvm.prefetch.p0i8(i8* %line, i32 0, i32 3, i32 1)
  ret i32 0
}

declare void @llvm.prefetch.p0i8(i8*, i32 immarg, i32 immarg, i32 immarg)
