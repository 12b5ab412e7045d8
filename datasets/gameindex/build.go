package gameindex

import (
	"encoding/binary"
	"fmt"
	"math"

	"selfplay/datasets"
	"selfplay/datasets/plan"
	"selfplay/datasets/record"
	"selfplay/encode"
	"selfplay/engine"
)

// Columns of the games table that are read, in its order. A search reads those before colScore.
const (
	colGame = iota
	colStart
	colAction
	colScore
	colNodes
	colPlayerFirst
	colPlayerSecond
	colResult
	colReason
)

var gameColumns = []string{
	encode.GameColumn, "start", encode.ActionColumn, encode.ScoreColumn, "nodes", "player_first", "player_second", "result", "reason",
}

// builder reads shards. It belongs to one goroutine.
type builder struct {
	ds    *datasets.Dataset
	game  *encode.Game
	pos   engine.Position
	drops *encode.Deblunder // nil without a model
	// material counts pieces; nil in a game without material.
	material *encode.MaterialCounter
	rec      engine.Record
	turns    []engine.Side
}

func (ix *Index) newBuilder() *builder {
	b := &builder{ds: ix.ds, game: &ix.shape.Game, pos: ix.shape.Game.New(ix.shape.Variant)}
	if w := ix.shape.WDL; w != nil {
		b.drops = &encode.Deblunder{A: w.A, B: w.B}
	}
	if b.game.Board.HasMaterial() {
		b.material = encode.NewMaterialCounter(b.game)
	}
	return b
}

// built is a shard that has been read, with a numbering of pairs of its own.
type built struct {
	*shard
	players players
}

// build reads the games of a shard.
func (b *builder) build(c *record.Commit) (*built, error) {
	s, n, games := newShard(c), newNumbering(players{}), 0
	for _, p := range c.Parts() {
		rows, err := b.readPart(s, n, p)
		if err != nil {
			return nil, err
		}
		games += rows
	}
	if games != s.games() {
		return nil, fmt.Errorf("%w: %d games, want %d", datasets.ErrCorrupt, games, s.games())
	}
	return &built{s, n.players}, nil
}

// readPart adds the games of a part and returns their number.
func (b *builder) readPart(s *shard, n *numbering, p *record.Part) (games int, err error) {
	part := b.ds.Part(p)
	defer part.Close()
	r, err := part.Columns(plan.GamesFile, gameColumns...)
	if err != nil {
		return 0, err
	}
	for g := range r.Groups() {
		t, err := r.Read(g)
		if err == nil {
			err = b.add(s, n, t)
		}
		if err != nil {
			return 0, err
		}
		games += t.Rows
	}
	return games, nil
}

// add adds the games of a table.
func (b *builder) add(s *shard, n *numbering, t *encode.Table) error {
	for i := range t.Rows {
		row, err := s.row(t.Cell(colGame, i))
		if err != nil {
			return err
		}
		actions := t.Cell(colAction, i)
		s.result[row], s.reason[row] = t.Data[colResult][i], t.Data[colReason][i]
		s.plies[row] = uint16(min(len(actions)/2, math.MaxUint16))
		s.players[row] = n.number(t.Cell(colPlayerFirst, i), t.Cell(colPlayerSecond, i))
		for ply := range s.opening {
			s.opening[ply][row] = unknown
			if 2*ply < len(actions) && len(t.Cell(colStart, i)) == 0 {
				s.opening[ply][row] = binary.LittleEndian.Uint16(actions[2*ply:])
			}
		}
		m, err := b.measure(t, i)
		if err != nil {
			return fmt.Errorf("game %d: %w", s.commit.FirstGame+uint64(row), err)
		}
		s.drop[row], s.dropPly[row], s.lead[0][row], s.lead[1][row] = m.drop, m.dropPly, m.lead[0], m.lead[1]
	}
	return nil
}

// measured is what a replay finds in a game.
type measured struct {
	drop, dropPly uint16
	lead          [2]uint16
}

// measure returns the largest drop of a game with its ply, and the largest leads. Only the position knows
// the side to move and the material.
func (b *builder) measure(t *encode.Table, row int) (measured, error) {
	m := measured{unknown, unknown, [2]uint16{unknown, unknown}}
	scored := b.drops != nil && len(t.Cell(colNodes, row)) > 0
	if !scored && b.material == nil {
		return m, nil
	}
	readGame(t, row, &b.rec)
	b.turns = b.turns[:0]
	leads := [2]int{}
	look := func(int, engine.Move) bool {
		b.turns = append(b.turns, b.pos.Turn())
		if b.material != nil {
			b.material.Of(b.pos).Raise(&leads)
		}
		return true
	}
	if err := replay(b.game, b.pos, &b.rec, look); err != nil {
		return m, err
	}
	if b.material != nil {
		b.material.Of(b.pos).Raise(&leads)
		m.lead = [2]uint16{uint16(min(leads[0], math.MaxInt16)), uint16(min(leads[1], math.MaxInt16))}
	}
	if !scored {
		return m, nil
	}
	if plies := len(b.turns); len(b.rec.Scores) != plies || len(b.rec.Nodes) != plies {
		return m, fmt.Errorf("%w: %d plies, but %d scores and %d numbers of nodes",
			datasets.ErrCorrupt, plies, len(b.rec.Scores), len(b.rec.Nodes))
	}
	loss, at, known := b.drops.LargestDrop(&b.rec, b.turns)
	if known {
		m.drop = uint16(loss)
	}
	if loss > 0 {
		m.dropPly = uint16(at)
	}
	return m, nil
}

// replay plays the actions of a record on pos and calls look before each, until it returns false.
func replay(g *encode.Game, pos engine.Position, rec *engine.Record, look func(ply int, m engine.Move) bool) error {
	if err := engine.Begin(pos, rec.Start); err != nil {
		return err
	}
	for ply, action := range rec.Actions {
		m, err := g.Actions.Move(pos, action)
		if err != nil {
			return fmt.Errorf("ply %d: %w", ply, err)
		}
		if !look(ply, m) {
			return nil
		}
		pos.Do(m)
	}
	return nil
}

// readGame sets start, actions, scores and nodes of rec to those of a row of gameColumns, as far as
// the table has them. It reuses the memory of rec.
func readGame(t *encode.Table, row int, rec *engine.Record) {
	rec.Reset()
	rec.Start = string(t.Cell(colStart, row))
	for v := t.Cell(colAction, row); len(v) > 0; v = v[2:] {
		rec.Actions = append(rec.Actions, binary.LittleEndian.Uint16(v))
	}
	if len(t.Columns) <= colScore {
		return
	}
	for v := t.Cell(colScore, row); len(v) > 0; v = v[2:] {
		rec.Scores = append(rec.Scores, int16(binary.LittleEndian.Uint16(v)))
	}
	for v := t.Cell(colNodes, row); len(v) > 0; v = v[4:] {
		rec.Nodes = append(rec.Nodes, binary.LittleEndian.Uint32(v))
	}
	rec.Outcome.Result = engine.Result(t.Data[colResult][row])
	rec.Outcome.Reason = engine.Reason(t.Data[colReason][row])
}
