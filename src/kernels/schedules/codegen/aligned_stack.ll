; A kernel's functions may take it that the stack which they are called with ends on a cache line, and
; keep it so for those that they call. LLVM decides too late which sums do not fit into registers to
; align the stack for them itself: sums that lie across two lines cost a tenth of some kernels' speed,
; across two pages half of it, and where the stack lies differs from process to process.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128"

!llvm.module.flags = !{!0}
!0 = !{i32 1, !"override-stack-alignment", i32 64}
