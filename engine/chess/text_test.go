package chess_test

import (
	"errors"
	"testing"

	"selfplay/engine"
	"selfplay/engine/chess"
)

// TestReads: texts that are read, and how they are written.
func TestReads(t *testing.T) {
	for text, want := range map[string]string{
		"4k3/8/8/8/3P4/8/8/4K3 b - d3 0 1":                            "4k3/8/8/8/3P4/8/8/4K3 b - - 0 1", // no capture
		"4k3/8/8/8/3Pp3/8/8/4K3 b - d3 0 1":                           "4k3/8/8/8/3Pp3/8/8/4K3 b - d3 0 1",
		"8/8/8/8/k2Pp2R/8/8/4K3 b - d3 0 1":                           "8/8/8/8/k2Pp2R/8/8/4K3 b - - 0 1", // none legal
		"4k3/8/8/8/8/8/8/4K3 w - - 0 0":                               "4k3/8/8/8/8/8/8/4K3 w - - 0 1",
		"4k3/8/8/8/8/8/8/4K3 w - - 255 65535":                         "4k3/8/8/8/8/8/8/4K3 w - - 255 65535",
		"QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/8/8/6pp/K4bnk w - - 0 1": "QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/8/8/6pp/K4bnk w - - 0 1",
		"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1": "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1",
	} {
		if got := at(t, text).String(); got != want {
			t.Errorf("%s: written as %s, want %s", text, got, want)
		}
	}
}

// TestRefusals: texts that are refused, why and where.
func TestRefusals(t *testing.T) {
	const structure, lexical, semantic = "structure", "lexical", "semantic"
	for _, c := range []struct {
		what, text, kind, category string
		rank, column               int
	}{
		{"empty", "", "FEN_INVALID_FORMAT", structure, 0, 0},
		{"four fields", "4k3/8/8/8/8/8/8/4K3 w - -", "FEN_INVALID_FORMAT", structure, 0, 0},
		{"seven fields", "4k3/8/8/8/8/8/8/4K3 w - - 0 1 x", "FEN_INVALID_FORMAT", structure, 0, 0},
		{"two blanks", "4k3/8/8/8/8/8/8/4K3  w - - 0 1", "FEN_INVALID_FORMAT", structure, 0, 0},
		{"a blank in front", " 4k3/8/8/8/8/8/8/4K3 w - - 0 1", "FEN_INVALID_FORMAT", structure, 0, 0},
		{"seven ranks", "4k3/8/8/8/8/8/4K3 w - - 0 1", "FEN_INVALID_RANK_COUNT", structure, 0, 0},
		{"nine ranks", "4k3/8/8/8/8/8/8/8/4K3 w - - 0 1", "FEN_INVALID_RANK_COUNT", structure, 0, 0},
		{"a bad letter", "4k3/8/8/3x4/8/8/8/4K3 w - - 0 1", "FEN_INVALID_PIECE", lexical, 5, 2},
		{"a question mark", "4k3/8/8/?7/8/8/8/4K3 w - - 0 1", "FEN_INVALID_PIECE", lexical, 5, 1},
		{"a nine", "4k3/9/8/8/8/8/8/4K3 w - - 0 1", "FEN_INVALID_PIECE", lexical, 7, 1},
		{"two numbers", "4k3/44/8/8/8/8/8/4K3 w - - 0 1", "FEN_INVALID_FORMAT", lexical, 7, 2},
		{"too long", "4k3/8/8/8/8/8/pppp5/4K3 w - - 0 1", "FEN_INVALID_FILE_COUNT", structure, 2, 5},
		{"too long by a piece", "4k3/8/8/8/8/8/8p/4K3 w - - 0 1", "FEN_INVALID_FILE_COUNT", structure, 2, 2},
		{"too short", "4k3/8/8/8/8/8/pppp3/4K3 w - - 0 1", "FEN_INVALID_FILE_COUNT", structure, 2, 6},
		{"side to move", "4k3/8/8/8/8/8/8/4K3 x - - 0 1", "FEN_INVALID_FORMAT", structure, 0, 0},
		{"no white king", "4k3/8/8/8/8/8/8/8 w - - 0 1", "FEN_INVALID_KING", semantic, 0, 0},
		{"no black king", "8/8/8/8/8/8/8/4K3 w - - 0 1", "FEN_INVALID_KING", semantic, 0, 0},
		{"two white kings", "4k3/8/8/8/8/8/8/K3K3 w - - 0 1", "FEN_INVALID_KING", semantic, 1, 3},
		{"a pawn on rank 8", "p3k3/8/8/8/8/8/8/4K3 w - - 0 1", "FEN_INVALID_PAWN", semantic, 8, 1},
		{"a pawn on rank 1", "4k3/8/8/8/8/8/8/2P1K3 w - - 0 1", "FEN_INVALID_PAWN", semantic, 1, 2},
		{"the wrong side in check", "4k3/8/8/8/8/8/8/r3K3 b - - 0 1", "FEN_INVALID_CHECK", semantic, 0, 0},
		{"kings side by side", "8/8/8/8/8/8/3k4/4K3 w - - 0 1", "FEN_INVALID_CHECK", semantic, 0, 0},
		{"rights in another order", "r3k2r/8/8/8/8/8/8/R3K2R w kqKQ - 0 1", "FEN_INVALID_CASTLING", lexical, 0, 0},
		{"rights twice", "r3k2r/8/8/8/8/8/8/R3K2R w KK - 0 1", "FEN_INVALID_CASTLING", lexical, 0, 0},
		{"rights without rook", "r3k2r/8/8/8/8/8/8/R3K3 w KQkq - 0 1", "FEN_INVALID_CASTLING", semantic, 0, 0},
		{"rights without king", "r3k2r/8/8/8/8/8/4K3/R6R w Q - 0 1", "FEN_INVALID_CASTLING", semantic, 0, 0},
		{"rights with the other's rook", "4k3/8/8/8/8/8/8/4K2r b K - 0 1", "FEN_INVALID_CHECK", semantic, 0, 0},
		{"en passant nowhere", "4k3/8/8/8/8/8/8/4K3 w - x6 0 1", "FEN_INVALID_EN_PASSANT", lexical, 0, 0},
		{"en passant on the wrong rank", "4k3/8/8/8/3Pp3/8/8/4K3 b - d6 0 1", "FEN_INVALID_EN_PASSANT", semantic, 0, 0},
		{"en passant without a pawn", "4k3/8/8/8/4p3/8/8/4K3 b - d3 0 1", "FEN_INVALID_EN_PASSANT", semantic, 0, 0},
		{"en passant on a piece", "4k3/8/8/8/3Pp3/3N4/8/4K3 b - d3 0 1", "FEN_INVALID_EN_PASSANT", semantic, 0, 0},
		{"en passant through a piece", "4k3/8/8/8/3Pp3/8/3N4/4K3 b - d3 0 1", "FEN_INVALID_EN_PASSANT", semantic, 0, 0},
		{"half-move clock over 255", "4k3/8/8/8/8/8/8/4K3 w - - 256 1", "FEN_INVALID_CLOCK", structure, 0, 0},
		{"half-move clock below 0", "4k3/8/8/8/8/8/8/4K3 w - - -1 1", "FEN_INVALID_CLOCK", structure, 0, 0},
		{"half-move clock with zeros", "4k3/8/8/8/8/8/8/4K3 w - - 00 1", "FEN_INVALID_CLOCK", structure, 0, 0},
		{"full-move number over 65535", "4k3/8/8/8/8/8/8/4K3 w - - 0 65536", "FEN_INVALID_CLOCK", structure, 0, 0},
		{"full-move number of twenty digits", "4k3/8/8/8/8/8/8/4K3 w - - 0 18446744073709551617", "FEN_INVALID_CLOCK", structure, 0, 0},
		{"no full-move number", "4k3/8/8/8/8/8/8/4K3 w - - 0 ", "FEN_INVALID_CLOCK", structure, 0, 0},
	} {
		t.Run(c.what, func(t *testing.T) {
			p := chess.New()
			var told *engine.TextError
			if err := p.Set(c.text); !errors.As(err, &told) {
				t.Fatalf("%q: refused with %v", c.text, err)
			}
			if told.Kind != c.kind || told.Category != c.category || told.Rank != c.rank || told.Column != c.column || told.Msg == "" {
				t.Errorf("%q: %#v", c.text, told)
			}
			if p.String() != chess.StartText {
				t.Errorf("%q: refused, and left %s", c.text, p)
			}
		})
	}
}

// TestManyMoves: no text makes a list run over, however many queens it has.
func TestManyMoves(t *testing.T) {
	const crowd = "1Q1Q1Q1Q/Q1Q1Q1Q1/1Q1Q1Q1Q/Q1Q1Q1Q1/1Q1Q1Q1Q/2Q1Q1Q1/pp5Q/kB1K4 w - - 0 1"
	const sparse = "Q2Q2Q1/2Q4Q/Q4Q2/3Q3Q/1Q4Q1/4Q2Q/ppQ5/kBNK2QQ w - - 0 1"
	for _, text := range []string{crowd, sparse} {
		p := at(t, text)
		list, _ := oRead(text).legal()
		if got := p.Moves(make([]engine.Move, 0, 8)); len(got) != len(list) || p.Count() != len(list) {
			t.Errorf("%s: %d moves listed, %d counted, want %d", text, len(got), p.Count(), len(list))
		}
		t.Logf("%d moves", len(list))
	}
}
