package export

import (
	"fmt"
	"io"
	"iter"
	"text/tabwriter"

	"github.com/urfave/cli/v2"

	"selfplay/cmd/internal/app"
	"selfplay/cmd/internal/human"
	"selfplay/datasets"
	"selfplay/datasets/stats"
	"selfplay/datasets/wdl"
	"selfplay/encode"
	"selfplay/engine"
)

// comparison is the JSON of rescore. Before and after count the same plies: the compared ones of
// games with a result. If no ply had a score, after counts all rescored plies of such games.
type comparison struct {
	PlanHash string `json:"plan_hash"`
	Games    uint64 `json:"games"`
	Plies    uint64 `json:"plies"`
	Rescored uint64 `json:"rescored"` // plies that were searched again
	Compared uint64 `json:"compared"` // of them, those that had a score

	// Over the compared plies whose scores are both no proven ends, in centi-units.
	MeanShift     float64 `json:"mean_shift"`
	MeanAbsolute  float64 `json:"mean_absolute_shift"`
	BestAgreement float64 `json:"best_move_agreement"` // share of the compared plies

	// With --deblunder: plies whose value target is not the outcome, and games with such plies.
	Deblundered      uint64 `json:"deblundered,omitempty"`
	DeblunderedGames uint64 `json:"deblundered_games,omitempty"`

	Before *worth `json:"before,omitempty"` // nil without old scores
	After  *worth `json:"after,omitempty"`
}

// worth says how well scores predict the results of games.
type worth struct {
	Plies   uint64  `json:"plies"`
	AUC     float64 `json:"auc"`
	LogLoss float64 `json:"log_loss,omitempty"` // of a model that is fitted to these scores, in nats; 0 if none can be
}

// scoreChange collects what a comparison needs.
type scoreChange struct {
	comparison
	shift, absolute int64
	unproven, agree uint64
	before, after   wdl.Tally // of the compared plies
	all             wdl.Tally // of all rescored plies
}

// compare compares the new dataset with the old one and prints what changed.
func (r *rescoring) compare(c *cli.Context) error {
	made, err := datasets.Open(r.out)
	if err != nil {
		return err
	}
	fresh, err := made.Source(c.Context)
	if err != nil {
		return err
	}
	old, err := r.ds.Source(c.Context)
	if err != nil {
		return err
	}
	s := scoreChange{comparison: comparison{PlanHash: made.PlanHash()}, before: wdl.Tally{}, after: wdl.Tally{}, all: wdl.Tally{}}
	if err := r.compareGames(old, fresh, &s); err != nil {
		return err
	}
	s.finish()
	switch {
	case c.Bool("json"):
		return encode.NewRoundedJSON(c.App.Writer).Encode(s.comparison)
	case app.Quiet(c):
		return nil
	}
	return s.print(c.App.Writer)
}

// compareGames compares all games, which both sources have in the same order.
func (r *rescoring) compareGames(old, fresh *datasets.Source, s *scoreChange) error {
	next, stop := iter.Pull2(old.All())
	defer stop()
	pos := r.series.Game.New(r.series.Variant)
	var turns []engine.Side
	var chosen []bool
	var values []int16
	for b, err := range fresh.All() {
		if err != nil {
			return err
		}
		a, err, ok := next()
		if err != nil {
			return err
		}
		if !ok || a.Game != b.Game || len(a.Actions) != len(b.Actions) {
			return fmt.Errorf("compare game %d: it is another one in %s", b.Game, r.dir)
		}
		if turns, err = r.series.Turns(pos, a, turns); err != nil {
			return err
		}
		chosen = r.series.Rescore.Choose(a, turns, chosen)
		s.add(a, b, turns, chosen)
		if d := r.shape.Deblunder; d != nil {
			values = d.Values(b, turns, values)
			s.countValues(b, turns, values)
		}
	}
	return nil
}

// countValues counts the value targets that are not the outcome of the game.
func (s *scoreChange) countValues(r *engine.Record, turns []engine.Side, values []int16) {
	before := s.Deblundered
	for ply, value := range values {
		if value != encode.ValueWin*int16(r.Outcome.For(turns[ply])) {
			s.Deblundered++
		}
	}
	if s.Deblundered > before {
		s.DeblunderedGames++
	}
}

// add compares a game before and after.
func (s *scoreChange) add(a, b *engine.Record, turns []engine.Side, chosen []bool) {
	s.Games++
	s.Plies += uint64(len(b.Actions))
	for ply := range b.Actions {
		if !chosen[ply] || b.Nodes[ply] == 0 {
			continue
		}
		s.Rescored++
		had := len(a.Nodes) > 0 && a.Nodes[ply] > 0
		if b.Outcome.Result != engine.NoResult {
			outcome := b.Outcome.For(turns[ply])
			s.all.Add(int(b.Scores[ply]), outcome)
			if had {
				s.before.Add(int(a.Scores[ply]), outcome)
				s.after.Add(int(b.Scores[ply]), outcome)
			}
		}
		if had {
			s.compare(int(a.Scores[ply]), int(b.Scores[ply]), a.Best[ply] == b.Best[ply])
		}
	}
}

func (s *scoreChange) compare(a, b int, sameBest bool) {
	s.Compared++
	if sameBest {
		s.agree++
	}
	if max(a, -a) > engine.MaxStatic || max(b, -b) > engine.MaxStatic {
		return
	}
	s.unproven++
	s.shift += int64(b - a)
	s.absolute += int64(max(b-a, a-b))
}

func (s *scoreChange) finish() {
	if s.unproven > 0 {
		s.MeanShift, s.MeanAbsolute = float64(s.shift)/float64(s.unproven), float64(s.absolute)/float64(s.unproven)
	}
	if s.Compared > 0 {
		s.BestAgreement = float64(s.agree) / float64(s.Compared)
	}
	if s.Compared == 0 {
		s.after = s.all
	}
	s.Before, s.After = worthOf(s.before), worthOf(s.after)
}

// worthOf returns how well scores predict results, nil without any.
func worthOf(t wdl.Tally) *worth {
	n := t.Sum().All()
	if n == 0 {
		return nil
	}
	w := &worth{Plies: n, AUC: stats.AUC(t)}
	if m, err := wdl.Fit(t); err == nil {
		w.LogLoss = t.LogLoss(m)
	}
	return w
}

func (s *comparison) print(out io.Writer) error {
	t := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "games\t%s, %s\n", human.Number(s.Games), human.Count(s.Plies, "ply"))
	fmt.Fprintf(t, "rescored\t%s, of which %s had a score\n", human.Count(s.Rescored, "ply"), human.Number(s.Compared))
	if s.Compared > 0 {
		fmt.Fprintf(t, "shift\t%+.1f of the score on average, %.1f in size\n", s.MeanShift, s.MeanAbsolute)
		fmt.Fprintf(t, "best move\tthe same in %.1f %%\n", 100*s.BestAgreement)
	}
	if s.Deblundered > 0 {
		fmt.Fprintf(t, "deblundered\t%s of %s\n", human.Count(s.Deblundered, "ply"), human.Count(s.DeblunderedGames, "game"))
	}
	s.Before.print(t, "before")
	s.After.print(t, "after")
	fmt.Fprintf(t, "plan\t%s\n", s.PlanHash)
	return t.Flush()
}

func (w *worth) print(t io.Writer, name string) {
	if w == nil {
		fmt.Fprintf(t, "%s\tno scores of games with a result\n", name)
		return
	}
	loss := "no model fits"
	if w.LogLoss > 0 {
		loss = fmt.Sprintf("log loss %.4f by a model fitted to them", w.LogLoss)
	}
	fmt.Fprintf(t, "%s\t%s with a result: AUC %.4f, %s\n", name, human.Count(w.Plies, "ply"), w.AUC, loss)
}
