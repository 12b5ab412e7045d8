package chess

import "strings"

// The numbers of Evaluate, in centipawns unless stated otherwise.

const (
	tempo        = 9  // bonus for the side to move
	openingPhase = 24 // sum of phases at the start of the game
)

// values are the piece values of gains. phases are the weights of the pieces in
// the phase of the game: the sum runs from openingPhase down to 0 in the endgame.
var (
	values = [8]int{pawn: 100, knight: 320, bishop: 330, rook: 500, queen: 900}
	phases = [8]int{knight: 1, bishop: 1, rook: 2, queen: 4}
)

// Value returns the value of a kind of piece in centipawns, from 1 for pawns to 6 for kings, which
// have none.
func Value(kind int) int { return values[kind] }

// Terms of the score: opening and endgame, for each pawn, piece or pair.
var (
	isolatedPawn = newScore(0, -7, -1)
	doubledPawn  = newScore(0, 1, -10)
	defendedPawn = newScore(0, 8, 5)
	phalanxPawn  = newScore(0, 3, 7)
	pawnThreat   = newScore(0, 47, 32)
	rookOpen     = newScore(0, 54, -12)
	rookHalfOpen = newScore(0, 19, 19)
	shelterNear  = newScore(0, 13, -5)
	shelterFar   = newScore(0, 9, -13)
	bishopPair   = newScore(0, 33, 58)
	passedPawn   = [8]score{ // by rank, rank 8 first
		0, newScore(0, 41, 89), newScore(0, 15, 57), newScore(0, -6, 43), newScore(0, -4, 31), newScore(0, -7, 17), newScore(0, 8, 12), 0,
	}
)

// parseTable parses 64 numbers drawn as White sees the board.
func parseTable(text string) (list [64]int) {
	for i, field := range strings.Fields(text) {
		n, sign := 0, 1
		for _, c := range field {
			if c == '-' {
				sign = -1
			} else {
				n = 10*n + int(c-'0')
			}
		}
		list[i] = sign * n
	}
	return list
}

// openingTables and endgameTables are the values of pieces on their squares, rank 8 first, as
// White sees the board.
//
// They and the terms above are fitted by logistic regression to the 2.5 million quiet positions
// of 28,000 games that the program played against itself with 1,000 and 1,500 nodes a move.
// The target is 0.3 of the result and 0.7 of the result that the score of the search
// predicts. The tables are drawn towards hand-made ones, so that rare squares add no noise.
var openingTables = [8]string{
	pawn: `
   0    0    0    0    0    0    0    0
 138  136  134  135  132  134  133  136
  94   95  100  113  112  102   97   91
  91   90   91  112  112   92   91   90
  87   82   90  110  111   96   83   84
  88   83   81   79   83   77   88   91
  81   89   87   60   59   97   99   85
   0    0    0    0    0    0    0    0`,
	knight: `
 299  315  324  325  325  324  315  304
 313  335  357  357  355  360  334  314
 325  357  367  377  378  367  359  326
 327  358  378  383  381  378  359  330
 326  352  373  371  371  370  355  331
 323  357  356  368  368  360  359  325
 316  334  347  347  346  348  335  313
 305  318  324  324  325  324  319  305`,
	bishop: `
 338  347  347  347  347  346  347  337
 347  358  356  359  357  358  357  344
 348  359  362  369  369  365  359  350
 346  361  367  378  374  364  365  352
 347  361  369  375  369  368  361  347
 349  368  364  357  360  369  368  348
 348  357  353  351  354  357  366  345
 335  346  339  344  344  334  346  336`,
	rook: `
 509  510  509  509  509  508  508  510
 515  517  522  519  519  520  518  514
 506  508  509  510  509  508  508  504
 502  509  510  508  509  509  509  503
 499  507  507  507  505  506  506  499
 500  506  506  505  504  507  507  495
 494  504  506  504  509  506  503  486
 500  503  505  507  508  512  495  500`,
	queen: `
1068 1077 1079 1084 1084 1079 1078 1069
1077 1087 1089 1089 1089 1092 1092 1080
1078 1089 1092 1095 1096 1097 1093 1080
1080 1087 1092 1094 1095 1097 1089 1088
1082 1085 1092 1091 1094 1094 1089 1084
1076 1091 1089 1087 1089 1092 1088 1078
1076 1085 1089 1082 1090 1093 1087 1076
1068 1073 1074 1080 1081 1074 1077 1067`,
	king: `
 -30  -40  -40  -50  -50  -40  -40  -30
 -30  -39  -39  -50  -50  -39  -39  -30
 -30  -39  -40  -51  -52  -40  -39  -30
 -30  -39  -41  -51  -52  -42  -38  -29
 -19  -29  -31  -42  -40  -31  -30  -21
 -11  -20  -23  -22  -22  -22  -20  -11
  21   19    0   -9  -11    3   23   25
  20   30   17   -5   16    4   31   25`,
}

var endgameTables = [8]string{
	pawn: `
   0    0    0    0    0    0    0    0
 212  215  212  212  205  212  207  203
 171  167  160  159  157  160  155  160
 138  133  123  126  126  126  127  132
 114  114  109  105  109  110  116  116
 107  111  107  107  110  112  111  110
 111  110  111   96  100  113  114  104
   0    0    0    0    0    0    0    0`,
	knight: `
 242  255  265  265  265  265  255  244
 255  275  296  297  296  295  275  254
 265  296  304  310  311  305  295  266
 267  304  314  313  314  311  304  267
 265  296  310  314  315  310  296  266
 264  299  304  309  308  307  297  264
 255  274  294  297  295  292  276  255
 245  254  264  264  264  264  255  245`,
	bishop: `
 296  305  305  305  304  304  306  296
 305  318  316  316  316  316  318  304
 306  316  322  322  325  323  316  304
 304  323  323  327  327  322  321  307
 306  319  328  327  325  326  321  305
 305  324  327  324  329  328  322  305
 305  311  311  312  315  313  315  304
 294  304  292  303  304  297  306  295`,
	rook: `
 517  516  505  514  515  512  513  515
 521  517  511  516  517  513  517  514
 515  514  511  515  513  513  514  508
 509  516  515  513  513  511  512  506
 505  510  508  510  510  509  510  503
 503  508  508  508  508  507  509  503
 499  506  507  506  506  506  504  499
 499  508  508  510  508  505  506  493`,
	queen: `
 853  861  864  869  869  863  862  852
 863  871  873  873  873  874  874  863
 863  873  876  877  879  880  874  864
 867  871  878  879  880  880  874  869
 870  871  877  879  878  878  873  868
 862  873  878  875  876  877  871  862
 862  868  874  869  870  872  871  862
 852  860  861  861  865  860  862  852`,
	king: `
 -49  -38  -29  -20  -19  -29  -38  -49
 -28  -16   -7    2    2   -7  -16  -28
 -29   -3   20   20   12   21    0  -29
 -29    1   23   24   24   11   -6  -30
 -27   -1   23   18   21   19   -8  -30
 -28   -3   15   21   21   16   -6  -29
 -22  -19   -2   -1    1   -1  -20  -25
 -34  -19  -25  -28  -34  -33  -25  -38`,
}

// pieceScores are indexed by piece code and square.
var pieceScores = func() (table [32][128]score) {
	for kind := uint8(pawn); kind <= king; kind++ {
		opening, endgame := parseTable(openingTables[kind]), parseTable(endgameTables[kind])
		for cell, sq := range mailbox64 {
			flipped := cell ^ 56 // the same cell from Black's view
			table[white|kind][sq] = newScore(phases[kind], opening[cell], endgame[cell])
			table[black|kind][sq] = newScore(phases[kind], -opening[flipped], -endgame[flipped])
		}
	}
	return table
}()
