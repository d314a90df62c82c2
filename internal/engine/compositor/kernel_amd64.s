//go:build !purego

#include "textflag.h"

// kernel_amd64.go describes these functions and the bounds of their arguments. A word of 16 bits holds
// a·256 + (b−a)·w + 128, modulo 1<<16, which is a·(256−w) + b·w + 128.

// HALVES puts 128 into each word of Y5.
#define HALVES \
	VPCMPEQW Y5, Y5, Y5; \
	VPSRLW $15, Y5, Y5; \
	VPSLLW $7, Y5, Y5

// WEIGHTS computes the weights in Y3 from the alpha in X3.
#define WEIGHTS \
	VPMOVZXBW X3, Y3; \
	VPSRLW $7, Y3, Y2; \
	VPADDW Y2, Y3, Y3

// LAY mixes a in Y0 and b in Y1 with the weights in Y3 and stores the samples at DI.
#define LAY \
	VPSUBW Y0, Y1, Y1; \
	VPMULLW Y3, Y1, Y1; \
	VPSLLW $8, Y0, Y0; \
	VPADDW Y0, Y1, Y1; \
	VPADDW Y5, Y1, Y1; \
	VPSRLW $8, Y1, Y1; \
	VEXTRACTI128 $1, Y1, X2; \
	VPACKUSWB X2, X1, X1; \
	VMOVDQU X1, (DI)

// func mixWide(dst, a, b *byte, n int, w uint16)
TEXT ·mixWide(SB), NOSPLIT, $0-34
	MOVQ dst+0(FP), DI
	MOVQ a+8(FP), SI
	MOVQ b+16(FP), DX
	MOVQ n+24(FP), CX
	VPBROADCASTW w+32(FP), Y3
	HALVES

next:
	VPMOVZXBW (SI), Y0
	VPMOVZXBW (DX), Y1
	LAY
	ADDQ $16, SI
	ADDQ $16, DX
	ADDQ $16, DI
	SUBQ $16, CX
	JNZ next

	VZEROUPPER
	RET

// func mixAlphaWide(dst, src, alpha *byte, n int)
TEXT ·mixAlphaWide(SB), NOSPLIT, $0-32
	MOVQ dst+0(FP), DI
	MOVQ src+8(FP), SI
	MOVQ alpha+16(FP), DX
	MOVQ n+24(FP), CX
	HALVES

next:
	VMOVDQU (DX), X3
	VPTEST X3, X3
	JZ unseen // most of the box of a text is transparent

	WEIGHTS
	VPMOVZXBW (DI), Y0
	VPMOVZXBW (SI), Y1
	LAY

unseen:
	ADDQ $16, SI
	ADDQ $16, DX
	ADDQ $16, DI
	SUBQ $16, CX
	JNZ next

	VZEROUPPER
	RET

// func mixAlphaConstantWide(dst, alpha *byte, n int, v byte)
TEXT ·mixAlphaConstantWide(SB), NOSPLIT, $0-25
	MOVQ dst+0(FP), DI
	MOVQ alpha+8(FP), DX
	MOVQ n+16(FP), CX
	VPBROADCASTB v+24(FP), X4
	VPMOVZXBW X4, Y4
	HALVES

next:
	VMOVDQU (DX), X3
	VPTEST X3, X3
	JZ unseen

	WEIGHTS
	VPMOVZXBW (DI), Y0
	VMOVDQA Y4, Y1
	LAY

unseen:
	ADDQ $16, DX
	ADDQ $16, DI
	SUBQ $16, CX
	JNZ next

	VZEROUPPER
	RET

// MAKE computes eight double words: it loads the samples from FIRST on, picks pairs by PICK and weighs them by SHARE.
#define MAKE(FIRST, PICK, SHARE, X, Y) \
	MOVLQSX FIRST, AX; \
	VMOVDQU (SI)(AX*1), X; \
	VPSHUFB PICK, X, X; \
	VPMOVZXBW X, Y; \
	VPMADDWD SHARE, Y, Y; \
	VPADDD Y5, Y, Y; \
	VPSRLD $8, Y, Y

// func pairsWide(dst, src *byte, first *int32, pick *byte, share *uint16, n int)
TEXT ·pairsWide(SB), NOSPLIT, $0-48
	MOVQ dst+0(FP), DI
	MOVQ src+8(FP), SI
	MOVQ first+16(FP), R8
	MOVQ pick+24(FP), R9
	MOVQ share+32(FP), R10
	MOVQ n+40(FP), CX
	VPCMPEQD Y5, Y5, Y5
	VPSRLD $31, Y5, Y5
	VPSLLD $7, Y5, Y5 // 128 in each double word

next:
	MAKE((R8), (R9), (R10), X0, Y0)
	MAKE(32(R8), 16(R9), 32(R10), X1, Y1)
	VPACKUSDW Y1, Y0, Y0
	VPERMQ $0xD8, Y0, Y0 // packing leaves the halves crossed
	VEXTRACTI128 $1, Y0, X1
	VPACKUSWB X1, X0, X0
	VMOVDQU X0, (DI)
	ADDQ $64, R8
	ADDQ $32, R9
	ADDQ $64, R10
	ADDQ $16, DI
	SUBQ $16, CX
	JNZ next

	VZEROUPPER
	RET
