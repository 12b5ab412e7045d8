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
