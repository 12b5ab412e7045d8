package report

import (
	"encoding/binary"

	"selfplay/cmd/internal/board"
	"selfplay/datasets/stats"
	"selfplay/encode"
	"selfplay/engine"
)

// Heat is how often something was so on each cell, row by row from the top left, in
// plies.
type Heat struct {
	From  []uint64 `json:"from"` // moves that begin there
	To    []uint64 `json:"to"`   // moves that end there
	Sides Stood    `json:"sides"`
	Kinds []Stood  `json:"kinds"` // of pieces, and of whatever else stands on cells
}

// Stood is where things stood at a decision.
type Stood struct {
	Name   string   `json:"name"`
	First  []uint64 `json:"first"` // those of the side that moves first
	Second []uint64 `json:"second"`
	Nobody []uint64 `json:"nobody,omitempty"` // those of neither
}

func heatOf(g *encode.Game, seen *stats.Collector) (Heat, error) {
	b, err := board.Of(g.Name)
	if err != nil {
		return Heat{}, err
	}
	h := Heat{From: make([]uint64, b.Cells()), To: make([]uint64, b.Cells()), Sides: newStood("all", b)}
	for _, kind := range b.Kinds {
		h.Kinds = append(h.Kinds, newStood(kind, b))
	}
	for action, plies := range seen.Played() {
		if plies == 0 {
			continue
		}
		a := g.Actions.Describe(uint16(action))
		if from, ok := b.Cell(a.From); ok {
			h.From[from] += plies
		}
		if to, ok := b.Cell(a.To); ok {
			h.To[to] += plies
		}
	}
	for cell := range b.Cells() {
		for code, plies := range seen.Stood(cell) {
			for i, t := range b.Things(code) {
				h.Kinds[t.Kind].add(cell, t.Side, plies)
				if i == 0 && t.Side != board.Nobody {
					h.Sides.add(cell, t.Side, plies)
				}
			}
		}
	}
	return h, nil
}

func newStood(name string, b *board.Board) Stood {
	return Stood{Name: name, First: make([]uint64, b.Cells()), Second: make([]uint64, b.Cells())}
}

func (s *Stood) add(cell, side int, plies uint64) {
	switch {
	case side == int(engine.First):
		s.First[cell] += plies
	case side == int(engine.Second):
		s.Second[cell] += plies
	default:
		if s.Nobody == nil {
			s.Nobody = make([]uint64, len(s.First))
		}
		s.Nobody[cell] += plies
	}
}

// Shown is a position of a game.
type Shown struct {
	Game     uint64 `json:"game"`
	Ply      int    `json:"ply"`  // decisions made before it
	Of       int    `json:"of"`   // plies of the game
	Turn     string `json:"turn"` // who decides
	Position string `json:"position"`
	Codes    []int  `json:"codes"` // what stands on the cells, by the layout's codes
}

// Show returns three positions of a game: as the players take over, or begin, halfway,
// and the last.
func Show(g *encode.Game, variant string, r *engine.Record) (list []Shown, err error) {
	pos := g.New(variant)
	show := func(ply int) {
		list = append(list, Shown{r.Game, ply, len(r.Actions), g.Sides[pos.Turn()], pos.String(), codesOf(g, pos)})
	}
	begin, half := int(r.OpeningPlies), len(r.Actions)/2
	err = g.Replay(pos, r, func(ply int, _ engine.Move) {
		if ply == min(begin, half) || ply == half {
			show(ply)
		}
	})
	if err == nil {
		show(len(r.Actions))
	}
	return list, err
}

// codesOf returns what stands on the cells.
func codesOf(g *encode.Game, pos engine.Position) []int {
	l := g.Identity()
	values := l.Encode(nil, pos)
	codes := make([]int, l.Elements[0].Count)
	for i := range codes {
		codes[i] = int(values[i])
		if l.Kind.Size() == 2 {
			codes[i] = int(binary.LittleEndian.Uint16(values[2*i:]))
		}
	}
	return codes
}
