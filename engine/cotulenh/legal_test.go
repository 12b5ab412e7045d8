package cotulenh

import (
	"slices"
	"testing"

	"selfplay/engine"
	"selfplay/engine/enginetest"
	"selfplay/internal/must"
)

// These tests compare each fast path with the slow one that it replaces: Moves with
// playing every pseudo-legal step, candidate steps with the generators, incremental
// state with state computed from the text.

// visitRandomGames visits n positions of random games, from the start and from positions
// with many stacks and heroic pieces.
func visitRandomGames(t *testing.T, n int, visit func(p *Position)) {
	t.Helper()
	starts := []string{
		StartText,
		"1n2G5(+ea)/2E3M4/7a1(fti)1/11/9f1/6I4/2c5(EG)2/5m5/6+T4/4f1f4/11/1(NFC)9 r - - 14 49 g7:I:g4",
		"11/1(nfi)9/11/11/2(nf+m)8/11/9(fm)1/4(FTC)3(tm)2/11/7c3/11/11 b - - 4 39",
		"2(NFM)8/11/11/11/(NFC)10/5f5/9(+es)1/3+h7/3c7/9AT/11/4hI5 b - - 7 8 d5:+H:d4",
		"11/11/11/11/2N1FC(ES)4/5S2(+F+TM)2/2N(FTM)+I6/3s7/2(+n+fm)8/3(t+m)3(tm)f2/3+a3(e+a)3/6c4 r - - 0 9 e6:+I:c8",
		"10c/11/11/8f2/11/4f6/11/5g5/4F6/11/3s7/6C4 r - - 0 1",
	}
	enginetest.FollowGames(t, New(), starts, n, visit)
}

// pseudo returns the pseudo-legal steps.
func pseudo(p *Position) (list []engine.Move) {
	if p.session.open() {
		return p.sessionSteps(nil)
	}
	for i := range p.sides[p.turn].n {
		from := p.sides[p.turn].squares[i]
		list = p.pseudoLegalFrom(list, from, p.near(from))
	}
	return list
}

func TestMovesAgreesWithPlayingEachStep(t *testing.T) {
	visitRandomGames(t, *comparedPlies, func(p *Position) {
		got, want := p.Moves(nil), slowMoves(p)
		if !slices.Equal(got, want) {
			t.Errorf("%s: listed %d steps, want %d in the same order", p, len(got), len(want))
		}
		if n := p.Count(); n != len(want) {
			t.Errorf("%s: counted %d steps, want %d", p, n, len(want))
		}
		captures := slices.DeleteFunc(want, func(m engine.Move) bool { return !isCapture(m) })
		got = p.Captures(nil)
		slices.Sort(got)
		slices.Sort(captures)
		if !slices.Equal(got, captures) {
			t.Errorf("%s: listed %d captures, want %d", p, len(got), len(captures))
		}
	})
}

func TestEveryStepHasOneCandidate(t *testing.T) {
	visitRandomGames(t, 60_000, func(p *Position) {
		if p.session.open() {
			return
		}
		want := pseudo(p)
		var got []engine.Move
		own := &p.sides[p.turn]
		total := uint32(0)
		for slot := range own.n {
			from := own.squares[slot]
			for r := range uint32(own.candidates[slot]) {
				if m := p.candidate(from, r); m != 0 {
					got = append(got, m)
				}
			}
			total += uint32(own.candidates[slot])
		}
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("%s: the candidates are %d steps, the generators list %d", p, len(got), len(want))
		}
		if total != own.candidatesTotal {
			t.Errorf("%s: %d candidates, the total is %d", p, total, own.candidatesTotal)
		}
	})
}

func TestStepsThatMissEvasionsAreIllegal(t *testing.T) {
	visitRandomGames(t, 200_000, func(p *Position) {
		us := p.turn
		if p.session.open() || p.sides[us].commander == NoSquare || p.commanderAttack(us) != groundAttack {
			return
		}
		th := p.assess()
		for _, m := range pseudo(p) {
			if !p.missesEvasions(fromOf(m), toOf(m), &th) {
				continue
			}
			var before snapshot
			p.save(&before)
			if p.tryStep(m) {
				p.restore(&before)
				t.Errorf("%s: %s is legal", p, p.FormatMove(m))
				return
			}
			p.restore(&before)
		}
	})
}

// Do and Undo keep the same derived state that Set computes from the text.
func TestIncrementalStateIsStateFromText(t *testing.T) {
	q := New()
	visitRandomGames(t, 60_000, func(p *Position) {
		must.Do(t, q.Set(p.String()))
		if p.zones != q.zones {
			t.Errorf("%s: zones differ", p)
		}
		if p.occ != q.occ || p.cells != q.cells || p.hash != q.hash || p.session != q.session {
			t.Errorf("%s: cells, occupancy, session or hash differ", p)
		}
		for side := range p.sides {
			a, b := &p.sides[side], &q.sides[side]
			if a.n != b.n || a.commander != b.commander || a.candidatesTotal != b.candidatesTotal {
				t.Errorf("%s: stacks, commander or candidates of side %d differ", p, side)
			}
			if known := a.attacked; a.commander != NoSquare && known != attackUnknown {
				if fresh := q.commanderAttack(uint8(side)); (known == noAttack) != (fresh == noAttack) {
					t.Errorf("%s: attack on side %d is %d, want %d", p, side, known, fresh)
				}
			}
		}
	})
}

func TestCandidatesOfAStackFitAByte(t *testing.T) {
	for code := Stack(1); code < NumStacks; code++ {
		in := &infos[code]
		for _, sq := range boardSquares {
			n := int(spans[in.kinds[0]][sq].wholeCandidates)
			for slot := range in.size {
				if in.size > 1 {
					n += int(spans[in.kinds[slot]][sq].count)
				}
			}
			if got := candidatesOf(in, sq); int(got) != n {
				t.Fatalf("%v on %v has %d candidates, want %d", code, Square(sq), got, n)
			}
		}
	}
}

// Put of what a square already holds changes nothing, not even on an empty square.
func TestPutOfTheSameStackKeepsTheState(t *testing.T) {
	p := New()
	must.Do(t, p.Put(squareAt(6, 5), Empty))
	if want := New(); p.sides != want.sides || p.cells != want.cells || p.hash != want.hash {
		t.Errorf("Put of Empty on an empty square changed the state of %s", p)
	}
}
