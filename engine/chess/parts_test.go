package chess

import (
	"testing"

	"selfplay/internal/must"
)

// TestPartsRoundTrip: assembling the parts of a position gives the same position.
func TestPartsRoundTrip(t *testing.T) {
	visitPositions(t, 20_000, func(p *Position) {
		a := p.Parts()
		q := must.Get(Assemble(&a))(t)
		if q.String() != p.String() || q.Hash() != p.Hash() {
			t.Errorf("assembled as %s", q)
		}
	})
}

// TestAssembleRejects: parts that no text describes.
func TestAssembleRejects(t *testing.T) {
	good := Parts{Castling: 15, EnPassant: -1, FullMove: 1}
	copy(good.Cells[:], New().AppendCells(nil))
	must.Get(Assemble(&good))(t)
	good960 := good
	good960.Chess960 = true
	must.Get(Assemble(&good960))(t)
	good960.Cells = [64]uint8{0: 10, 4: 12, 7: 10, 57: 4, 60: 6, 63: 4} // r3k2r, 1R2K2R
	good960.Rooks[1] = 2
	must.Get(Assemble(&good960))(t)
	for name, corrupt := range map[string]func(*Parts){
		"standard chess":            func(a *Parts) { a.Chess960 = false },
		"no rook in the corner":     func(a *Parts) { a.Rooks[1] = 0 },
		"no rook on the file":       func(a *Parts) { a.Rooks[1] = 3 },
		"rook behind the king":      func(a *Parts) { a.Rooks[0], a.Castling = 2, 1 },
		"rook of the corner":        func(a *Parts) { a.Rooks[0] = 8 },
		"file beyond h":             func(a *Parts) { a.Rooks[1] = 10 },
		"rook without a right":      func(a *Parts) { a.Castling = 13 },
		"king not on its first row": func(a *Parts) { a.Cells[60], a.Cells[52] = 0, 6 },
	} {
		a := good960
		corrupt(&a)
		if p, err := Assemble(&a); err == nil {
			t.Errorf("Chess960, %s: assembled as %s", name, p)
		}
	}
	for name, corrupt := range map[string]func(*Parts){
		"unknown piece":             func(a *Parts) { a.Cells[20] = 13 },
		"unknown side":              func(a *Parts) { a.Turn = 2 },
		"unknown right":             func(a *Parts) { a.Castling = 16 },
		"file beyond h":             func(a *Parts) { a.EnPassant = 8 },
		"file below -1":             func(a *Parts) { a.EnPassant = -2 },
		"no en passant pawn":        func(a *Parts) { a.EnPassant = 3 },
		"right without rook":        func(a *Parts) { a.Cells[0] = 0 },
		"no king":                   func(a *Parts) { a.Cells[4], a.Castling = 0, 3 },
		"pawn on rank 8":            func(a *Parts) { a.Cells[1] = 7 },
		"side not to move in check": func(a *Parts) { a.Cells[12] = 5 },
	} {
		a := good
		corrupt(&a)
		if p, err := Assemble(&a); err == nil {
			t.Errorf("%s: assembled as %s", name, p)
		}
	}
}
