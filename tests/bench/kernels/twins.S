/* nvcc's cubin of the twins, or nothing where there was no nvcc. */
    .section .rodata
    .global cuttle_race_twins, cuttle_race_twins_end
    .balign 16
cuttle_race_twins:
#ifdef CUTTLE_HAS_TWINS
    .incbin "twins.cubin"
#endif
cuttle_race_twins_end:
    .section .note.GNU-stack, "", @progbits
