/* The precompiled prelude as read-only data (prelude_pch.h). */
.section .rodata
.macro embed symbol, file
  .global \symbol
  .hidden \symbol
  .balign 16
\symbol:
  .incbin "\file"
  .global \symbol\()_end
  .hidden \symbol\()_end
\symbol\()_end:
.endm
embed cuttle_prelude_pch_ptx, "prelude_ptx.pch"
embed cuttle_prelude_pch_cpu, "prelude_cpu.pch"
.section .note.GNU-stack,"",@progbits
