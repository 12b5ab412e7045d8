package export

import (
	"selfplay/datasets/wdl"
	"selfplay/encode"
	"selfplay/engine"
)

const (
	wdlBuckets = 12 // rows of the table
	wdlBlocks  = 20 // blocks of games, each left out once to estimate the standard errors
)

// wdlFit is the JSON that wdl prints. Scores, a and b are in centi-units.
type wdlFit struct {
	Game    string    `json:"game"`
	Players [2]string `json:"players"`
	A       float64   `json:"a"`
	B       float64   `json:"b"`
	ErrorA  float64   `json:"a_error,omitempty"` // standard error, if there are enough games
	ErrorB  float64   `json:"b_error,omitempty"`
	N       uint64    `json:"n"` // plies

	LogLoss         float64  `json:"log_loss"`          // of the fit, in nats
	LogLossConstant float64  `json:"log_loss_constant"` // of constant probabilities, in nats
	Known           knownWDL `json:"known"`

	wdlSources
	Buckets []wdlBucket `json:"buckets"`
}

// knownWDL is the model that this program writes into datasets of the game.
type knownWDL struct {
	Version int     `json:"version"`
	A       int     `json:"a"`
	B       int     `json:"b"`
	LogLoss float64 `json:"log_loss"`
}

// wdlSources counts the games of a fit, and what it excludes.
type wdlSources struct {
	Games       uint64 `json:"games"`
	Cut         uint64 `json:"games_cut_off"`
	Adjudicated uint64 `json:"games_adjudicated"`
	Proven      uint64 `json:"plies_proven"`
}

// wdlBucket is a range of scores, both ends included, with shares of wins, draws and
// losses.
type wdlBucket struct {
	Low       int        `json:"low"`
	High      int        `json:"high"`
	Plies     uint64     `json:"plies"`
	Predicted [3]float64 `json:"predicted"`
	Seen      [3]float64 `json:"seen"`
}

// scoreCollector tallies scores and the results of their games, in blocks of whole games.
type scoreCollector struct {
	game    encode.Game
	variant string
	pos     engine.Position
	blocks  [wdlBlocks]wdl.Tally
	wdlSources
}

func newScoreCollector(game encode.Game, variant string) *scoreCollector {
	s := &scoreCollector{game: game, variant: variant, pos: game.New(variant)}
	for i := range s.blocks {
		s.blocks[i] = wdl.Tally{}
	}
	return s
}

// Fork returns a collector without games.
func (s *scoreCollector) Fork() *scoreCollector { return newScoreCollector(s.game, s.variant) }

// Merge adds the games of a fork.
func (s *scoreCollector) Merge(o *scoreCollector) {
	for i, t := range o.blocks {
		s.blocks[i].AddAll(t)
	}
	s.Games += o.Games
	s.Cut += o.Cut
	s.Adjudicated += o.Adjudicated
	s.Proven += o.Proven
}

// Add tallies the searched plies of a game. It replays the game, because only the position
// knows the side to move. It excludes games that were cut off, which have no result, and
// adjudicated games, whose result follows from the scores. The block depends on the number
// of the game, so that the result does not depend on how games are divided among readers.
func (s *scoreCollector) Add(r *engine.Record, _ bool) error {
	switch {
	case r.Outcome.Result == engine.NoResult:
		s.Cut++
		return nil
	case r.Outcome.Reason == engine.Adjudicated:
		s.Adjudicated++
		return nil
	}
	block := s.blocks[r.Game%wdlBlocks]
	s.Games++
	return s.game.Replay(s.pos, r, func(ply int, _ engine.Move) {
		if ply < len(r.Nodes) && r.Nodes[ply] > 0 {
			s.count(block, int(r.Scores[ply]), r.Outcome.For(s.pos.Turn()))
		}
	})
}

// count tallies a score, unless it is a forced result and needs no model.
func (s *scoreCollector) count(block wdl.Tally, score int, outcome int8) {
	if max(score, -score) > engine.MaxStatic {
		s.Proven++
		return
	}
	block.Add(score, outcome)
}

// fit fits the model to all blocks.
func (s *scoreCollector) fit() (*wdlFit, error) {
	all := wdl.Tally{}
	for _, t := range s.blocks {
		all.AddAll(t)
	}
	m, err := wdl.Fit(all)
	if err != nil {
		return nil, err
	}
	f := &wdlFit{A: m.A, B: m.B, N: all.Sum().All(), wdlSources: s.wdlSources, LogLoss: all.LogLoss(m), LogLossConstant: all.ConstantLoss()}
	if a, b, err := wdl.Errors(s.blocks[:]); err == nil {
		f.ErrorA, f.ErrorB = a, b
	}
	known := s.game.WDL
	f.Known = knownWDL{known.Version, known.A, known.B, all.LogLoss(wdl.Model{A: float64(known.A), B: float64(known.B)})}
	for _, b := range all.Buckets(m, wdlBuckets) {
		f.Buckets = append(f.Buckets, wdlBucket{b.Low, b.High, b.Plies, b.Predicted, b.Found})
	}
	return f, nil
}
