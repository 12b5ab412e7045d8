package program

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"runtime"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"selfplay/cmd/internal/human"
	"selfplay/cmd/internal/networks"
	"selfplay/cmd/internal/uci"
	"selfplay/encode"
	"selfplay/engine"
	"selfplay/engine/nnue/nets"
	"selfplay/workers"
)

func matchCommand(games encode.Catalog) *cli.Command {
	count := countFlag("games", 100, groupGame, "play at most `N` games, an even number: each opening is played twice, with sides swapped")
	return &cli.Command{
		Name:      "match",
		Usage:     "play two players against each other and print their Elo difference",
		UsageText: "--game NAME --a PLAYER --b PLAYER [flags]",
		Description: `Both games of an opening make a pair. The 95 % interval comes from the scores of pairs, which an
opening that favours a side does not widen. With --sprt the match ends as soon as the pairs, in
order, prove one of two Elo differences.

In chess a player may be a UCI engine: uci:path=FILE,nodes=N or uci:path=FILE,depth=N, with
option.NAME=VALUE to set its options.

Examples:
selfplay match --game chess --a ab:depth=2 --b greedy --games 200
selfplay match --game chess --a ab:depth=3 --b uci:path=stockfish,nodes=1000,option.Hash=1
selfplay match --game cotulenh --a mcts:sims=200 --b ab:depth=2 --games 10k --sprt 0,20 --json
`,
		Flags: slices.Concat([]cli.Flag{
			&cli.StringFlag{Name: "a", Category: groupPlayers, Usage: "`PLAYER` whose wins are counted, such as ab:depth=2"},
			&cli.StringFlag{Name: "b", Category: groupPlayers, Usage: "`PLAYER` of the other side"},
			count,
		}, gameFlags(games), []cli.Flag{
			seedFlag(), maxPliesFlag(),
			&cli.StringFlag{Name: "sprt", Category: groupGame, Usage: "stop when `ELO0,ELO1` is decided: A is stronger by ELO1 or more, or by ELO0 or less, each with an error of 5 %"},
			workersFlag(), jsonFlag(), logEveryFlag(),
		}, modelFlags(), playFlags()),
		Action: runMatch,
	}
}

// maxMatchGames bounds --games.
const maxMatchGames = 1 << 30

func runMatch(c *cli.Context) (err error) {
	if err := noArgs(c); err != nil {
		return err
	}
	set, err := modelsFrom(c)
	if err != nil {
		return err
	}
	defer set.Close()
	s, err := matchSeries(c, set)
	if err != nil {
		return err
	}
	games := c.Uint64("games")
	if games < 2 || games%2 != 0 || games > maxMatchGames {
		return usagef("games %d: want an even number from 2 to %d", games, maxMatchGames)
	}
	threads, err := workersFrom(c, &s, runtime.GOMAXPROCS(0))
	if err != nil {
		return err
	}
	if err := checkTables(s.Memory(threads), fewerWorkers); err != nil {
		return err
	}
	r := matchResult{Game: s.Game.Name, A: s.Players[0].String(), B: s.Players[1].String()}
	text := c.String("sprt")
	if text != "" {
		if r.SPRT, err = parseSPRT(text); err != nil {
			return usagef("sprt %v", err)
		}
	}
	p := newMeter("playing", games, logOf(c), c.App.ErrWriter, isQuiet(c))
	p.LogEvery(c.Duration(logEvery))
	if err := r.play(c.Context, s, games, threads, p); err != nil {
		return err
	}
	if c.Bool("json") {
		return encode.NewRoundedJSON(c.App.Writer).Encode(r)
	}
	return r.print(c.App.Writer)
}

// matchSeries returns the games of a match. A moves first in the first game of a pair.
func matchSeries(c *cli.Context, set *modelSet) (s workers.Series, err error) {
	if err := requireFlags(c, "game", "a", "b"); err != nil {
		return s, err
	}
	if s.Game, s.Variant, err = gameFrom(c); err != nil {
		return s, err
	}
	for i, flag := range [2]string{"a", "b"} {
		if s.Players[i], err = matchPlayer(c, &s, set, c.String(flag)); err != nil {
			return s, err
		}
	}
	if err := set.RefuseUnused(); err != nil {
		return s, err
	}
	s.Pairs, s.Clock = true, threadTime
	s.Seed = c.Uint64("seed")
	if s.MaxPlies, err = maxPliesFrom(c, &s.Game.Game); err != nil {
		return s, err
	}
	return s, readPlay(c, &s)
}

// matchPlayer parses a player of a match: also a UCI engine, whose processes end with the context of the command.
func matchPlayer(c *cli.Context, s *workers.Series, set *modelSet, text string) (workers.PlayerSpec, error) {
	if !uci.IsEngine(text) {
		return ownPlayer(c, &s.Game.Game, text, set.WithoutEngines(s.Game, s.Variant, networks.Finder()))
	}
	spec, err := uci.Player(c.Context, s.Game, text, set.EngineOptions(s.Variant))
	if err != nil {
		return spec, usagef("%v", err)
	}
	return spec, nil
}

// errDecided stops a match whose SPRT has ended.
var errDecided = errors.New("the SPRT has ended")

// matchBatch is the number of games that a pool is asked for at a time. It bounds memory.
const matchBatch = 1 << 16

// play plays games in pairs and sets the result. The SPRT looks at the pairs in order, so
// the result does not depend on the number of workers.
func (r *matchResult) play(ctx context.Context, s workers.Series, games uint64, threads int, p *meter) error {
	pool := workers.Start(s, threads)
	defer pool.Close()
	defer p.Watch(pool)()
	var err error
	for first := uint64(0); first < games && err == nil; first += matchBatch {
		err = pool.Play(ctx, workers.Games(first, min(matchBatch, games-first)), nil, r.counter())
	}
	if err != nil && !errors.Is(err, errDecided) {
		return err
	}
	r.setStatistics()
	r.setCosts(pool.Costs())
	r.setModelCosts(&s, pool.Costs(), pool.Models())
	return nil
}

// counter returns a sink that counts pairs of games, until the SPRT ends.
func (r *matchResult) counter() func(*engine.Record) error {
	var first pairScore
	return func(rec *engine.Record) error {
		side := engine.Side(rec.Game % 2) // of A
		if side == engine.First {
			first = scoreOf(rec.Outcome, side)
			return nil
		}
		r.add(first, scoreOf(rec.Outcome, side))
		if r.SPRT != nil && r.SPRT.update(&r.tally) {
			return errDecided
		}
		return nil
	}
}

// matchResult is what match prints. Elo is that of A over B, with its 95 % interval.
type matchResult struct {
	Game string `json:"game"`
	A    string `json:"a"`
	B    string `json:"b"`
	tally
	Elo     float64 `json:"elo"`
	EloLow  float64 `json:"elo_low"`
	EloHigh float64 `json:"elo_high"`
	LOS     float64 `json:"los"` // probability that A is the stronger player
	SPRT    *sprt   `json:"sprt,omitempty"`
	NodesA  uint64  `json:"nodes_a"`
	NodesB  uint64  `json:"nodes_b"`
	CPUA    float64 `json:"cpu_a"` // seconds, by Clock
	CPUB    float64 `json:"cpu_b"`
	Clock   string  `json:"clock"` // cpu or wall, see threadTime

	ModelCPUA float64 `json:"model_cpu_a,omitempty"` // of the models of users, not in CPUA
	ModelCPUB float64 `json:"model_cpu_b,omitempty"`
}

// setStatistics sets what follows from the tally.
func (r *matchResult) setStatistics() {
	r.Elo, r.EloLow, r.EloHigh = r.elo()
	r.LOS = r.los()
}

// setCosts sets nodes and times of A and B.
func (r *matchResult) setCosts(costs [2]workers.Cost) {
	r.NodesA, r.NodesB = costs[0].Nodes, costs[1].Nodes
	r.CPUA, r.CPUB = seconds(costs[0].CPU), seconds(costs[1].CPU)
	r.Clock = threadClock
}

// setModelCosts sets the CPU time of the models of A and B: each player's share of the questions to them.
func (r *matchResult) setModelCosts(s *workers.Series, costs [2]workers.Cost, counts []workers.ModelCounts) {
	for i, spent := range []*float64{&r.ModelCPUA, &r.ModelCPUB} {
		for _, m := range s.Players[i].Models() {
			for _, c := range counts {
				if c.Name == m.Name && c.Evaluations > 0 {
					*spent += seconds(c.CPU) * float64(costs[i].Asked) / float64(c.Evaluations)
				}
			}
		}
	}
}

// equalCost is the largest difference of two CPU times that count as equal.
const equalCost = 0.05

func (r *matchResult) print(w io.Writer) error {
	var b strings.Builder
	nameA, nameB := nets.Shown(r.A), nets.Shown(r.B)
	fmt.Fprintf(&b, "%s against %s: %s, %s, %s (%.1f %% drawn)\n", nameA, nameB,
		human.Count(r.Wins, "win"), human.Count(r.Losses, "loss"), human.Count(r.Draws, "draw"), 100*float64(r.Draws)/float64(2*r.Pairs))
	fmt.Fprintf(&b, "Elo %+.0f (%+.0f to %+.0f, 95 %% confidence, %s), LOS %.1f %%\n",
		r.Elo, r.EloLow, r.EloHigh, human.Count(r.Pairs, "pair"), 100*r.LOS)
	fmt.Fprintf(&b, "pairs: %s with 2 points for %s, %s with 1.5, %s with 1, %s with 0.5, %s with 0\n",
		human.Number(r.Penta[4]), nameA, human.Number(r.Penta[3]), human.Number(r.Penta[2]), human.Number(r.Penta[1]), human.Number(r.Penta[0]))
	if r.SPRT != nil {
		fmt.Fprintln(&b, r.SPRT)
	}
	fmt.Fprintf(&b, "nodes %s and %s, %s time %.2f s and %.2f s%s\n", human.Number(r.NodesA), human.Number(r.NodesB),
		clockName[r.Clock], r.CPUA, r.CPUB, r.equality())
	if r.ModelCPUA > 0 || r.ModelCPUB > 0 {
		fmt.Fprintf(&b, "CPU time of their models %.2f s and %.2f s, counted in the comparison\n", r.ModelCPUA, r.ModelCPUB)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// clockName names the clocks in text.
var clockName = map[string]string{"cpu": "CPU", "wall": "wall"}

// equality says how the CPU time of B compares with that of A. Wall time is no measure: it
// includes the time of other threads.
func (r *matchResult) equality() string {
	cpuA, cpuB := r.CPUA+r.ModelCPUA, r.CPUB+r.ModelCPUB
	if r.Clock != "cpu" || cpuA == 0 || cpuB == 0 {
		return ""
	}
	if math.Abs(cpuA-cpuB) < equalCost*max(cpuA, cpuB) {
		return " (equal)"
	}
	return fmt.Sprintf(" (%.2f times the first)", cpuB/cpuA)
}
