// Package analysis lets a player search a position on request, within limits of nodes and time.
//
// Searches are limited by nodes, never by a clock: their result is a function of the position and
// the player. So a request first searches a few nodes and measures how fast that is, then more, and
// so on: with the player's own limits, or with those that fit the time. The answer says which. A search
// that is much slower than measured is aborted; the answer is then that of the one before.
//
//	analysis.go  Analyst: searches on request, and who waits for them
//	limit.go     players with lower limits
//	answer.go    what a search found
package analysis

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strconv"
	"time"

	"selfplay/cmd/internal/ask"
	"selfplay/cmd/internal/serve/post"
	"selfplay/cmd/internal/serve/web"
	"selfplay/encode"
	"selfplay/engine"
	"selfplay/internal/goroutine"
	"selfplay/workers"
)

// Limits bound the work of an Analyst.
type Limits struct {
	Workers int           // searches at a time
	Waiting int           // requests that wait for a worker
	Nodes   uint64        // of a search; simulations of mcts count as nodes
	Time    time.Duration // of a search, about: one that takes an eighth longer is aborted
	Hash    int           // MiB of a transposition table
}

// DefaultLimits are those of the server: a request that waits for all others gets its answer before
// the server ends it.
var DefaultLimits = Limits{Workers: 1, Waiting: 4, Nodes: 5_000_000, Time: 10 * time.Second, Hash: 64}

// Analyst answers requests. Several goroutines may use it.
type Analyst struct {
	known   workers.Catalog
	limits  Limits
	find    workers.Networks
	seats   chan struct{} // of requests that search or wait
	workers chan struct{}
}

// New returns an analyst. find finds the networks of players; it must open no file that a request
// could name.
func New(known workers.Catalog, l Limits, find workers.Networks) *Analyst {
	return &Analyst{known, l, find, make(chan struct{}, l.Workers+l.Waiting), make(chan struct{}, l.Workers)}
}

// Routes returns the routes of the analyst.
func (a *Analyst) Routes() []web.Route {
	return []web.Route{{Pattern: "POST /api/analysis", Handle: a.post, Failed: post.Refuse}}
}

func (a *Analyst) post(w http.ResponseWriter, r *http.Request) error {
	var q Request
	if err := post.Read(w, r, &q); err != nil {
		return err
	}
	answer, err := a.Ask(r.Context(), &q)
	if errors.Is(err, errBusy) {
		w.Header().Set("Retry-After", "5")
	}
	if err != nil {
		return err
	}
	return web.WriteJSON(w, http.StatusOK, answer)
}

// Request asks a player about a position: that of the text or the array, after some moves.
type Request struct {
	Game    string   `json:"game"`
	Variant string   `json:"variant"`
	Player  string   `json:"player"`
	Seed    string   `json:"seed"` // of players that draw, a number; "": 0
	Play    []string `json:"play"`
	ask.Position
}

// errBusy is the error of a request for which there is no place to wait.
var errBusy = web.Errorf(http.StatusServiceUnavailable, "search position: too many searches wait: try again in some seconds")

// Ask answers a request. It waits for a worker and searches until ctx ends.
func (a *Analyst) Ask(ctx context.Context, q *Request) (answer *Answer, err error) {
	select {
	case a.seats <- struct{}{}:
		defer func() { <-a.seats }()
	default:
		return nil, errBusy
	}
	s, err := a.prepare(q) // with a seat, because the network of a player takes memory
	if err != nil {
		return nil, err
	}
	select {
	case a.workers <- struct{}{}:
		defer func() { <-a.workers }()
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	err = goroutine.Catch(func() error { answer, err = s.run(ctx); return err })
	return answer, err
}

// search is a search that was asked for.
type search struct {
	known  workers.Players
	limits Limits
	find   workers.Networks
	game   encode.Game
	pos    engine.Position
	player string
	spec   workers.PlayerSpec // keeps the network of the player in use
	seed   uint64
}

// prepare checks a request.
func (a *Analyst) prepare(q *Request) (*search, error) {
	game, err := a.known.Games.Find(q.Game)
	if err != nil {
		return nil, post.Invalid(err)
	}
	if !game.HasVariant(q.Variant) {
		return nil, post.Invalid(fmt.Errorf("unknown variant %q of %s", q.Variant, game.Name))
	}
	s := &search{known: a.known.Players, limits: a.limits, find: a.find, game: game, pos: game.New(q.Variant), player: q.Player}
	if s.seed, err = strconv.ParseUint(cmp.Or(q.Seed, "0"), 10, 64); err != nil {
		return nil, post.Invalid(fmt.Errorf("seed %q: want a whole number below 2^64, in quotes", q.Seed))
	}
	if s.spec, err = s.known.Parse(&game.Game, q.Player, a.find); err != nil {
		return nil, post.Invalid(err)
	}
	if err := q.Set(s.pos, &game, false); err != nil {
		return nil, post.Invalid(err)
	}
	for _, text := range q.Play {
		m, err := s.pos.ParseMove(text)
		if err != nil {
			return nil, post.Invalid(fmt.Errorf("play %q: %w", text, err))
		}
		s.pos.Do(m)
	}
	return s, nil
}

// The first search of a request has firstNodes nodes, to measure the speed. Each further one has at
// most step times as many, because larger searches are slower.
const (
	firstNodes = 2000
	step       = 16
)

// errAborted is the error of a search that ended with its context.
var errAborted = web.Errorf(http.StatusServiceUnavailable, "search position: found no move in time: ask a player with a smaller search, such as greedy")

// run searches a few nodes, then more, until the player's own limits end the search or those of
// the server.
func (s *search) run(ctx context.Context) (answer *Answer, err error) {
	inTime, cancel := context.WithTimeout(ctx, s.limits.Time+s.limits.Time/8)
	defer cancel()
	left := s.limits.Time
	for nodes := min(firstNodes, s.limits.Nodes); ; {
		larger, taken, err := s.think(inTime, nodes)
		switch {
		case ctx.Err() != nil: // the client is gone
			return nil, context.Cause(ctx)
		case errors.Is(err, errAborted) && answer != nil:
			return answer, nil
		case err != nil || !larger.Limited:
			return larger, err
		}
		answer = larger
		left -= taken
		fitting := uint64(max(0, left.Nanoseconds())) * nodes / uint64(max(1, taken.Nanoseconds()))
		next := min(s.limits.Nodes, fitting, step*nodes)
		if next < 2*nodes && next < s.limits.Nodes || nodes == s.limits.Nodes {
			return answer, nil
		}
		nodes = next
	}
}

// think searches with at most a number of nodes until ctx ends, and says how long that took.
func (s *search) think(ctx context.Context, nodes uint64) (*Answer, time.Duration, error) {
	l, err := limit(s.spec.String(), nodes, s.limits.Hash)
	if err != nil {
		return nil, 0, post.Invalid(err)
	}
	spec, err := s.known.Parse(&s.game.Game, l.text, s.find)
	if err != nil {
		return nil, 0, post.Invalid(err)
	}
	src := rand.NewPCG(s.seed, 0)
	player := spec.NewPlayer(src, func() bool { return ctx.Err() != nil })
	var d workers.Decision
	begin := time.Now()
	ok := player.Play(s.pos, src, &d)
	taken := time.Since(begin)
	switch {
	case ok:
		s.pos.Undo()
	case s.pos.Outcome() == engine.Ongoing:
		return nil, 0, errAborted
	}
	answer := s.answer(spec, &d, ok, ok && l.mayHaveEnded(uint64(d.Nodes), nodes), taken)
	if e, explains := player.(workers.Explainer); explains && answer.Searched {
		s.explain(answer, e)
	}
	return answer, taken, nil
}
