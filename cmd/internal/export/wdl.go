package export

import (
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/urfave/cli/v2"

	"selfplay/cmd/internal/app"
	"selfplay/datasets/wdl"
	"selfplay/encode"
	"selfplay/engine"
)

const (
	wdlBuckets = 12 // rows of the table
	wdlBlocks  = 20 // parts of the games that are left out in turn, for the errors
)

func wdlCommand() *cli.Command {
	return &cli.Command{
		Name:      "wdl",
		Usage:     "fit what scores are worth, in wins, draws and losses, to the games of a dataset",
		ArgsUsage: "DIR",
		Flags:     []cli.Flag{jsonFlag("print one line of JSON")},
		Action: func(c *cli.Context) error {
			dir, err := app.Dir(c)
			if err != nil {
				return err
			}
			f, err := fitDataset(c, dir)
			if err != nil {
				return err
			}
			if c.Bool("json") {
				return encode.NewJSON(c.App.Writer).Encode(f)
			}
			return f.print(c.App.Writer)
		},
	}
}

// wdlFit is what export wdl prints.
type wdlFit struct {
	Game    string    `json:"game"`
	Players [2]string `json:"players"`
	A       float64   `json:"a"` // centi-units, as the next three
	B       float64   `json:"b"`
	ErrorA  float64   `json:"a_error,omitempty"` // standard errors, where there are enough games
	ErrorB  float64   `json:"b_error,omitempty"`
	N       uint64    `json:"n"` // plies

	LogLoss         float64 `json:"log_loss"`          // in nats, of the fit
	LogLossConstant float64 `json:"log_loss_constant"` // of the shares of wins, draws and losses, whatever the score
	Known           knownAs `json:"known"`

	sources
	Buckets []wdlBucket `json:"buckets"`
}

// knownAs is the model that this program writes into datasets of the game.
type knownAs struct {
	Version int     `json:"version"`
	A       int     `json:"a"`
	B       int     `json:"b"`
	LogLoss float64 `json:"log_loss"`
}

// sources count what a fit was made of, and what was left out.
type sources struct {
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

// fitDataset fits the model to all committed games in a directory.
func fitDataset(c *cli.Context, dir string) (*wdlFit, error) {
	ds, k, err := openKnown(dir)
	if err != nil {
		return nil, err
	}
	p := ds.Plan()
	s := newScorer(k.game, p.Variant)
	commits, err := ds.Commits()
	if err != nil {
		return nil, err
	}
	if err := readInto(c, ds, commits, s); err != nil {
		return nil, err
	}
	f, err := s.fit()
	if err != nil {
		return nil, app.Usage("read %s: %v", dir, err)
	}
	f.Game, f.Players = p.Game, [2]string{p.Players[0].Spec, p.Players[1].Spec}
	return f, nil
}

// scorer collects scores and what they led to, in blocks of whole games.
type scorer struct {
	game    encode.Game
	variant string
	pos     engine.Position
	blocks  [wdlBlocks]wdl.Tally
	sources
}

func newScorer(game encode.Game, variant string) *scorer {
	s := &scorer{game: game, variant: variant, pos: game.New(variant)}
	for i := range s.blocks {
		s.blocks[i] = wdl.Tally{}
	}
	return s
}

// Fork returns a scorer without games, for another goroutine, to be merged into s.
func (s *scorer) Fork() *scorer { return newScorer(s.game, s.variant) }

// Merge adds what a fork has seen.
func (s *scorer) Merge(o *scorer) {
	for i, t := range o.blocks {
		s.blocks[i].AddAll(t)
	}
	s.Games += o.Games
	s.Cut += o.Cut
	s.Adjudicated += o.Adjudicated
	s.Proven += o.Proven
}

// Add plays a game again, for only the position knows who decides, and counts the
// plies that were searched. Games without an end of their own say nothing about scores,
// or only what their scores said; proven scores need no model. Which
// block a game is in follows from its number, so that nothing depends on who reads it.
func (s *scorer) Add(r *engine.Record, _ bool) error {
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

func (s *scorer) count(block wdl.Tally, score int, outcome int8) {
	if max(score, -score) > engine.MaxStatic {
		s.Proven++
		return
	}
	block.Add(score, outcome)
}

// fit fits the model to all that was collected.
func (s *scorer) fit() (*wdlFit, error) {
	all := wdl.Tally{}
	for _, t := range s.blocks {
		all.AddAll(t)
	}
	m, err := wdl.Fit(all)
	if err != nil {
		return nil, err
	}
	f := &wdlFit{A: m.A, B: m.B, N: all.Sum().All(), sources: s.sources, LogLoss: all.LogLoss(m), LogLossConstant: all.ConstantLoss()}
	if a, b, err := wdl.Errors(s.blocks[:]); err == nil {
		f.ErrorA, f.ErrorB = a, b
	}
	known := s.game.WDL
	there := wdl.Model{A: float64(known.A), B: float64(known.B)}
	f.Known = knownAs{known.Version, known.A, known.B, all.LogLoss(there)}
	for _, b := range all.Buckets(m, wdlBuckets) {
		f.Buckets = append(f.Buckets, wdlBucket{b.Low, b.High, b.Plies, b.Predicted, b.Found})
	}
	return f, nil
}

func (f *wdlFit) print(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "game\t%s, %s against %s\n", f.Game, f.Players[0], f.Players[1])
	fmt.Fprintf(t, "plies\t%d of %d games; left out %d games cut off, %d adjudicated, %d plies with a proven end\n",
		f.N, f.Games, f.Cut, f.Adjudicated, f.Proven)
	fmt.Fprintf(t, "a\t%.1f%s\n", f.A, give(f.ErrorA))
	fmt.Fprintf(t, "b\t%.1f%s\n", f.B, give(f.ErrorB))
	fmt.Fprintf(t, "log loss\t%.4f; %.4f by version %d of this program, a %d and b %d; %.4f without scores\n",
		f.LogLoss, f.Known.LogLoss, f.Known.Version, f.Known.A, f.Known.B, f.LogLossConstant)
	if err := t.Flush(); err != nil {
		return err
	}
	fmt.Fprintln(w)
	t = tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(t, "score\tto\tplies\twin\tdraw\tloss\tseen\tdraw\tloss\t\n")
	for _, b := range f.Buckets {
		fmt.Fprintf(t, "%d\t%d\t%d\t", b.Low, b.High, b.Plies)
		for _, share := range append(b.Predicted[:], b.Seen[:]...) {
			fmt.Fprintf(t, "%.3f\t", share)
		}
		fmt.Fprintln(t)
	}
	return t.Flush()
}

// give writes a standard error, if there is one.
func give(standard float64) string {
	if standard == 0 {
		return ""
	}
	return fmt.Sprintf(" (standard error %.1f)", standard)
}
