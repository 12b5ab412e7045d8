//go:build !purego

#include "go_asm.h"
#include "textflag.h"

// Vectors of 256 bits hold 4 words, which are 16 accumulators. Go's assembler writes the
// destination last.

// ROW sets AX to the row of the feature at (R11), and advances R11.
#define ROW \
	MOVL  (R11), AX \
	ADDQ  $4, R11   \
	SHRL  CX, AX    \
	MOVWLZX AX, AX  \
	IMULQ R9, AX    \
	ADDQ  R8, AX

// func updateAVX2(dst, src, rows *uint64, words int, added, removed []engine.Feature, shift uint64)
TEXT ·updateAVX2(SB), NOSPLIT, $0-88
	MOVQ dst+0(FP), DI
	MOVQ src+8(FP), SI
	MOVQ rows+16(FP), R8
	MOVQ words+24(FP), R9
	MOVQ shift+80(FP), CX
	SHLQ $3, R9  // bytes of a row
	MOVQ R9, R10 // bytes left

// Four vectors at a time stay in registers while all rows are added and subtracted.
four:
	CMPQ    R10, $128
	JLT     one
	VMOVDQU 0(SI), Y0
	VMOVDQU 32(SI), Y1
	VMOVDQU 64(SI), Y2
	VMOVDQU 96(SI), Y3
	MOVQ    added_base+32(FP), R11
	MOVQ    added_len+40(FP), R12

fourAdd:
	SUBQ   $1, R12
	JLT    fourAdded
	ROW
	VPADDQ 0(AX), Y0, Y0
	VPADDQ 32(AX), Y1, Y1
	VPADDQ 64(AX), Y2, Y2
	VPADDQ 96(AX), Y3, Y3
	JMP    fourAdd

fourAdded:
	MOVQ removed_base+56(FP), R11
	MOVQ removed_len+64(FP), R12

fourRemove:
	SUBQ   $1, R12
	JLT    fourDone
	ROW
	VPSUBQ 0(AX), Y0, Y0
	VPSUBQ 32(AX), Y1, Y1
	VPSUBQ 64(AX), Y2, Y2
	VPSUBQ 96(AX), Y3, Y3
	JMP    fourRemove

fourDone:
	VMOVDQU Y0, 0(DI)
	VMOVDQU Y1, 32(DI)
	VMOVDQU Y2, 64(DI)
	VMOVDQU Y3, 96(DI)
	ADDQ    $128, SI
	ADDQ    $128, DI
	ADDQ    $128, R8
	SUBQ    $128, R10
	JMP     four

one:
	CMPQ    R10, $32
	JLT     done
	VMOVDQU (SI), Y0
	MOVQ    added_base+32(FP), R11
	MOVQ    added_len+40(FP), R12

oneAdd:
	SUBQ   $1, R12
	JLT    oneAdded
	ROW
	VPADDQ (AX), Y0, Y0
	JMP    oneAdd

oneAdded:
	MOVQ removed_base+56(FP), R11
	MOVQ removed_len+64(FP), R12

oneRemove:
	SUBQ   $1, R12
	JLT    oneDone
	ROW
	VPSUBQ (AX), Y0, Y0
	JMP    oneRemove

oneDone:
	VMOVDQU Y0, (DI)
	ADDQ    $32, SI
	ADDQ    $32, DI
	ADDQ    $32, R8
	SUBQ    $32, R10
	JMP     one

done:
	VZEROUPPER
	RET

// ADDVIEW adds 16 accumulators of a view to the sums in Y0. Without their offset (Y13) and clipped
// to 0 (Y15) and QA (Y14) they are v; v * weight fits 16 bits.
#define ADDVIEW(view, weights) \
	VPXOR    view, Y13, Y1      \
	VPMAXSW  Y15, Y1, Y1        \
	VPMINSW  Y14, Y1, Y1        \
	VPMULLW  weights, Y1, Y2    \
	VPMADDWD Y1, Y2, Y2         \
	VPADDD   Y2, Y0, Y0

// BEGINSUM sets the constants of ADDVIEW, and the sums to 0.
#define BEGINSUM \
	MOVL         $0x8000, AX \
	VMOVD        AX, X13 \
	VPBROADCASTW X13, Y13 \
	MOVL         $const_QA, AX \
	VMOVD        AX, X14 \
	VPBROADCASTW X14, Y14 \
	VPXOR        Y15, Y15, Y15 \
	VPXOR        Y0, Y0, Y0

// TOTAL adds up the sums in Y0 to AX.
#define TOTAL \
	VEXTRACTI128 $1, Y0, X1 \
	VPADDD       X1, X0, X0 \
	VPMOVSXDQ    X0, Y0 \
	VEXTRACTI128 $1, Y0, X1 \
	VPADDQ       X1, X0, X0 \
	VPSRLDQ      $8, X0, X1 \
	VPADDQ       X1, X0, X0 \
	VMOVQ        X0, AX \
	VZEROUPPER

// func outputAVX2(own, other *uint64, weights *int16, words int) int64
//
// With 512 accumulators, each of the eight sums of 32 bits has 128 products of at most
// 127*QA*QA: less than 2^30.
TEXT ·outputAVX2(SB), NOSPLIT, $0-40
	MOVQ         own+0(FP), SI
	MOVQ         other+8(FP), DI
	MOVQ         weights+16(FP), BX
	MOVQ         words+24(FP), CX
	SHLQ         $3, CX           // bytes of a view, and of its weights
	LEAQ         (BX)(CX*1), DX
	BEGINSUM
	XORQ         R8, R8

next:
	ADDVIEW((SI)(R8*1), (BX)(R8*1))
	ADDVIEW((DI)(R8*1), (DX)(R8*1))
	ADDQ $32, R8
	CMPQ R8, CX
	JLT  next

	TOTAL
	MOVQ AX, ret+32(FP)
	RET

// func outputAfterAVX2(view, rows *uint64, weights *int16, words int, added, removed []engine.Feature, shift uint64) int64
TEXT ·outputAfterAVX2(SB), NOSPLIT, $0-96
	MOVQ view+0(FP), SI
	MOVQ rows+8(FP), R8
	MOVQ weights+16(FP), BX
	MOVQ words+24(FP), R9
	MOVQ shift+80(FP), CX
	SHLQ $3, R9  // bytes of a row
	MOVQ R9, R10 // bytes left
	BEGINSUM

fourAfter:
	CMPQ    R10, $128
	JLT     oneAfter
	VMOVDQU 0(SI), Y4
	VMOVDQU 32(SI), Y5
	VMOVDQU 64(SI), Y6
	VMOVDQU 96(SI), Y7
	MOVQ    added_base+32(FP), R11
	MOVQ    added_len+40(FP), R12

fourAfterAdd:
	SUBQ   $1, R12
	JLT    fourAfterAdded
	ROW
	VPADDQ 0(AX), Y4, Y4
	VPADDQ 32(AX), Y5, Y5
	VPADDQ 64(AX), Y6, Y6
	VPADDQ 96(AX), Y7, Y7
	JMP    fourAfterAdd

fourAfterAdded:
	MOVQ removed_base+56(FP), R11
	MOVQ removed_len+64(FP), R12

fourAfterRemove:
	SUBQ   $1, R12
	JLT    fourAfterDone
	ROW
	VPSUBQ 0(AX), Y4, Y4
	VPSUBQ 32(AX), Y5, Y5
	VPSUBQ 64(AX), Y6, Y6
	VPSUBQ 96(AX), Y7, Y7
	JMP    fourAfterRemove

fourAfterDone:
	ADDVIEW(Y4, 0(BX))
	ADDVIEW(Y5, 32(BX))
	ADDVIEW(Y6, 64(BX))
	ADDVIEW(Y7, 96(BX))
	ADDQ $128, SI
	ADDQ $128, BX
	ADDQ $128, R8
	SUBQ $128, R10
	JMP  fourAfter

oneAfter:
	CMPQ    R10, $32
	JLT     doneAfter
	VMOVDQU (SI), Y4
	MOVQ    added_base+32(FP), R11
	MOVQ    added_len+40(FP), R12

oneAfterAdd:
	SUBQ   $1, R12
	JLT    oneAfterAdded
	ROW
	VPADDQ (AX), Y4, Y4
	JMP    oneAfterAdd

oneAfterAdded:
	MOVQ removed_base+56(FP), R11
	MOVQ removed_len+64(FP), R12

oneAfterRemove:
	SUBQ   $1, R12
	JLT    oneAfterDone
	ROW
	VPSUBQ (AX), Y4, Y4
	JMP    oneAfterRemove

oneAfterDone:
	ADDVIEW(Y4, (BX))
	ADDQ $32, SI
	ADDQ $32, BX
	ADDQ $32, R8
	SUBQ $32, R10
	JMP  oneAfter

doneAfter:
	TOTAL
	MOVQ AX, ret+88(FP)
	RET
