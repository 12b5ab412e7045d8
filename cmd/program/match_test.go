package program

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"

	"selfplay/encode"
	"selfplay/engine"
	"selfplay/internal/must"
)

func TestMatch(t *testing.T) {
	for _, game := range encode.Games() {
		text := mustRun(t, "match", "--game", game.Name, "--a", "greedy", "--b", "random", "--games", "20", "--json")
		var r matchResult
		readAnswers(t, text, &r)
		if r.Wins+r.Losses+r.Draws != 20 || r.Pairs != 10 || r.Penta[0]+r.Penta[1]+r.Penta[2]+r.Penta[3]+r.Penta[4] != 10 || r.Game != game.Name || r.A != "greedy" {
			t.Errorf("%+v", r)
		}
		if r.Elo < 200 || r.EloLow >= r.Elo || r.EloHigh <= r.Elo || math.IsInf(r.EloHigh, 0) {
			t.Errorf("%s: greedy over random: %+v", game.Name, r)
		}
		for _, threads := range []string{"1", "3"} {
			var again matchResult
			readAnswers(t, mustRun(t, "match", "--game", game.Name, "--a", "greedy", "--b", "random", "--games", "20", "--json", "--workers", threads), &again)
			if again.withoutTimes() != r.withoutTimes() {
				t.Errorf("%s workers: %+v, want %+v", threads, again, r)
			}
		}
	}
}

// withoutTimes returns the result without what differs between two runs.
func (r matchResult) withoutTimes() matchResult {
	r.CPUA, r.CPUB = 0, 0
	return r
}

// TestMatchCountsCosts: the nodes of a player do not depend on the opponent's name or side,
// and random does not search.
func TestMatchCountsCosts(t *testing.T) {
	var r, mirrored matchResult
	args := []string{"match", "--game", "chess", "--games", "10", "--max-plies", "40", "--json"}
	readAnswers(t, mustRun(t, append(args, "--a", "ab:depth=2", "--b", "random")...), &r)
	readAnswers(t, mustRun(t, append(args, "--a", "random", "--b", "ab:depth=2")...), &mirrored)
	if r.NodesA == 0 || r.NodesB != 0 || r.CPUA <= r.CPUB || mirrored.NodesB == 0 || r.Clock != threadClock {
		t.Errorf("%+v, mirrored %+v", r, mirrored)
	}
}

// TestMatchIsFair: a player is as strong as itself, even if moving second is a
// disadvantage, because each opening is played with sides swapped.
func TestMatchIsFair(t *testing.T) {
	var r matchResult
	readAnswers(t, mustRun(t, "match", "--game", "contrast", "--a", "greedy", "--b", "greedy", "--games", "400", "--opening-plies", "2-6", "--json"), &r)
	if r.EloLow > 0 || r.EloHigh < 0 {
		t.Errorf("greedy against itself: %+v", r)
	}
}

// TestEloByPairs compares with values computed outside of this program from the formulas of
// the pentanomial model. For independent games the trinomial model gives 0 (-68.4 to 68.4).
func TestEloByPairs(t *testing.T) {
	for name, c := range map[string]struct {
		penta          [5]uint64
		elo, low, high float64
	}{
		"all pairs split, because the opening decides":  {[5]uint64{2: 50}, 0, -9.54, 9.54},
		"all pairs won or lost":                         {[5]uint64{25, 0, 0, 0, 25}, 0, -98.37, 98.37},
		"decisive games, independent within pairs":      {[5]uint64{12, 0, 26, 0, 12}, 0, -67.58, 67.58},
		"a stronger player":                             {[5]uint64{5, 10, 20, 40, 25}, 126.28, 85.05, 171.25},
		"a long match, where the prior does not matter": {[5]uint64{73, 5834, 14141, 5863, 89}, 0.41, -1.05, 1.86},
	} {
		counts := tally{Penta: c.penta}
		elo, low, high := counts.elo()
		for i, pair := range [][2]float64{{elo, c.elo}, {low, c.low}, {high, c.high}} {
			if math.Abs(pair[0]-pair[1]) > 0.05 {
				t.Errorf("%s: figure %d is %.2f, want %.2f", name, i, pair[0], pair[1])
			}
		}
	}
}

func TestEloIsFinite(t *testing.T) {
	won := tally{Penta: [5]uint64{4: 500}}
	if _, low, high := won.elo(); math.IsInf(high, 0) || math.IsNaN(low) || low < 500 {
		t.Errorf("500 pairs won: %f to %f", low, high)
	}
	var none tally
	if elo, low, high := none.elo(); elo != 0 || math.IsInf(low, 0) || math.Abs(low+high) > 1e-9 {
		t.Errorf("no pairs: %f, %f to %f", elo, low, high)
	}
}

func TestTally(t *testing.T) {
	var got tally
	for _, pair := range [][2]pairScore{{2, 2}, {2, 1}, {0, 1}, {1, 1}, {0, 2}} {
		got.add(pair[0], pair[1])
	}
	if want := (tally{Wins: 4, Losses: 2, Draws: 4, Pairs: 5, Penta: [5]uint64{0, 1, 2, 1, 1}}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	for side, want := range map[engine.Side]pairScore{engine.First: 2, engine.Second: 0} {
		if got := scoreOf(engine.Outcome{Result: engine.FirstWins}, side); got != want {
			t.Errorf("first wins: score %d for side %d", got, side)
		}
	}
	if got := scoreOf(engine.Ongoing, engine.First); got != 1 {
		t.Errorf("a game that was cut off has score %d", got)
	}
}

// TestLLR compares with fastchess (the first two: its tests of the logistic pentanomial
// model, to two decimals) and with a program of the formulas in another language.
func TestLLR(t *testing.T) {
	for _, c := range []struct {
		penta      [5]uint64
		elo0, elo1 float64
		want       float64
	}{
		{[5]uint64{223, 9863, 21279, 10037, 246}, 0.5, 2.5, -3.074126},
		{[5]uint64{871, 26175, 55983, 26678, 821}, 0, 2, -4.978673},
		{[5]uint64{5, 10, 20, 40, 25}, 0, 5, 1.075098},
		{[5]uint64{4: 20}, 0, 50, 2.672083},
		{[5]uint64{0, 3, 10, 2, 0}, -10, 10, -0.341475},
		{[5]uint64{12, 0, 26, 0, 12}, 0, 5, -0.010786},
	} {
		if got := llr(c.penta, scoreAt(c.elo0), scoreAt(c.elo1)); math.Abs(got-c.want) > 1e-5 {
			t.Errorf("%v, Elo %v against %v: LLR %.6f, want %.6f", c.penta, c.elo0, c.elo1, got, c.want)
		}
	}
}

// TestLLRIsAntisymmetric: swapped players and negated hypotheses negate the ratio.
func TestLLRIsAntisymmetric(t *testing.T) {
	penta, mirrored := [5]uint64{1, 0, 7, 9, 3}, [5]uint64{3, 9, 7, 0, 1}
	a, b := llr(penta, scoreAt(-3), scoreAt(12)), llr(mirrored, scoreAt(-12), scoreAt(3))
	if math.Abs(a+b) > 1e-9 {
		t.Errorf("%v and %v", a, b)
	}
}

func TestLOS(t *testing.T) {
	for _, c := range []struct {
		penta     [5]uint64
		low, high float64
	}{
		{[5]uint64{}, 0.5, 0.5},
		{[5]uint64{12, 0, 26, 0, 12}, 0.5, 0.5},
		{[5]uint64{5, 10, 20, 40, 25}, 0.9999, 1},
		{[5]uint64{73, 5834, 14141, 5863, 89}, 0.70, 0.72}, // 0.41 Elo with a standard error of 0.742
		{[5]uint64{0: 9}, 0, 0.001},
	} {
		counts := tally{Penta: c.penta}
		if got := counts.los(); got < c.low || got > c.high {
			t.Errorf("%v: %v, want %v to %v", c.penta, got, c.low, c.high)
		}
	}
}

// TestSPRTEndsAtTheSamePair: with any number of workers, and with fewer games than allowed.
func TestSPRTEndsAtTheSamePair(t *testing.T) {
	var first matchResult
	for _, workers := range []int{1, 2, 5} {
		var r matchResult
		readAnswers(t, mustRun(t, strings.Fields(fmt.Sprintf(
			"match --game contrast --a greedy --b random --games 10k --sprt 0,100 --json --workers %d", workers))...), &r)
		if r.SPRT == nil || r.SPRT.Accept != "elo1" || r.SPRT.LLR < sprtLimit || r.Pairs >= 5000 || r.Wins+r.Losses+r.Draws != 2*r.Pairs {
			t.Fatalf("%+v, %+v", r, r.SPRT)
		}
		test := *r.SPRT
		r.SPRT = nil
		if r = r.withoutTimes(); first.Pairs == 0 {
			first = r
		}
		if r != first {
			t.Errorf("%d workers: %+v, want %+v", workers, r, first)
		}
		before := tally{Penta: r.Penta}
		if before.Penta[4]--; llr(before.Penta, scoreAt(0), scoreAt(100)) >= test.Limit {
			t.Errorf("the test should have ended before %v", r.Penta)
		}
	}
}

func TestBench(t *testing.T) {
	for _, game := range encode.Games() {
		var prints []string
		for _, seconds := range []string{"0.01", "0.02"} {
			o := selfplay("", "bench", "--game", game.Name, "--seconds", seconds, "--json")
			if o.code != 0 || o.stderr != "" || strings.Count(o.stdout, "\n") != 1 {
				t.Fatalf("%+v", o)
			}
			var f figures
			readAnswers(t, o.stdout, &f)
			for name, v := range map[string]float64{
				"plies": f.PliesPerS, "lists": f.ListsPerS, "perft": f.PerftNodesPerS, "list rows": f.RowsPerSList,
				"packed rows": f.RowsPerSPacked, "list bytes": f.BytesPerRowList, "packed bytes": f.BytesPerRowPack,
			} {
				if !(v > 0) {
					t.Errorf("%s: figure %s is %v", game.Name, name, v)
				}
			}
			prints = append(prints, f.Fingerprint)
		}
		if len(prints[0]) != 16 || prints[0] != prints[1] {
			t.Errorf("%s: the fingerprint depends on the time: %q", game.Name, prints)
		}
	}
}

// TestFingerprintIncludesSearchResults: two builds that play the same moves but search
// differently have different fingerprints.
func TestFingerprintIncludesSearchResults(t *testing.T) {
	print := func(player string) string {
		j := jobOf(t, "--game contrast --games 1 --max-plies 12 --player "+player)
		text := must.Get(fingerprint(t.Context(), j.series))(t)
		return text
	}
	if one, four := print("ab:depth=1"), print("ab:depth=1,multi=4"); one == four {
		t.Errorf("with and without a policy: %s", one)
	}
}

func TestPerft(t *testing.T) {
	for _, game := range encode.Games() {
		for depth := range uncheckedPlies + 1 {
			want := fmt.Sprintf("nodes %d\n", engine.Perft(game.New(""), depth))
			o := selfplay("", "perft", "--game", game.Name, "--depth", strconv.Itoa(depth))
			if o.code != 0 || o.stdout != want || o.stderr != "" {
				t.Errorf("%s, depth %d: got %+v, want %s", game.Name, depth, o, want)
			}
		}
	}
}

func TestPerftDivide(t *testing.T) {
	for _, game := range encode.Games() {
		pos := game.New("")
		o := selfplay("", "perft", "--game", game.Name, "--depth", "2", "--divide")
		lines := strings.Split(strings.TrimSuffix(o.stdout, "\n"), "\n")
		moves := pos.Moves(nil)
		if o.code != 0 || len(lines) != len(moves)+1 {
			t.Fatalf("%s: %d lines for %d moves, code %d", game.Name, len(lines), len(moves), o.code)
		}
		var last string
		var total uint64
		for _, line := range lines[:len(moves)] {
			cut := strings.LastIndexByte(line, ' ')
			m, err := pos.ParseMove(line[:cut])
			if err != nil || line[:cut] <= last {
				t.Fatalf("%s: line %q after %q: %v", game.Name, line, last, err)
			}
			last = line[:cut]
			pos.Do(m)
			nodes := engine.Perft(pos, 1)
			pos.Undo()
			if line[cut+1:] != strconv.FormatUint(nodes, 10) {
				t.Errorf("%s: got %q, want %d nodes", game.Name, line, nodes)
			}
			total += nodes
		}
		if want := fmt.Sprintf("nodes %d", total); lines[len(moves)] != want {
			t.Errorf("%s: the last line is %q, want %q", game.Name, lines[len(moves)], want)
		}
	}
}

func TestPerftIsCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	var stdout, stderr bytes.Buffer
	code := runSelfplay(ctx, catalog, []string{"selfplay", "perft", "--game", "cotulenh", "--depth", "50"}, nil, &stdout, &stderr)
	if code != 3 || stdout.Len() != 0 {
		t.Errorf("code %d, stdout %q", code, stdout.String())
	}
}
