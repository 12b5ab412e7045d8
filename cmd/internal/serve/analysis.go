package serve

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
	"selfplay/cmd/internal/replay"
	"selfplay/cmd/internal/serve/catalog"
	"selfplay/encode"
	"selfplay/engine"
	"selfplay/engine/nnue/nets"
	"selfplay/internal/goroutine"
	"selfplay/workers"
)

// analysisLimits bound the work of an analyst.
type analysisLimits struct {
	workers int           // searches at a time
	waiting int           // requests that wait for a worker
	nodes   uint64        // of a search; simulations of mcts count as nodes
	time    time.Duration // of a search, about: one that takes an eighth longer is aborted
	hash    int           // MiB of a transposition table
}

// defaultAnalysis are those of the server: a request that waits for all others gets its answer before
// the server ends it.
var defaultAnalysis = analysisLimits{workers: 1, waiting: 4, nodes: 5_000_000, time: 10 * time.Second, hash: 64}

// analyst lets a player search a position on request, within limits of nodes and time. Several
// goroutines may use it.
//
// Searches are limited by nodes, never by a clock: their result is a function of the position and
// the player. So a request first searches a few nodes and measures how fast that is, then more, and
// so on: with the player's own limits, or with those that fit the time. The answer says which. A search
// that is much slower than measured is aborted; the answer is then that of the one before.
type analyst struct {
	known   workers.Catalog
	limits  analysisLimits
	find    workers.Networks
	seats   chan struct{} // of requests that search or wait
	workers chan struct{}
}

// newAnalyst returns an analyst. find finds the networks of players; it must open no file that a request
// could name.
func newAnalyst(known workers.Catalog, l analysisLimits, find workers.Networks) *analyst {
	return &analyst{known, l, find, make(chan struct{}, l.workers+l.waiting), make(chan struct{}, l.workers)}
}

// routes returns the routes of the analyst.
func (a *analyst) routes() []route {
	return []route{{pattern: "POST /api/analysis", handle: a.post, failed: refuse}}
}

func (a *analyst) post(w http.ResponseWriter, r *http.Request) error {
	var q analysisRequest
	if err := readBody(w, r, &q); err != nil {
		return err
	}
	answer, err := a.ask(r.Context(), &q)
	if errors.Is(err, errBusy) {
		w.Header().Set("Retry-After", "5")
	}
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, answer)
}

// analysisRequest asks a player about a position: that of the text or the array, after some moves.
type analysisRequest struct {
	Game    string   `json:"game"`
	Variant string   `json:"variant"`
	Player  string   `json:"player"`
	Seed    string   `json:"seed"` // of players that draw, a number; "": 0
	Play    []string `json:"play"`
	ask.Position
}

// errBusy is the error of a request for which there is no place to wait.
var errBusy = catalog.Errorf(http.StatusServiceUnavailable, "search position: too many searches wait: try again in some seconds")

// ask answers a request. It waits for a worker and searches until ctx ends.
func (a *analyst) ask(ctx context.Context, q *analysisRequest) (answer *analysisAnswer, err error) {
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

// playerSearch is a search that was asked for.
type playerSearch struct {
	known  workers.Players
	limits analysisLimits
	find   workers.Networks
	game   encode.Game
	pos    engine.Position
	player string
	spec   workers.PlayerSpec // keeps the network of the player in use
	seed   uint64
}

// prepare checks a request.
func (a *analyst) prepare(q *analysisRequest) (*playerSearch, error) {
	game, err := a.known.Games.Find(q.Game)
	if err != nil {
		return nil, invalid(err)
	}
	if !game.HasVariant(q.Variant) {
		return nil, invalid(fmt.Errorf("unknown variant %q of %s", q.Variant, game.Name))
	}
	s := &playerSearch{known: a.known.Players, limits: a.limits, find: a.find, game: game, pos: game.New(q.Variant), player: q.Player}
	if s.seed, err = strconv.ParseUint(cmp.Or(q.Seed, "0"), 10, 64); err != nil {
		return nil, invalid(fmt.Errorf("seed %q: want a whole number below 2^64, in quotes", q.Seed))
	}
	if s.spec, err = s.known.Parse(&game.Game, q.Player, a.find); err != nil {
		return nil, invalid(err)
	}
	if err := q.Set(s.pos, &game, false); err != nil {
		return nil, invalid(err)
	}
	return s, playOn(s.pos, q.Play)
}

// playOn plays the moves of a request.
func playOn(pos engine.Position, moves []string) error {
	for _, text := range moves {
		m, err := pos.ParseMove(text)
		if err != nil {
			return invalid(fmt.Errorf("play %q: %w", text, err))
		}
		pos.Do(m)
	}
	return nil
}

// The first search of a request has firstNodes nodes, to measure the speed. Each further one has at
// most step times as many, because larger searches are slower.
const (
	firstNodes = 2000
	step       = 16
)

// errAborted is the error of a search that ended with its context.
var errAborted = catalog.Errorf(http.StatusServiceUnavailable, "search position: found no move in time: ask a player with a smaller search, such as greedy")

// run searches a few nodes, then more, until the player's own limits end the search or those of
// the server.
func (s *playerSearch) run(ctx context.Context) (answer *analysisAnswer, err error) {
	inTime, cancel := context.WithTimeout(ctx, s.limits.time+s.limits.time/8)
	defer cancel()
	left := s.limits.time
	for nodes := min(firstNodes, s.limits.nodes); ; {
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
		next := min(s.limits.nodes, fitting, step*nodes)
		if next < 2*nodes && next < s.limits.nodes || nodes == s.limits.nodes {
			return answer, nil
		}
		nodes = next
	}
}

// think searches with at most a number of nodes until ctx ends, and says how long that took.
func (s *playerSearch) think(ctx context.Context, nodes uint64) (*analysisAnswer, time.Duration, error) {
	l, err := limitPlayer(s.spec.String(), nodes, s.limits.hash)
	if err != nil {
		return nil, 0, invalid(err)
	}
	spec, err := s.known.Parse(&s.game.Game, l.text, s.find)
	if err != nil {
		return nil, 0, invalid(err)
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
	var x workers.Explanation
	if e, explains := player.(workers.Explainer); explains && ok {
		x = e.Explain(s.pos, maxLine)
	}
	answer := s.answer(spec, &d, ok, ok && l.cutShort(x.End), taken)
	if answer.Searched {
		s.explain(answer, &x)
	}
	return answer, taken, nil
}

// analysisAnswer is what a player decides in a position. Scores are in centi-units, from the view of the
// side to move.
type analysisAnswer struct {
	Game     string `json:"game"`
	Position string `json:"position"`
	Side     string `json:"side"`
	Player   string `json:"player"` // that decided, with its limits
	// Limited is set if a limit of the server ended the search: without it the player would search
	// more nodes.
	Limited bool `json:"limited"`
	// Result and Reason are set if the game is over; then nothing below is.
	Result string `json:"result,omitempty"`
	Reason string `json:"reason,omitempty"`

	Move      *replay.Move    `json:"move,omitempty"` // that the player plays
	Searched  bool            `json:"searched"`
	Best      *replay.Move    `json:"best,omitempty"`
	Score     int             `json:"score"`
	ScoreText string          `json:"score_text,omitempty"`
	WinChance *float64        `json:"win_chance,omitempty"` // nil without a model, but for proven ends
	Model     string          `json:"model,omitempty"`      // games that the win chance was fitted to
	Nodes     uint32          `json:"nodes"`
	Depth     int             `json:"depth,omitempty"` // in turns; of mcts the longest path in plies
	Line      []replay.Move   `json:"line,omitempty"`  // principal variation, from the best move on
	Seconds   float64         `json:"seconds"`
	Policy    []replay.Choice `json:"policy,omitempty"`
}

// answer describes a decision in the position of the search.
func (s *playerSearch) answer(spec workers.PlayerSpec, d *workers.Decision, ok, limitedPlayer bool, taken time.Duration) *analysisAnswer {
	g := &s.game
	a := &analysisAnswer{Game: g.Name, Position: s.pos.String(), Side: g.Sides[s.pos.Turn()], Player: nets.Named(spec.String()), Limited: limitedPlayer, Seconds: taken.Seconds()}
	if !ok {
		end := s.pos.Outcome()
		a.Result, a.Reason = g.Results()[end.Result], g.ReasonName(end.Reason)
		return a
	}
	move := s.move(d.Move)
	a.Move = &move
	if d.Nodes == 0 {
		return a
	}
	best := s.move(d.Best)
	a.Searched, a.Best, a.Nodes, a.Score = true, &best, d.Nodes, int(d.Score)
	a.judge(s.model(spec, limitedPlayer))
	all := 0.0
	for _, w := range d.Policy {
		all += float64(w.Weight)
	}
	for _, w := range d.Policy {
		if w.Weight > 0 {
			a.Policy = append(a.Policy, replay.Choice{Move: s.move(w.Move), Share: float64(w.Weight) / all})
		}
	}
	return a
}

// model returns the model of games of a player against itself, nil if there is none. A search that
// was cut short is not that player's.
func (s *playerSearch) model(spec workers.PlayerSpec, limitedPlayer bool) *encode.WDL {
	if limitedPlayer {
		return nil
	}
	games := workers.Series{Game: s.game, Players: [2]workers.PlayerSpec{spec, spec}}
	return games.WDL()
}

// judge says what the score is worth by a model, which may be nil.
func (a *analysisAnswer) judge(model *encode.WDL) {
	a.ScoreText = replay.ScoreText(model, a.Score)
	if model != nil {
		a.Model = model.FittedTo
	}
	if model != nil || a.Score > engine.MaxStatic || a.Score < -engine.MaxStatic {
		chance := replay.WinChance(model, a.Score)
		a.WinChance = &chance
	}
}

// maxLine is the number of moves of a principal variation.
const maxLine = 8

// explain adds the principal variation and the depth of the last search of a player.
func (s *playerSearch) explain(a *analysisAnswer, x *workers.Explanation) {
	a.Depth = x.Depth
	for _, m := range x.Line {
		a.Line = append(a.Line, s.move(m))
		s.pos.Do(m)
	}
	for range x.Line {
		s.pos.Undo()
	}
}

func (s *playerSearch) move(m engine.Move) replay.Move {
	return replay.NewMove(&s.game, s.pos, s.game.Actions.Number(m))
}
