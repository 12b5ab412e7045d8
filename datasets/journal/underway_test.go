package journal

import (
	"math/rand/v2"
	"os"
	"reflect"
	"testing"

	"selfplay/datasets/disk"
	"selfplay/datasets/internal/fault"
	"selfplay/engine"
	"selfplay/internal/must"
)

// underWay returns a game with some plies, and its random source after them.
func underWay(game uint64, plies int) (*engine.Record, *rand.PCG) {
	r := &engine.Record{Game: game, Start: "some text", OpeningPlies: 1, Players: [2]string{"ab", "mcts"}, Tags: []string{"London", ""}}
	for ply := range plies {
		n := uint16(game) + uint16(ply)
		r.Append(&engine.Record{
			Actions: []uint16{n}, MoveRanks: []uint8{uint8(ply)}, Best: []uint16{n}, Scores: []int16{-int16(n)}, Nodes: []uint32{uint32(ply)},
			PolicySize: []uint16{2}, PolicyAction: []uint16{n, n + 1}, PolicyWeight: []uint16{1, 2},
		})
	}
	return r, rand.NewPCG(game, uint64(plies))
}

// keep appends the states of a game after numbers of plies.
func keep(t *testing.T, j *Writer, game uint64, plies ...int) {
	t.Helper()
	for _, n := range plies {
		r, src := underWay(game, n)
		must.Do(t, j.AddDecisions(r, src))
	}
}

// journalOf writes a journal of shard 7 and returns its name.
func journalOf(t *testing.T, d disk.Dir, write func(*Writer)) string {
	t.Helper()
	j := must.Get(Create(d, "plan", 7, SyncInterval))(t)
	write(j)
	must.Do(t, j.Keep())
	return j.name
}

// mustBeUnderWay compares what the journals of shard 7 have of a game with its state after some plies.
func mustBeUnderWay(t *testing.T, d disk.Dir, game uint64, plies int) {
	t.Helper()
	got := must.Get(Read(d, "plan", 7, 70, 80, false))(t).UnderWay[game]
	r, src := underWay(game, plies)
	if want := (&engine.Unfinished{Record: *r, Source: *src}); !reflect.DeepEqual(got, want) {
		t.Fatalf("game %d is %+v, want %+v", game, got, want)
	}
}

// TestGamesUnderWay: the longest of all journals, each of which has a game from its start.
func TestGamesUnderWay(t *testing.T) {
	d := newDir(t)
	journalOf(t, d, func(j *Writer) { keep(t, j, 70, 2, 3, 5); keep(t, j, 71, 4) })
	journalOf(t, d, func(j *Writer) { keep(t, j, 70, 7); keep(t, j, 71, 1, 3); keep(t, j, 70, 8, 9); keep(t, j, 69, 1) })
	journalOf(t, d, func(j *Writer) { keep(t, j, 70, 9) })
	mustBeUnderWay(t, d, 70, 9)
	mustBeUnderWay(t, d, 71, 4)
	games := must.Get(Read(d, "plan", 7, 70, 80, false))(t)
	if len(games.UnderWay) != 2 || len(games.Finished) > 0 {
		t.Errorf("%d games under way, %d finished", len(games.UnderWay), len(games.Finished))
	}
	if n := len(must.Get(NewCounter(d, "plan").Games())(t)[7]); n > 0 {
		t.Errorf("%d games count as finished", n)
	}
}

// TestFinishedGamesAreNotUnderWay, in whichever journal they ended.
func TestFinishedGamesAreNotUnderWay(t *testing.T) {
	for _, same := range []bool{true, false} {
		d := newDir(t)
		end := func(j *Writer) { r, _ := underWay(70, 6); must.Do(t, j.Add(r)) }
		journalOf(t, d, func(j *Writer) {
			if keep(t, j, 70, 2, 5); same {
				end(j)
			}
		})
		if !same {
			journalOf(t, d, end)
		}
		games := must.Get(Read(d, "plan", 7, 70, 80, false))(t)
		if len(games.UnderWay) > 0 || len(games.Finished) != 1 {
			t.Errorf("same journal %t: %d under way, %d finished", same, len(games.UnderWay), len(games.Finished))
		}
	}
}

// TestDifferentDecisionsAreNondeterminism, at any ply that two journals have, in games under way and finished.
func TestDifferentDecisionsAreNondeterminism(t *testing.T) {
	changes := map[string]func(*engine.Record, *rand.PCG){
		"action": func(r *engine.Record, _ *rand.PCG) { r.Actions[1]++ },
		"score":  func(r *engine.Record, _ *rand.PCG) { r.Scores[0]++ },
		"policy": func(r *engine.Record, _ *rand.PCG) { r.PolicyWeight[3]++ },
		"source": func(_ *engine.Record, src *rand.PCG) { src.Uint64() },
		"start":  func(r *engine.Record, _ *rand.PCG) { r.Start = "other" },
	}
	for name, change := range changes {
		for _, finished := range []bool{false, true} {
			if finished && name == "source" {
				continue // a finished game has none
			}
			d := newDir(t)
			journalOf(t, d, func(j *Writer) { keep(t, j, 70, 1, 4) })
			journalOf(t, d, func(j *Writer) {
				r, src := underWay(70, 4)
				if change(r, src); finished {
					must.Do(t, j.Add(r))
				} else {
					must.Do(t, j.AddDecisions(r, src))
				}
			})
			must.Fail(Read(d, "plan", 7, 70, 80, false))(t, fault.ErrNondeterminism, "")
			must.Get(Read(d, "plan", 7, 70, 80, true))(t)
		}
	}
}

// TestDamagedJournalHasTheDecisionsBefore cuts a journal at every byte.
func TestDamagedJournalHasTheDecisionsBefore(t *testing.T) {
	d := newDir(t)
	name := d.Path(journalOf(t, d, func(j *Writer) { keep(t, j, 70, 1, 2, 3, 4) }))
	whole := must.Get(os.ReadFile(name))(t)
	seen := map[int]bool{}
	for n := range len(whole) + 1 {
		must.Do(t, os.WriteFile(name, whole[:n], 0o644))
		plies := 0
		if u := must.Get(Read(d, "plan", 7, 70, 80, false))(t).UnderWay[70]; u != nil {
			plies = len(u.Actions)
			mustBeUnderWay(t, d, 70, plies)
		}
		seen[plies] = true
	}
	if len(seen) != 5 {
		t.Errorf("cuts left %v plies, want 0 to 4", seen)
	}
}
