package encode

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"selfplay/engine"
)

// Filter selects which decisions of a game get a row. Its parts apply in order: rows that fail a
// condition of Where are dropped; of the others a random fraction is kept; of those at most MaxRows
// per game. The zero Filter keeps all rows.
//
// Games are played, recorded and replayed in full whatever the filter, so another
// filter can be applied to the same games.
type Filter struct {
	Where   *Where          // nil matches all rows
	Keep    engine.Fraction // fraction of the remaining rows, drawn row by row; 0 keeps all
	MaxRows int             // of a game, drawn from the remaining rows; 0 keeps all
}

// Prefixes of the parts of a filter in a plan.
const (
	wherePart   = "where="
	keepPart    = "keep="
	maxRowsPart = "max-rows-per-game="
)

// Texts returns the parts of the filter in order, as a plan stores them. Dropped rows are
// counted by part.
func (f *Filter) Texts() (list []string) {
	for _, c := range f.Where.Texts() {
		list = append(list, wherePart+c)
	}
	if f.Keep > 0 {
		list = append(list, keepPart+f.Keep.String())
	}
	if f.MaxRows > 0 {
		list = append(list, maxRowsPart+strconv.Itoa(f.MaxRows))
	}
	return list
}

// ParseFilter parses the parts that Texts returns, and only in that form.
func (g *Game) ParseFilter(texts []string) (f Filter, err error) {
	var conditions []string
	for _, text := range texts {
		name, value, _ := strings.Cut(text, "=")
		switch name + "=" {
		case wherePart:
			conditions = append(conditions, value)
		case keepPart:
			f.Keep, err = ParseKeep(value)
		case maxRowsPart:
			f.MaxRows, err = strconv.Atoi(value)
		default:
			err = fmt.Errorf("unknown part")
		}
		if err != nil {
			return Filter{}, fmt.Errorf("filter %q: %w", text, err)
		}
	}
	if conditions != nil {
		f.Where, err = g.ParseWhere(strings.Join(conditions, ","), nil)
		if err != nil {
			return Filter{}, err
		}
	}
	if !slices.Equal(f.Texts(), texts) {
		return Filter{}, fmt.Errorf("filter %q: want it written as %q", texts, f.Texts())
	}
	return f, nil
}

// ParseKeep parses the fraction of rows to keep. It returns 1 as 0, since keeping all rows
// is no part of a filter.
func ParseKeep(text string) (engine.Fraction, error) {
	keep, err := engine.ParseFraction(text)
	if err == nil && keep == 0 {
		err = fmt.Errorf("%q: want a fraction above 0", text)
	}
	if keep == engine.One {
		keep = 0
	}
	return keep, err
}

// Sampling of rows. The random number of a row is a function of the plan's seed, the game
// and the ply, and of nothing else: it does not depend on the other parts of the filter or
// on the process that makes the row. So a larger fraction, or a larger number of rows per
// game, keeps every row that a smaller one keeps.
//
// Every byte of a sampled dataset depends on gameKey, rowNumber and inFraction. Never
// change them.

// Purposes of random numbers. Numbers of one row for two purposes are independent.
const (
	keepPurpose    = 0x6b656570 // "keep"
	maxRowsPurpose = 0x726f7773 // "rows"
)

// gameKey returns the part of the random numbers that the rows of a game share.
func gameKey(seed, purpose, game uint64) uint64 {
	return engine.Mix(engine.Mix(seed^engine.Mix(purpose)) ^ game)
}

// rowNumber returns the random number of a ply. Two plies of a game never share one.
func rowNumber(key uint64, ply uint16) uint64 { return engine.Mix(key ^ uint64(ply)) }

// inFraction reports whether a random number is in the lowest fraction f of all numbers.
func inFraction(number uint64, f engine.Fraction) bool {
	return number>>32*uint64(engine.One)>>32 < uint64(f)
}

// choice holds the plies of a game that get a row. Its memory is reused for every game.
type choice struct {
	plies   []uint16
	all     []uint16 // 0, 1, 2, ... up to the longest game so far
	numbers []uint64
}

// choose returns the plies of rec that get a row, in order: of those that are given, or of all if none are. A
// filter of more than Where chooses among all. It adds the number of dropped
// plies to dropped, which has one counter per part of the filter: a ply counts for the
// first part that drops it. The record has been checked. The replayer's position may be
// anywhere before and after.
func (r *Replayer) choose(rec *engine.Record, among []uint16, dropped []uint64) ([]uint16, error) {
	f, c := &r.view.Filter, &r.choice
	n := len(rec.Actions)
	for len(c.all) < n {
		c.all = append(c.all, uint16(len(c.all)))
	}
	if among == nil {
		among = c.all[:n]
	}
	if r.parts == 0 {
		return among, nil
	}
	if len(dropped) != r.parts {
		return nil, fmt.Errorf("%d counters for a filter of %d parts", len(dropped), r.parts)
	}
	c.plies = append(c.plies[:0], among...)
	if f.Where != nil {
		if err := r.retainWhere(rec, dropped); err != nil {
			return nil, err
		}
		dropped = dropped[len(f.Where.tests):]
	}
	if f.Keep > 0 {
		key := gameKey(r.view.Seed, keepPurpose, rec.Game)
		dropped[0] += c.retain(func(ply uint16) bool { return inFraction(rowNumber(key, ply), f.Keep) })
		dropped = dropped[1:]
	}
	if f.MaxRows > 0 && len(c.plies) > f.MaxRows {
		key := gameKey(r.view.Seed, maxRowsPurpose, rec.Game)
		last := c.smallest(key, f.MaxRows)
		dropped[0] += c.retain(func(ply uint16) bool { return rowNumber(key, ply) <= last })
	}
	return c.plies, nil
}

// retain keeps the plies that keep accepts and returns the number of the others.
func (c *choice) retain(keep func(ply uint16) bool) uint64 {
	n := len(c.plies)
	c.plies = slices.DeleteFunc(c.plies, func(ply uint16) bool { return !keep(ply) })
	return uint64(n - len(c.plies))
}

// smallest returns the n-th smallest random number of the plies, of which there are more
// than n. The plies up to it are a sample of n without replacement.
func (c *choice) smallest(key uint64, n int) uint64 {
	c.numbers = c.numbers[:0]
	for _, ply := range c.plies {
		c.numbers = append(c.numbers, rowNumber(key, ply))
	}
	slices.Sort(c.numbers)
	return c.numbers[n-1]
}

// retainOnBoard keeps the chosen plies that keep accepts. It replays the game up to the last of
// them, and calls keep with the replayer at the position of each.
func (r *Replayer) retainOnBoard(rec *engine.Record, keep func(ply int) (bool, error)) error {
	c := &r.choice
	if err := engine.Begin(r.pos, rec.Start); err != nil {
		return err
	}
	kept := c.plies[:0] // written behind the plies that are still to be read
	next := 0
	for ply, action := range rec.Actions {
		if next == len(c.plies) {
			break
		}
		if int(c.plies[next]) == ply {
			next++
			switch ok, err := keep(ply); {
			case err != nil:
				return fmt.Errorf("ply %d: %w", ply, err)
			case ok:
				kept = append(kept, uint16(ply))
			}
		}
		m, err := r.game.Actions.Move(r.pos, action)
		if err != nil {
			return fmt.Errorf("ply %d: %w", ply, err)
		}
		r.pos.Do(m)
	}
	c.plies = kept
	return nil
}

// Material is the number of pieces of each kind and side on a board. Every member of a stack counts.
type Material struct {
	counts [2][]uint8
	worth  [2]int // of the pieces of each side, see PieceKind; 0 in a parsed material
}

// versus separates the sides in the text of a material.
const versus = "v"

// ParseMaterial parses the letters of the pieces on the board, first those of the side that moves
// first, KRPvKR for example. The order of letters does not matter, heroes count as their kind, and
// pieces off the board do not count. The error says which letters there are.
func (g *Game) ParseMaterial(text string) (*Material, error) {
	board := &g.Board
	sides, all := strings.Split(text, versus), board.pieceLetters()
	if len(sides) != 2 {
		return nil, fmt.Errorf("read material %q: want the pieces of both sides, such as %s%s%s", text, all, versus, all)
	}
	m := new(Material)
	for side, letters := range sides {
		m.counts[side] = make([]uint8, len(board.Kinds))
		for _, letter := range letters {
			kind := slices.IndexFunc(board.Kinds, func(k PieceKind) bool { return k.Letter == string(letter) })
			if kind < 0 || !strings.ContainsRune(all, letter) || m.counts[side][kind] == math.MaxUint8 {
				return nil, fmt.Errorf("read material %q: piece %q: want some of %s, at most %d times", text, letter, all, math.MaxUint8)
			}
			m.counts[side][kind]++
		}
	}
	return m, nil
}

// pieceLetters returns the letters of the kinds of pieces that belong to a side.
func (b *Board) pieceLetters() string {
	owned := make([]bool, len(b.Kinds))
	for _, pieces := range b.Codes {
		for _, p := range pieces {
			owned[p.Kind] = owned[p.Kind] || p.Side != Neutral
		}
	}
	var list strings.Builder
	for kind, k := range b.Kinds {
		if owned[kind] {
			list.WriteString(k.Letter)
		}
	}
	return list.String()
}

// Equal reports whether two materials are equal.
func (m *Material) Equal(other *Material) bool {
	return slices.Equal(m.counts[0], other.counts[0]) && slices.Equal(m.counts[1], other.counts[1])
}

// Pieces returns the number of pieces of both sides together.
func (m *Material) Pieces() (n int) {
	for _, counts := range m.counts {
		for _, count := range counts {
			n += int(count)
		}
	}
	return n
}

// Lead returns what the pieces of a side count more than those of the other.
func (m *Material) Lead(side engine.Side) int { return m.worth[side] - m.worth[side.Other()] }

// Raise sets the largest leads so far of both sides, at least 0, to those of m if they are larger.
func (m *Material) Raise(leads *[2]int) {
	for side := range leads {
		leads[side] = max(leads[side], m.Lead(engine.Side(side)))
	}
}

// MaterialCounter counts the pieces of positions. It belongs to one goroutine.
type MaterialCounter struct {
	layout   *Layout
	cells    int
	board    *Board
	material Material
	values   []byte
}

// NewMaterialCounter returns a counter for positions of a game.
func NewMaterialCounter(g *Game) *MaterialCounter {
	c := &MaterialCounter{layout: g.Identity(), cells: g.Board.Cells(), board: &g.Board}
	for side := range c.material.counts {
		c.material.counts[side] = make([]uint8, len(g.Board.Kinds))
	}
	return c
}

// Of returns the material of a position. It is valid until the next call.
func (c *MaterialCounter) Of(pos engine.Position) *Material {
	counts, worth := &c.material.counts, &c.material.worth
	*worth = [2]int{}
	clear(counts[0])
	clear(counts[1])
	size := c.layout.Kind.Size()
	c.values = c.layout.Encode(c.values[:0], pos)
	for cell := c.values[:c.cells*size]; len(cell) > 0; cell = cell[size:] {
		code := int(cell[0])
		if size == 2 {
			code = int(binary.LittleEndian.Uint16(cell))
		}
		for _, p := range c.board.Codes[code] {
			if p.Side == Neutral {
				continue
			}
			counts[p.Side][p.Kind]++
			if kind := &c.board.Kinds[p.Kind]; p.Ring {
				worth[p.Side] += kind.RingWorth
			} else {
				worth[p.Side] += kind.Worth
			}
		}
	}
	return &c.material
}

// Phases returns the names of the thirds of a game that was played.
func Phases() []string { return []string{"opening", "middle", "end"} }

// Phase returns the index in Phases of a decision, given the numbers of earlier and of remaining
// decisions, this one included. It returns one for any numbers: files may be damaged.
func Phase(ply, left uint16) int {
	before, plies := int(ply), int(ply)+int(left)
	return 3 * before / max(plies, before+1)
}
