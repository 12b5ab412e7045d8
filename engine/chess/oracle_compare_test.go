package chess_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"selfplay/engine/chess"
	"selfplay/engine/enginetest"
)

// TestOraclePerft: the oracle itself reproduces the known perft counts to depth 3.
func TestOraclePerft(t *testing.T) {
	for _, row := range perftRows(t) {
		if row.Depth > 3 || testing.Short() && row.Depth > 2 {
			continue
		}
		t.Run(fmt.Sprintf("%s/%d", row.ID, row.Depth), func(t *testing.T) {
			t.Parallel()
			if got := oRead(row.FEN).perft(row.Depth); got != row.Nodes {
				t.Errorf("%s: oracle perft %d, want %d", row.FEN, got, row.Nodes)
			}
		})
	}
}

// TestOracle compares the package with the oracle on random positions and on the moves
// that follow. The positions are unlike those of play: many queens, pins and checks
// from all sides, castling rights and en passant squares wherever possible. A position
// costs about a tenth of a millisecond.
func TestOracle(t *testing.T) {
	enginetest.CompareWithOracle(t, 12_000, func(d *enginetest.Differences, r *rand.Rand, positions int) {
		p, seen := chess.New(), tally{}
		for n := 0; n < positions; {
			if o := randomOracle(r); o != nil {
				compare(d, p, o, r, seen)
				n++
			}
		}
		for _, feature := range []string{"check", "castling", "en passant", "promotion", "checkmate", "stalemate", "fifty", "material"} {
			if seen[feature] == 0 && positions > 1000 {
				d.Addf("no random position has %s", feature)
			}
		}
	})
}

// tally counts positions by feature.
type tally map[string]int

// compare plays up to four moves in both and compares before each.
func compare(d *enginetest.Differences, p *chess.Position, o *oracle, r *rand.Rand, seen tally) {
	d.T.Helper()
	if err := p.Set(o.String()); err != nil {
		d.Addf("%s: %v", o, err)
		return
	}
	for range 4 {
		list, after := o.legal()
		if !agree(d, p, o, list, seen) || len(list) == 0 {
			return
		}
		i := r.IntN(len(list))
		move, err := p.ParseMove(list[i].String())
		if err != nil {
			d.Addf("%s: %v", o, err)
			return
		}
		p.Do(move)
		o = after[i]
	}
}

// agree compares everything that the oracle knows and counts the features of the
// position.
func agree(d *enginetest.Differences, p *chess.Position, o *oracle, list []oMove, seen tally) bool {
	d.T.Helper()
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
	got := enginetest.MovesOf(p, "")
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
		d.Addf("%s: String is %s", text, p)
	case !slices.Equal(got, want):
		d.Addf("%s: moves %v, want %v", text, got, want)
	case p.Count() != len(want):
		d.Addf("%s: Count %d, want %d", text, p.Count(), len(want))
	case p.Check() != o.inCheck(o.side):
		d.Addf("%s: check %t", text, p.Check())
	case enginetest.OutcomeText(chess.Game(), p.Outcome()) != outcome && p.Repetitions() == 0:
		d.Addf("%s: outcome %q, want %q", text, enginetest.OutcomeText(chess.Game(), p.Outcome()), outcome)
	default:
		return true
	}
	return false
}
