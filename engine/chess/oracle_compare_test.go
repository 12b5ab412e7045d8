package chess_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"selfplay/engine"
	"selfplay/engine/chess"
	"selfplay/engine/enginetest"
)

// A longer run costs about a tenth of a millisecond a position.
var (
	thrown     = flag.Int("oracle", 24_000, "how many positions TestOracle throws")
	oracleSeed = flag.Uint64("oracle-seed", 1, "what it throws them from")
)

// TestOraclePerft: the oracle itself counts what is known, to depth 3.
func TestOraclePerft(t *testing.T) {
	for _, row := range perftRows(t) {
		if row.Depth > 3 || testing.Short() && row.Depth > 2 {
			continue
		}
		t.Run(fmt.Sprintf("%s/%d", row.ID, row.Depth), func(t *testing.T) {
			t.Parallel()
			if got := oRead(row.FEN).perft(row.Depth); got != row.Nodes {
				t.Errorf("%s: the oracle counts %d, want %d", row.FEN, got, row.Nodes)
			}
		})
	}
}

// TestOracle compares package and oracle on positions thrown together at random, as
// play hardly ever meets them: many queens, pins and checks from all sides, rights
// and en passant squares wherever they make sense; and on the moves that follow.
func TestOracle(t *testing.T) {
	const parts = 8
	each := *thrown / parts
	if testing.Short() {
		each /= 10
	}
	for part := range uint64(parts) {
		t.Run(fmt.Sprint(part), func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(*oracleSeed, part))
			m, p := &enginetest.Misses{T: t}, chess.New()
			seen := tally{}
			for n := 0; n < each; {
				if o := throw(r); o != nil {
					compare(m, p, o, r, seen)
					n++
				}
			}
			m.Report(each)
			for _, what := range []string{"check", "castling", "en passant", "promotion", "checkmate", "stalemate", "fifty", "material"} {
				if seen[what] == 0 && each > 1000 {
					t.Errorf("no position thrown has %s", what)
				}
			}
		})
	}
}

type tally map[string]int

// compare plays up to four moves in both and compares before each.
func compare(m *enginetest.Misses, p *chess.Position, o *oracle, r *rand.Rand, seen tally) {
	m.T.Helper()
	if err := p.Set(o.String()); err != nil {
		m.Addf("%s: %v", o, err)
		return
	}
	for range 4 {
		list, after := o.legal()
		if !agree(m, p, o, list, seen) || len(list) == 0 {
			return
		}
		i := r.IntN(len(list))
		move, err := p.ParseMove(list[i].String())
		if err != nil {
			m.Addf("%s: %v", o, err)
			return
		}
		p.Do(move)
		o = after[i]
	}
}

// agree compares everything that the oracle knows.
func agree(m *enginetest.Misses, p *chess.Position, o *oracle, list []oMove, seen tally) bool {
	m.T.Helper()
	var want []string
	for _, move := range list {
		want = append(want, move.String())
		if move.promote != 0 {
			seen["promotion"]++
		}
		if o.piece[move.from] == oKing && (move.to-move.from == 2 || move.from-move.to == 2) {
			seen["castling"]++
		}
	}
	slices.Sort(want)
	got := wire(p)
	text, outcome := o.String(), o.outcome()
	if strings.Fields(text)[3] != "-" {
		seen["en passant"]++
	}
	if p.Check() {
		seen["check"]++
	}
	if _, reason, ok := strings.Cut(outcome, " "); ok {
		seen[reason]++
	}
	switch {
	case p.String() != text:
		m.Addf("%s: written as %s", text, p)
	case !slices.Equal(got, want):
		m.Addf("%s: moves %v, want %v", text, got, want)
	case p.Count() != len(want):
		m.Addf("%s: %d moves counted, want %d", text, p.Count(), len(want))
	case p.Check() != o.inCheck(o.side):
		m.Addf("%s: check %t", text, p.Check())
	case outcomeText(p.Outcome()) != outcome && p.Repetitions() == 0:
		m.Addf("%s: outcome %q, want %q", text, outcomeText(p.Outcome()), outcome)
	default:
		return true
	}
	return false
}

// wire returns the legal moves as texts, sorted.
func wire(p *chess.Position) (texts []string) {
	for _, m := range p.Moves(nil) {
		texts = append(texts, p.FormatMove(m))
	}
	slices.Sort(texts)
	return texts
}

// outcomeText writes an outcome as "white checkmate" or "draw fifty".
func outcomeText(o engine.Outcome) string {
	if o == engine.Ongoing {
		return ""
	}
	return []string{"none", "white", "black", "draw"}[o.Result] + " " + o.Reason.String()
}

// throw makes a random position; nil if it turned out unlawful.
func throw(r *rand.Rand) *oracle {
	o := &oracle{ep: -1, side: r.IntN(2), half: r.IntN(3) * 49, full: 1 + r.IntN(3)}
	for cell := range 64 {
		o.lift(cell)
	}
	place := func(color, kind int, cells ...int) {
		for range 20 {
			cell := r.IntN(64)
			if len(cells) > 0 {
				cell = cells[r.IntN(len(cells))]
			}
			if o.color[cell] == oNone && (kind != oPawn || cell/8 != 0 && cell/8 != 7) {
				o.set(cell, color, kind)
				return
			}
		}
	}
	for side := range 2 {
		if home := 60 - 56*side; r.IntN(3) == 0 {
			o.set(home, side, oKing)
			o.set(home+3, side, oRook)
			o.set(home-4, side, oRook)
			for i, letter := range []string{"KQ", "kq"}[side] {
				if r.IntN(4) > i {
					o.rights += string(letter)
				}
			}
		} else {
			place(side, oKing)
		}
	}
	kinds := []string{"pppnbrq", "q", "pppp", "rbq", "n", "bbbn", "pq"}[r.IntN(7)]
	for range 1 << r.IntN(6) {
		place(r.IntN(2), strings.IndexByte("pnbrqk", kinds[r.IntN(len(kinds))]))
	}
	o.throwPassant(r)
	if o.twoKings() && !o.inCheck(o.side^1) {
		return o
	}
	return nil
}

// throwPassant sometimes puts a pawn that just went two squares, with company.
func (o *oracle) throwPassant(r *rand.Rand) {
	if r.IntN(3) != 0 {
		return
	}
	ahead := 8 - 16*o.side // as the side that just moved goes
	ep := 16 + 24*o.side + r.IntN(8)
	if o.color[ep] != oNone || o.color[ep-ahead] != oNone || o.color[ep+ahead] != oNone {
		return
	}
	o.ep, o.half = ep, 0
	o.set(ep+ahead, o.side^1, oPawn)
	for _, aside := range []int{-1, 1} {
		if n := oStep(ep+ahead, aside); n >= 0 && o.color[n] == oNone && r.IntN(2) == 0 {
			o.set(n, o.side, oPawn)
		}
	}
}

func (o *oracle) twoKings() bool {
	var kings [2]int
	for cell, p := range o.piece {
		if p == oKing {
			kings[o.color[cell]]++
		}
	}
	return kings == [2]int{1, 1}
}
