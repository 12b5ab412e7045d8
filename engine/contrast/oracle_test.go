package contrast_test

import (
	"fmt"
	"slices"
	"strings"

	"selfplay/engine"
)

// oracle is a second implementation of the rules: slow, literal, and without code
// shared with the package. cells is the board as printed: cells[0] is rank 5 and
// cells[0][0] is a5.
type oracle struct {
	cells  [5][5]oCell
	black  [2]int // black tiles in hand, by side
	gray   [2]int // gray tiles in hand, by side
	side   int    // 0 Black, 1 White
	before bool
	seen   map[string]int // occurrences by cells and side to move
}

type oCell struct {
	piece byte // x, o or blank
	tile  byte // b, g or blank
}

type oMove struct {
	y, x, toY, toX int
	tile           byte // b, g or blank
	tileY, tileX   int
}

func (m oMove) String() string {
	text := oName(m.y, m.x) + "," + oName(m.toY, m.toX) + " "
	if m.tile == ' ' {
		return text + "-1"
	}
	return text + oName(m.tileY, m.tileX) + string(m.tile)
}

func (m oMove) with(tile byte, y, x int) oMove {
	m.tile, m.tileY, m.tileX = tile, y, x
	return m
}

func oName(y, x int) string { return "abcde"[x:x+1] + "54321"[y:y+1] }

func oOnBoard(y, x int) bool { return y >= 0 && y < 5 && x >= 0 && x < 5 }

// moves returns the wire forms of all moves, sorted.
func (o *oracle) moves() []string {
	var list []string
	for _, m := range o.actions() {
		list = append(list, m.String())
	}
	slices.Sort(list)
	return list
}

func (o *oracle) actions() []oMove {
	if o.reached(0) || o.reached(1) {
		return nil
	}
	var list []oMove
	for y := range 5 {
		for x := range 5 {
			if o.cells[y][x].piece == "xo"[o.side] {
				list = append(list, o.actionsFrom(y, x)...)
			}
		}
	}
	return list
}

func (o *oracle) actionsFrom(y, x int) (list []oMove) {
	for _, dy := range []int{-1, 0, 1} {
		for _, dx := range []int{-1, 0, 1} {
			if !oArrow(o.cells[y][x].tile, dy, dx) {
				continue
			}
			toY, toX := y+dy, x+dx
			for oOnBoard(toY, toX) && o.cells[toY][toX].piece == "xo"[o.side] {
				toY, toX = toY+dy, toX+dx
			}
			if oOnBoard(toY, toX) && o.cells[toY][toX].piece == ' ' {
				list = append(list, o.withTiles(oMove{y: y, x: x, toY: toY, toX: toX, tile: ' '})...)
			}
		}
	}
	return list
}

// oArrow reports whether a tile has an arrow in a direction.
func oArrow(tile byte, dy, dx int) bool {
	switch {
	case dy == 0 && dx == 0:
		return false
	case tile == 'g':
		return true
	case tile == 'b':
		return dy != 0 && dx != 0
	}
	return dy == 0 || dx == 0
}

// withTiles returns a base move and its variations with every tile on every cell.
func (o *oracle) withTiles(m oMove) []oMove {
	board := *o // a tile needs a free cell on this board
	if !o.before {
		board.walk(m)
	}
	list := append(make([]oMove, 0, 1+2*25), m)
	for y := range 5 {
		for x := range 5 {
			if board.cells[y][x] != (oCell{' ', ' '}) {
				continue
			}
			if o.black[o.side] > 0 {
				list = append(list, m.with('b', y, x))
			}
			if o.gray[o.side] > 0 {
				list = append(list, m.with('g', y, x))
			}
		}
	}
	return list
}

func (o *oracle) walk(m oMove) {
	o.cells[m.toY][m.toX].piece = o.cells[m.y][m.x].piece
	o.cells[m.y][m.x].piece = ' '
}

// do plays the move with the given wire form.
func (o *oracle) do(text string) {
	for _, m := range o.actions() {
		if m.String() == text {
			o.play(m)
			return
		}
	}
	panic("oracle: no move " + text)
}

func (o *oracle) play(m oMove) {
	o.walk(m)
	wasted := m.tileY == m.toY && m.tileX == m.toX
	if m.tile != ' ' && !wasted {
		o.cells[m.tileY][m.tileX].tile = m.tile
		if m.tile == 'b' {
			o.black[o.side]--
		} else {
			o.gray[o.side]--
		}
	}
	o.side = 1 - o.side
	o.record()
}

// record counts an occurrence of the position.
func (o *oracle) record() {
	if o.seen == nil {
		o.seen = map[string]int{}
	}
	o.seen[o.key()]++
}

func (o *oracle) key() string { return fmt.Sprint(o.cells, o.side) }

// reached reports whether a side has a piece on its goal row.
func (o *oracle) reached(side int) bool {
	goal := o.cells[4]
	if side == 1 {
		goal = o.cells[0]
	}
	for _, c := range goal {
		if c.piece == "xo"[side] {
			return true
		}
	}
	return false
}

func (o *oracle) outcome() engine.Outcome {
	wins := []engine.Result{engine.FirstWins, engine.SecondWins}
	switch {
	case o.reached(0):
		return engine.Outcome{Result: wins[0], Reason: engine.Goal}
	case o.reached(1):
		return engine.Outcome{Result: wins[1], Reason: engine.Goal}
	case len(o.actions()) == 0:
		return engine.Outcome{Result: wins[1-o.side], Reason: engine.Blocked}
	case o.seen[o.key()] >= 4:
		return engine.Outcome{Result: engine.Draw, Reason: engine.Repetition}
	}
	return engine.Ongoing
}

// String returns the text of the position.
func (o *oracle) String() string {
	var b strings.Builder
	for _, row := range o.cells {
		for _, c := range row {
			fmt.Fprintf(&b, "%d,", 3*strings.IndexByte(" xo", c.piece)+strings.IndexByte(" bg", c.tile))
		}
	}
	fmt.Fprintf(&b, "%d,%d,%d,%d %c", o.black[0], o.gray[0], o.black[1], o.gray[1], "xo"[o.side])
	return b.String()
}
