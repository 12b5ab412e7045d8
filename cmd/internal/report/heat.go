package report

import (
	"selfplay/cmd/internal/replay"
	"selfplay/datasets/stats"
	"selfplay/encode"
	"selfplay/engine"
)

// Heat holds counts of plies by cell, row by row from the top left.
type Heat struct {
	From  []uint64    `json:"from,omitempty"` // moves that begin on the cell; none in games without origins
	To    []uint64    `json:"to"`             // moves that end on the cell
	Sides Occupancy   `json:"sides"`
	Kinds []Occupancy `json:"kinds"` // by kind of piece
}

// Occupancy counts, for each cell, the plies at which a piece stood on it.
type Occupancy struct {
	Name    string   `json:"name"`
	First   []uint64 `json:"first"` // pieces of side 0
	Second  []uint64 `json:"second"`
	Neutral []uint64 `json:"neutral,omitempty"` // pieces of neither side
}

func heatOf(g *encode.Game, c *stats.Collector) Heat {
	b := &g.Board
	h := Heat{To: make([]uint64, b.Cells()), Sides: newOccupancy("all", b)}
	if g.Actions.HasOrigin {
		h.From = make([]uint64, b.Cells())
	}
	for _, kind := range b.Kinds {
		h.Kinds = append(h.Kinds, newOccupancy(kind.Name, b))
	}
	for action, plies := range c.Played() {
		if plies > 0 {
			h.addMoves(b, g.Actions.Describe(uint16(action)), plies)
		}
	}
	for cell := range b.Cells() {
		for code, plies := range c.Occupancy(cell) {
			h.addPieces(b.Codes[code], cell, plies)
		}
	}
	return h
}

// addMoves counts plies with one action.
func (h *Heat) addMoves(b *encode.Board, a encode.Action, plies uint64) {
	if from, ok := b.Cell(a.From); ok && h.From != nil {
		h.From[from] += plies
	}
	if to, ok := b.Cell(a.To); ok {
		h.To[to] += plies
	}
}

// addPieces counts plies with some pieces on a cell. The first piece owns the cell.
func (h *Heat) addPieces(pieces []encode.Piece, cell int, plies uint64) {
	for i, p := range pieces {
		h.Kinds[p.Kind].add(cell, p.Side, plies)
		if i == 0 && p.Side != encode.Neutral {
			h.Sides.add(cell, p.Side, plies)
		}
	}
}

func newOccupancy(name string, b *encode.Board) Occupancy {
	return Occupancy{Name: name, First: make([]uint64, b.Cells()), Second: make([]uint64, b.Cells())}
}

func (o *Occupancy) add(cell, side int, plies uint64) {
	switch {
	case side == int(engine.First):
		o.First[cell] += plies
	case side == int(engine.Second):
		o.Second[cell] += plies
	default:
		if o.Neutral == nil {
			o.Neutral = make([]uint64, len(o.First))
		}
		o.Neutral[cell] += plies
	}
}

// Shown is a position of a game to be drawn.
type Shown struct {
	Game     uint64 `json:"game"`
	Ply      int    `json:"ply"`  // earlier plies
	Of       int    `json:"of"`   // plies of the game
	Turn     string `json:"turn"` // name of the side to move
	Position string `json:"position"`
	Codes    []int  `json:"codes"`           // of the cells, by the identity layout
	Hands    []int  `json:"hands,omitempty"` // pieces in hand: see encode.Board.Hands
}

// show returns three positions of a game: after the opening, halfway, and the last.
func show(g *encode.Game, variant string, r *engine.Record) (list []Shown, err error) {
	pos := g.New(variant)
	add := func(ply int) {
		list = append(list, Shown{r.Game, ply, len(r.Actions), g.Sides[pos.Turn()], pos.String(), replay.Cells(g, pos), replay.Hands(g, pos)})
	}
	begin, half := int(r.OpeningPlies), len(r.Actions)/2
	err = g.Replay(pos, r, func(ply int, _ engine.Move) {
		if ply == min(begin, half) || ply == half {
			add(ply)
		}
	})
	if err == nil {
		add(len(r.Actions))
	}
	return list, err
}
