package encodetest

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"

	"selfplay/encode"
	"selfplay/engine"
)

// moverRowsAreFlippedRows: with View.Mover, a row of the second side is the absolute row of
// the flipped position in all columns but side, hash and move; a row of the first side is the
// absolute row.
func moverRowsAreFlippedRows(tr *trial) error {
	return tr.layouts(func(l *encode.Layout) error {
		src := rand.New(rand.NewPCG(5, 5))
		absolute := encode.View{Layout: l, Searched: true, Extra: encode.ExtraNames()}
		return tr.pairs(func(p, other engine.Position) error {
			if p.Turn() == engine.First {
				p, other = other, p
			}
			return tr.compareRows(absolute, p, other, src)
		})
	})
}

// compareRows compares rows of p, where the second side is to move, with rows of the
// flipped position.
func (tr *trial) compareRows(absolute encode.View, p, other engine.Position, src *rand.Rand) error {
	rec := tr.oneDecision(p, src)
	if rec == nil {
		return nil
	}
	mover := absolute
	mover.Mover = true
	got, err := tr.rows(mover, rec)
	if err != nil {
		return err
	}
	flipped := tr.flippedRecord(rec, other)
	want, err := tr.rows(absolute, flipped)
	if err != nil {
		return err
	}
	first, err := tr.rows(mover, flipped)
	if err != nil {
		return err
	}
	if name := differentColumn(first, want); name != "" {
		return fmt.Errorf("first side: column %s differs", name)
	}
	clearFirstPlane(absolute.Layout, got)
	clearFirstPlane(absolute.Layout, want)
	if name := differentColumn(got, want, "side", "hash", "move", encode.StartPlyColumn); name != "" {
		return fmt.Errorf("second side: column %s differs", name)
	}
	return nil
}

// oneDecision returns a record of one searched decision at p, nil if p has no legal move
// or no game leads to it.
func (tr *trial) oneDecision(p engine.Position, src *rand.Rand) *engine.Record {
	moves := p.Moves(nil)
	if len(moves) == 0 {
		return nil
	}
	if r, ok := p.(engine.Reacher); ok && r.Reachable() != nil {
		return nil
	}
	some := func() uint16 { return tr.game.Actions.Number(moves[src.IntN(len(moves))]) }
	return &engine.Record{
		Start: p.String(), Actions: []uint16{some()}, Best: []uint16{some()}, MoveRanks: []uint8{1},
		Scores: []int16{int16(src.IntN(2000) - 1000)}, Nodes: []uint32{9},
		PolicySize: []uint16{3}, PolicyAction: []uint16{some(), some(), some()}, PolicyWeight: []uint16{7, 5, 3},
		Outcome: engine.Outcome{Reason: engine.PlyLimit},
	}
}

// flippedRecord returns the record of the same decision in the flipped position.
func (tr *trial) flippedRecord(rec *engine.Record, p engine.Position) *engine.Record {
	flipped := *rec
	flipped.Start = p.String()
	flip := func(list []uint16) (out []uint16) {
		for _, n := range list {
			out = append(out, tr.game.Actions.Flip(n))
		}
		return out
	}
	flipped.Actions, flipped.Best, flipped.PolicyAction = flip(rec.Actions), flip(rec.Best), flip(rec.PolicyAction)
	return &flipped
}

func (tr *trial) rows(v encode.View, rec *engine.Record) (*encode.Table, error) {
	t := encode.NewTable(v.Columns())
	return t, encode.NewReplayer(tr.game, "", v).Append(rec, t, nil)
}

// clearFirstPlane clears the plane that tells the sides apart.
func clearFirstPlane(l *encode.Layout, t *encode.Table) {
	if l.Name != encode.PlanesName {
		return
	}
	at := 0
	for _, e := range l.Elements {
		if e.Name == encode.FirstPlane {
			clear(t.Cell(encode.ColumnNamed(t.Columns, encode.BoardColumn), 0)[at:][:e.Count])
		}
		at += e.Count
	}
}

// differentColumn returns the first column in which two tables differ, besides the
// exceptions; "" if there is none.
func differentColumn(a, b *encode.Table, except ...string) string {
	for col, c := range a.Columns {
		if slices.Contains(except, c.Name) {
			continue
		}
		if !bytes.Equal(a.Data[col], b.Data[col]) || !slices.Equal(a.Ends[col], b.Ends[col]) {
			return c.Name
		}
	}
	return ""
}
