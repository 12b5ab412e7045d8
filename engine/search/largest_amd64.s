//go:build !purego

#include "textflag.h"

// func largestAVX2(keys *int32, n int) int
//
// Vectors of 256 bits hold 8 keys. The last vector of a list may overlap the one before it. Go's
// assembler writes the destination last.
TEXT ·largestAVX2(SB), NOSPLIT, $0-24
	MOVQ    keys+0(FP), SI
	MOVQ    n+8(FP), CX
	SUBQ    $8, CX           // index of the last vector
	VMOVDQU (SI)(CX*4), Y0
	XORQ    AX, AX

largest:
	VPMAXSD (SI)(AX*4), Y0, Y0
	ADDQ    $8, AX
	CMPQ    AX, CX
	JLT     largest

	// The largest of Y0, in all its lanes.
	VEXTRACTI128 $1, Y0, X1
	VPMAXSD      X1, X0, X0
	VPSHUFD      $0x4E, X0, X1
	VPMAXSD      X1, X0, X0
	VPSHUFD      $0xB1, X0, X1
	VPMAXSD      X1, X0, X0
	VPBROADCASTD X0, Y0
	XORQ         AX, AX

first:
	VPCMPEQD  (SI)(AX*4), Y0, Y1
	VMOVMSKPS Y1, DX
	TESTL     DX, DX
	JNZ       found
	ADDQ      $8, AX
	CMPQ      AX, CX
	CMOVQGT   CX, AX
	JMP       first

found:
	BSFL DX, DX
	ADDQ DX, AX
	MOVQ AX, ret+16(FP)
	VZEROUPPER
	RET
