package encodetest

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

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
	return t, encode.NewReplayer(tr.game, tr.variant, v).Append(rec, t, nil)
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

// repetitionsAreRecounted: in games that return to earlier positions, the column
// repetitions is the number of earlier positions with the same key, in every layout, and
// Game.Repetitions is the number with which the rules end a game.
func repetitionsAreRecounted(tr *trial) error {
	ended := false
	for seed := range uint64(repeatingGames) {
		rec, counts := tr.repeatingGame(rand.New(rand.NewPCG(6, seed)))
		if err := tr.compareRepetitions(rec, counts); err != nil {
			return fmt.Errorf("game %d: %w", seed, err)
		}
		repeated := rec.Outcome.Reason == engine.Repetition
		if last := counts[len(counts)-1]; repeated && last != tr.game.Repetitions {
			return fmt.Errorf("game %d ends by repetition after %d earlier occurrences, want %d", seed, last, tr.game.Repetitions)
		}
		ended = ended || repeated
	}
	if ended != (tr.game.Repetitions > 0) {
		return fmt.Errorf("field Repetitions is %d, but a game that ends by repetition: %t", tr.game.Repetitions, ended)
	}
	return nil
}

// Number and length of the games of repetitionsAreRecounted.
const (
	repeatingGames = 4
	repeatingPlies = 120
)

// repeatingGame plays a game that returns to earlier positions where it can. It returns
// the record, and for every position up to the last the number of earlier ones with its
// key.
func (tr *trial) repeatingGame(src *rand.Rand) (*engine.Record, []int) {
	p, layout := tr.newPosition(), tr.game.Identity()
	key := layout.Key()
	occurred, seen := map[string]int{}, map[uint64]bool{}
	rec := &engine.Record{Outcome: engine.Outcome{Reason: engine.PlyLimit}}
	var counts []int
	for {
		k := string(key(nil, layout.Encode(nil, p), p.Turn()))
		counts = append(counts, occurred[k])
		occurred[k]++
		seen[p.Hash()] = true
		if o := p.Outcome(); o != engine.Ongoing {
			rec.Outcome = o
			return rec, counts
		}
		if len(rec.Actions) == repeatingPlies {
			return rec, counts
		}
		m := returning(p, seen, src)
		rec.Actions = append(rec.Actions, tr.game.Actions.Number(m))
		rec.MoveRanks = append(rec.MoveRanks, engine.RankRandom)
		p.Do(m)
	}
}

// returning returns a legal move to a position that was seen, else a move after which the
// next one can lead to such a position, else any move.
func returning(p engine.Position, seen map[uint64]bool, src *rand.Rand) engine.Move {
	moves := p.Moves(nil)
	src.Shuffle(len(moves), func(i, j int) { moves[i], moves[j] = moves[j], moves[i] })
	for depth := range 2 {
		for _, m := range moves {
			if leadsTo(p, m, seen, depth) {
				return m
			}
		}
	}
	return moves[0]
}

// leadsTo reports whether m and then as many further moves as depth says can lead to a
// position that was seen.
func leadsTo(p engine.Position, m engine.Move, seen map[uint64]bool, depth int) bool {
	p.Do(m)
	defer p.Undo()
	if depth == 0 {
		return seen[p.Hash()]
	}
	for _, next := range p.Moves(nil) {
		if leadsTo(p, next, seen, depth-1) {
			return true
		}
	}
	return false
}

// compareRepetitions compares the column with the counts, in every layout.
func (tr *trial) compareRepetitions(rec *engine.Record, counts []int) error {
	return tr.layouts(func(l *encode.Layout) error {
		t, err := tr.rows(encode.View{Layout: l, Extra: []string{"repetitions"}}, rec)
		if err != nil {
			return err
		}
		for ply := range rec.Actions {
			got := int(binary.LittleEndian.Uint16(t.Cell(len(t.Columns)-1, ply)))
			if got != counts[ply] {
				return fmt.Errorf("ply %d: %d repetitions, want %d", ply, got, counts[ply])
			}
		}
		return nil
	})
}

// Record returns the record of a game that begins at a position, "" for that of the game, and is cut
// off after the moves, which count as random.
func Record(t testing.TB, g *encode.Game, start string, moves ...string) *engine.Record {
	t.Helper()
	p := g.New("")
	if err := engine.Begin(p, start); err != nil {
		t.Fatal(err)
	}
	r := &engine.Record{Start: start}
	for _, text := range moves {
		m, err := p.ParseMove(text)
		if err != nil {
			t.Fatal(err)
		}
		r.Actions, r.MoveRanks = append(r.Actions, g.Actions.Number(m)), append(r.MoveRanks, engine.RankRandom)
		p.Do(m)
	}
	r.Outcome = engine.Outcome{Reason: engine.PlyLimit}
	return r
}

// Knights returns the record of a game of chess in which the knights go to and fro.
func Knights(t testing.TB, plies int) *engine.Record {
	t.Helper()
	g := encode.Chess()
	var moves []string
	for ply := range plies {
		moves = append(moves, []string{"g1f3", "g8f6", "f3g1", "f6g8"}[ply%4])
	}
	return Record(t, &g, "", moves...)
}
