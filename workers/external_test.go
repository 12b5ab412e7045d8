package workers

import (
	"context"
	"errors"
	"math/rand/v2"
	"strings"
	"sync/atomic"
	"testing"

	"selfplay/engine"
	"selfplay/engine/search"
	"selfplay/internal/must"
)

// external is an External that plays at random and fails at ply failAt of a game, if that
// is not 0.
type external struct {
	failAt int
	rec    *engine.Record
	cpu    int64
	err    error
	closed *atomic.Int64
}

var errCrashed = errors.New("the engine crashed")

func (e *external) Play(pos engine.Position, src *rand.PCG, d *Decision) bool {
	ply := len(e.rec.Actions)
	if pos.Outcome() != engine.Ongoing || e.failAt > 0 && ply >= e.failAt {
		e.err = errCrashed
		return false
	}
	ok := uniformPlayer{}.Play(pos, src, d)
	d.Nodes, d.Best = 10, d.Move
	e.cpu += 1000
	return ok
}

func (e *external) Begin(rec *engine.Record) { e.rec = rec }
func (e *external) Err() error               { return e.err }
func (e *external) CPU() int64               { return e.cpu }
func (e *external) Close()                   { e.closed.Add(1) }

// externalSeries returns a series of pairs between an external player and random.
func externalSeries(t *testing.T, failAt int, created, closed *atomic.Int64) Series {
	s := nimSeries(t, "random")
	s.Pairs, s.Clock = true, func() int64 { return 0 }
	s.Players[0] = ExternalPlayer("engine", false, func(search.Abort) External {
		created.Add(1)
		return &external{failAt: failAt, closed: closed}
	})
	return s
}

func TestExternalPlayerIsClosedAndItsCostCounted(t *testing.T) {
	var created, closed atomic.Int64
	p := Start(externalSeries(t, 0, &created, &closed), 3)
	own := uint64(0)
	err := p.Play(context.Background(), Games(0, 100), nil, func(r *engine.Record) error {
		if r.Players[r.Game%2] != "engine" {
			t.Errorf("game %d: players %v", r.Game, r.Players)
		}
		own += uint64(len(r.Actions)+1-int(r.Game%2)) / 2
		if c := p.Costs(); c[0] != (Cost{Decisions: own, Nodes: 10 * own, CPU: 1000 * int64(own)}) || c[1].Nodes != 0 {
			t.Errorf("after game %d: costs %+v, want %d decisions", r.Game, c, own)
		}
		return nil
	})
	p.Close()
	if err != nil || created.Load() == 0 || closed.Load() != created.Load() {
		t.Errorf("%v; %d players created, %d closed", err, created.Load(), closed.Load())
	}
}

func TestFailureOfAnExternalPlayerIsTheErrorOfItsGame(t *testing.T) {
	var created, closed atomic.Int64
	p := Start(externalSeries(t, 2, &created, &closed), 1)
	err := p.Play(context.Background(), Games(0, 100), nil, func(*engine.Record) error { return nil })
	p.Close()
	if !errors.Is(err, errCrashed) || closed.Load() != 1 {
		t.Errorf("error %v, %d players closed", err, closed.Load())
	}
}

// TestExternalPlayersAreNotExplored among their best moves, which only they know.
func TestExternalPlayersAreNotExplored(t *testing.T) {
	s := externalSeries(t, 0, new(atomic.Int64), new(atomic.Int64))
	s.Exploration = Exploration{Moves: 1, Among: 1}
	must.Fail(struct{}{}, s.Validate())(t, nil, "player engine does not say which moves it likes")
	s.Exploration.Among = 0
	must.Do(t, s.Validate())
}

// TestPairsSwapPlayers: the games of a pair are those of two series whose players are
// swapped, also with a book, random plies and a mixture.
func TestPairsSwapPlayers(t *testing.T) {
	s := nimSeries(t, "0.5*random + 0.5*random:uniform")
	s.Players[1] = nimSeries(t, "random").Players[1]
	s.Opening = Opening{MinPlies: 1, MaxPlies: 3, Book: []string{"900", "800", "700"}}
	swapped := s
	swapped.Players[0], swapped.Players[1] = s.Players[1], s.Players[0]
	pairs := s
	pairs.Pairs = true
	for game := range uint64(20) {
		want := playRecords(t, [2]Series{s, swapped}[game%2], 1, game/2)[0]
		want.Game = game
		if got := playRecords(t, pairs, 1, game)[0]; recordText(got) != recordText(want) {
			t.Errorf("game %d: got %+v, want %+v", game, got, want)
		}
	}
}

// TestExternalPlayersNeedAFinder: names alone, as of a plan or a request, start no program.
func TestExternalPlayersNeedAFinder(t *testing.T) {
	g := nimGame(9)
	for _, name := range []string{"uci:path=sh,nodes=1", "0.5*random + 0.5*uci:path=sh,nodes=1", "uci:"} {
		if _, err := ParsePlayer(&g.Game, name); err == nil || !strings.Contains(err.Error(), "no UCI engines here") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
