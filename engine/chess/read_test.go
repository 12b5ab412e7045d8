package chess_test

import (
	"errors"
	"testing"

	"selfplay/engine"
	"selfplay/engine/chess"
)

// TestSetAccepts: valid texts and their canonical form.
func TestSetAccepts(t *testing.T) {
	for text, want := range map[string]string{
		"4k3/8/8/8/3P4/8/8/4K3 b - d3 0 1":                            "4k3/8/8/8/3P4/8/8/4K3 b - - 0 1", // no pawn can capture
		"4k3/8/8/8/3Pp3/8/8/4K3 b - d3 0 1":                           "4k3/8/8/8/3Pp3/8/8/4K3 b - d3 0 1",
		"8/8/8/8/k2Pp2R/8/8/4K3 b - d3 0 1":                           "8/8/8/8/k2Pp2R/8/8/4K3 b - - 0 1", // the capture is illegal
		"4k3/8/8/8/8/8/8/4K3 w - - 0 0":                               "4k3/8/8/8/8/8/8/4K3 w - - 0 1",
		"4k3/8/8/8/8/8/8/4K3 w - - 255 65535":                         "4k3/8/8/8/8/8/8/4K3 w - - 255 65535",
		"QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/8/8/6pp/K4bnk w - - 0 1": "QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/8/8/6pp/K4bnk w - - 0 1",
		"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1": "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1",
	} {
		if got := at(t, text).String(); got != want {
			t.Errorf("%s: String is %s, want %s", text, got, want)
		}
	}
}

// TestSetRejects: invalid texts, with the kind and place of the fault.
func TestSetRejects(t *testing.T) {
	const structure, lexical, semantic = "structure", "lexical", "semantic"
	for _, c := range []struct {
		name, text, kind, category string
		rank, column               int
	}{
		{"empty", "", "FEN_INVALID_FORMAT", structure, 0, 0},
		{"four fields", "4k3/8/8/8/8/8/8/4K3 w - -", "FEN_INVALID_FORMAT", structure, 0, 0},
		{"seven fields", "4k3/8/8/8/8/8/8/4K3 w - - 0 1 x", "FEN_INVALID_FORMAT", structure, 0, 0},
		{"two blanks between fields", "4k3/8/8/8/8/8/8/4K3  w - - 0 1", "FEN_INVALID_FORMAT", structure, 0, 0},
		{"leading blank", " 4k3/8/8/8/8/8/8/4K3 w - - 0 1", "FEN_INVALID_FORMAT", structure, 0, 0},
		{"seven ranks", "4k3/8/8/8/8/8/4K3 w - - 0 1", "FEN_INVALID_RANK_COUNT", structure, 0, 0},
		{"nine ranks", "4k3/8/8/8/8/8/8/8/4K3 w - - 0 1", "FEN_INVALID_RANK_COUNT", structure, 0, 0},
		{"invalid letter", "4k3/8/8/3x4/8/8/8/4K3 w - - 0 1", "FEN_INVALID_PIECE", lexical, 5, 2},
		{"question mark", "4k3/8/8/?7/8/8/8/4K3 w - - 0 1", "FEN_INVALID_PIECE", lexical, 5, 1},
		{"digit 9", "4k3/9/8/8/8/8/8/4K3 w - - 0 1", "FEN_INVALID_PIECE", lexical, 7, 1},
		{"two digits in a row", "4k3/44/8/8/8/8/8/4K3 w - - 0 1", "FEN_INVALID_FORMAT", lexical, 7, 2},
		{"rank too long", "4k3/8/8/8/8/8/pppp5/4K3 w - - 0 1", "FEN_INVALID_FILE_COUNT", structure, 2, 5},
		{"rank too long by a piece", "4k3/8/8/8/8/8/8p/4K3 w - - 0 1", "FEN_INVALID_FILE_COUNT", structure, 2, 2},
		{"rank too short", "4k3/8/8/8/8/8/pppp3/4K3 w - - 0 1", "FEN_INVALID_FILE_COUNT", structure, 2, 6},
		{"invalid side to move", "4k3/8/8/8/8/8/8/4K3 x - - 0 1", "FEN_INVALID_FORMAT", structure, 0, 0},
		{"no white king", "4k3/8/8/8/8/8/8/8 w - - 0 1", "FEN_INVALID_KING", semantic, 0, 0},
		{"no black king", "8/8/8/8/8/8/8/4K3 w - - 0 1", "FEN_INVALID_KING", semantic, 0, 0},
		{"two white kings", "4k3/8/8/8/8/8/8/K3K3 w - - 0 1", "FEN_INVALID_KING", semantic, 1, 3},
		{"pawn on rank 8", "p3k3/8/8/8/8/8/8/4K3 w - - 0 1", "FEN_INVALID_PAWN", semantic, 8, 1},
		{"pawn on rank 1", "4k3/8/8/8/8/8/8/2P1K3 w - - 0 1", "FEN_INVALID_PAWN", semantic, 1, 2},
		{"side not to move in check", "4k3/8/8/8/8/8/8/r3K3 b - - 0 1", "FEN_INVALID_CHECK", semantic, 0, 0},
		{"adjacent kings", "8/8/8/8/8/8/3k4/4K3 w - - 0 1", "FEN_INVALID_CHECK", semantic, 0, 0},
		{"castling rights in wrong order", "r3k2r/8/8/8/8/8/8/R3K2R w kqKQ - 0 1", "FEN_INVALID_CASTLING", lexical, 0, 0},
		{"repeated castling right", "r3k2r/8/8/8/8/8/8/R3K2R w KK - 0 1", "FEN_INVALID_CASTLING", lexical, 0, 0},
		{"castling right without rook", "r3k2r/8/8/8/8/8/8/R3K3 w KQkq - 0 1", "FEN_INVALID_CASTLING", semantic, 0, 0},
		{"castling right without king", "r3k2r/8/8/8/8/8/4K3/R6R w Q - 0 1", "FEN_INVALID_CASTLING", semantic, 0, 0},
		{"castling right with an enemy rook", "4k3/8/8/8/8/8/8/4K2r b K - 0 1", "FEN_INVALID_CHECK", semantic, 0, 0},
		{"invalid en passant square", "4k3/8/8/8/8/8/8/4K3 w - x6 0 1", "FEN_INVALID_EN_PASSANT", lexical, 0, 0},
		{"en passant square on wrong rank", "4k3/8/8/8/3Pp3/8/8/4K3 b - d6 0 1", "FEN_INVALID_EN_PASSANT", semantic, 0, 0},
		{"en passant square without pawn", "4k3/8/8/8/4p3/8/8/4K3 b - d3 0 1", "FEN_INVALID_EN_PASSANT", semantic, 0, 0},
		{"en passant square occupied", "4k3/8/8/8/3Pp3/3N4/8/4K3 b - d3 0 1", "FEN_INVALID_EN_PASSANT", semantic, 0, 0},
		{"double step blocked", "4k3/8/8/8/3Pp3/8/3N4/4K3 b - d3 0 1", "FEN_INVALID_EN_PASSANT", semantic, 0, 0},
		{"half-move clock above 255", "4k3/8/8/8/8/8/8/4K3 w - - 256 1", "FEN_INVALID_CLOCK", structure, 0, 0},
		{"negative half-move clock", "4k3/8/8/8/8/8/8/4K3 w - - -1 1", "FEN_INVALID_CLOCK", structure, 0, 0},
		{"half-move clock with leading zero", "4k3/8/8/8/8/8/8/4K3 w - - 00 1", "FEN_INVALID_CLOCK", structure, 0, 0},
		{"full-move number above 65535", "4k3/8/8/8/8/8/8/4K3 w - - 0 65536", "FEN_INVALID_CLOCK", structure, 0, 0},
		{"full-move number of twenty digits", "4k3/8/8/8/8/8/8/4K3 w - - 0 18446744073709551617", "FEN_INVALID_CLOCK", structure, 0, 0},
		{"empty full-move number", "4k3/8/8/8/8/8/8/4K3 w - - 0 ", "FEN_INVALID_CLOCK", structure, 0, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := chess.New()
			var textErr *engine.TextError
			if err := p.Set(c.text); !errors.As(err, &textErr) {
				t.Fatalf("%q: error %v, want *engine.TextError", c.text, err)
			}
			if textErr.Kind != c.kind || textErr.Category != c.category || textErr.Rank != c.rank || textErr.Column != c.column || textErr.Msg == "" {
				t.Errorf("%q: error %#v", c.text, textErr)
			}
			if p.String() != chess.StartText {
				t.Errorf("%q: rejected, but the position changes to %s", c.text, p)
			}
		})
	}
}

// TestManyMoves: Moves lists and counts positions with any number of queens.
func TestManyMoves(t *testing.T) {
	const manyQueens = "1Q1Q1Q1Q/Q1Q1Q1Q1/1Q1Q1Q1Q/Q1Q1Q1Q1/1Q1Q1Q1Q/2Q1Q1Q1/pp5Q/kB1K4 w - - 0 1"
	const spreadQueens = "Q2Q2Q1/2Q4Q/Q4Q2/3Q3Q/1Q4Q1/4Q2Q/ppQ5/kBNK2QQ w - - 0 1"
	for _, text := range []string{manyQueens, spreadQueens} {
		p := at(t, text)
		list, _ := oRead(text).legal()
		if got := p.Moves(make([]engine.Move, 0, 8)); len(got) != len(list) || p.Count() != len(list) {
			t.Errorf("%s: %d moves listed, Count %d, want %d", text, len(got), p.Count(), len(list))
		}
		t.Logf("%d moves", len(list))
	}
}
