package report

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"selfplay/cmd/internal/human"
	"selfplay/datasets/plan"
	"selfplay/datasets/stats"
	"selfplay/engine/nnue/nets"
)

// fact is a row of a table: a name and the value of each dataset.
type fact struct {
	Name    string
	Values  []string
	Differs bool
}

// facts collects the facts of all datasets. A dataset without a fact has an empty value.
func (r *Report) facts(of func(*Dataset) []fact) (list []fact) {
	for i := range r.Datasets {
		for _, f := range of(&r.Datasets[i]) {
			at := slices.IndexFunc(list, func(listed fact) bool { return listed.Name == f.Name })
			if at < 0 {
				at = len(list)
				list = append(list, fact{Name: f.Name, Values: make([]string, len(r.Datasets))})
			}
			list[at].Values[i] = f.Values[0]
		}
	}
	for i := range list {
		v := list[i].Values
		list[i].Differs = v[0] != v[len(v)-1]
	}
	return list
}

// newFact returns a fact about one dataset.
func newFact(name, format string, args ...any) fact {
	return fact{Name: name, Values: []string{fmt.Sprintf(format, args...)}}
}

// head returns the facts about the dataset itself.
func head(d *Dataset) []fact {
	p, info := d.Plan, d.Info
	list := []fact{
		newFact("players", "%s", players(d)),
		newFact("seed", "%d", p.Seed),
		newFact("games", "%s", human.Number(info.Games)),
		newFact("rows", "%s", human.Number(info.Rows)),
		newFact("size", "%s, %s per row of positions", human.Size(float64(info.Bytes)), perRow(info.BytesPerRow())),
	}
	if info.Target != info.Games {
		list = append(list, newFact("target", "%s games", human.Number(info.Target)))
	}
	for _, s := range info.Splits {
		list = append(list, newFact(s.Split, "%s, %s, %s", human.Count(s.Rows, "row"), human.Count(s.Games, "game"), human.Count(s.Shards, "shard")))
	}
	for _, f := range info.Dropped {
		list = append(list, newFact("dropped by "+f.Filter, "%s", human.Count(f.Rows, "row")))
	}
	if p.Variant != "" {
		list = append(list, newFact("variant", "%s", p.Variant))
	}
	if len(p.Play) > 0 {
		list = append(list, newFact("play", "%s", nets.Shown(strings.Join(p.Play, ", "))))
	}
	list = append(list,
		newFact("ply limit", "%s", human.Number(p.MaxPlies)),
		newFact("board", "%s, %s", p.Layout, p.BoardType),
		newFact("files", "%s, %s", p.Format, p.Codec),
		newFact("versions", "rules %d, layout %d, actions %d, writer %d", p.Rules, p.LayoutVersion, p.Actions, p.Writer),
		newFact("plan", "%s", info.PlanHash),
	)
	for _, a := range [][2]string{{"title", d.About.Title}, {"creator", d.About.Creator}, {"licence", d.About.Licence}} {
		if a[1] != "" {
			list = append(list, newFact(a[0], "%s", a[1]))
		}
	}
	return list
}

// players returns the players with their versions.
func players(d *Dataset) string {
	var texts [2]string
	for i, p := range d.Plan.Players {
		texts[i] = nets.Shown(p.Spec)
		if p.Version > 0 {
			texts[i] += fmt.Sprintf(" (version %d)", p.Version)
		}
	}
	if texts[0] == texts[1] {
		return texts[0] + ", both sides"
	}
	return texts[0] + " against " + texts[1]
}

// gameFacts returns the facts about the games.
func gameFacts(d *Dataset) []fact {
	s := d.Stats
	l := s.Lengths
	list := []fact{
		newFact("games", "%s, %s", human.Number(s.Games), human.Count(s.Plies, "ply")),
		newFact("decisive games", "%s", human.Percent(s.Decisive)),
		newFact("plies per game", "mean %s, %d to %d, median %d, 90th percentile %d", decimal(l.Mean), l.Least, l.Most, l.Median, l.P90),
		newFact("moves", "%s random, %s the best, %s another", human.Percent(s.Choices.Random), human.Percent(s.Choices.Best), human.Percent(s.Choices.Other)),
		newFact("distinct positions", "%s%s, %s of the plies", about(s.Positions.Estimated), human.Number(s.Positions.Distinct), human.Percent(s.Positions.Share)),
	}
	if o := d.Overlap; o != nil {
		list = append(list,
			newFact("compared rows", "%s, with %s", human.Count(o.Rows, "row"), human.Count(o.Distinct, "position")),
			newFact("duplicates", "%s of the rows repeat the position of an earlier row", human.Percent(o.Duplicates)))
	}
	if d.rows(plan.Validation) > 0 {
		list = append(list, newFact("leakage", "%s", leakageText(d)))
	}
	return list
}

func leakageText(d *Dataset) string {
	r := leakage(d)
	switch {
	case r.missing != "":
		return "not measured: " + r.missing
	case d.Overlap != nil:
		return fmt.Sprintf("%s of %s validation rows have a position of the train split", human.Number(d.Overlap.Leaked), human.Number(r.of))
	}
	return fmt.Sprintf("%s of the validation plies have a position of the train split", human.Percent(r.value))
}

// openingFacts returns the facts about the variety of openings.
func openingFacts(d *Dataset) (list []fact) {
	for _, o := range d.Stats.Openings {
		list = append(list, newFact(fmt.Sprintf("after %d plies", o.Plies), "%s, %s bits, the most common in %s of the games",
			human.Count(o.Lines, "line"), decimal(o.Entropy), human.Percent(o.Common)))
	}
	return list
}

// moveFacts returns the facts about moves.
func moveFacts(d *Dataset) []fact {
	a := d.Stats.Actions
	list := []fact{newFact("actions that occur", "%s of %s, %s", human.Number(a.Seen), human.Number(a.Possible), human.Percent(share(uint64(a.Seen), uint64(a.Possible))))}
	if l := d.Stats.Legal; l != nil {
		list = append(list, newFact("legal moves", "mean %s, %d to %d, median %d, 90th percentile %d", decimal(l.Mean), l.Least, l.Most, l.Median, l.P90))
	}
	return list
}

// searchFacts returns the facts about searches.
func searchFacts(d *Dataset) (list []fact) {
	if s := d.Stats.Scores; s != nil {
		list = append(list,
			newFact("searched", "%s, %s of all", human.Count(s.Plies, "ply"), human.Percent(d.Stats.Choices.Searched)),
			newFact("proven ends", "%s, %s of the searched plies", human.Number(s.Proven), human.Percent(share(s.Proven, s.Plies))),
			newFact("plies with a result", "%s, from games that were not cut off", human.Number(s.Judged)),
			newFact("AUC", "%.3f: probability that the winner has the higher score", s.AUC),
			newFact("log loss", "%s, %.4f without scores", modelLoss(s), s.ConstantLoss))
	}
	if p := d.Stats.Policy; p != nil {
		list = append(list, newFact("policies", "%s, with %s moves and %.2f bits on average", human.Number(p.Plies), decimal(p.Moves), p.Entropy))
	}
	return list
}

func modelLoss(s *stats.Scores) string {
	if s.Model == nil {
		return "the files have no model"
	}
	return fmt.Sprintf("%.4f by the model", s.Loss)
}

func about(estimated bool) string {
	if estimated {
		return "about "
	}
	return ""
}

// decimal formats a number with one decimal.
func decimal(v float64) string { return strconv.FormatFloat(v, 'f', 1, 64) }

// perRow formats bytes per row, which are 0 without rows.
func perRow(bytes float64) string {
	if bytes == 0 {
		return "-"
	}
	return decimal(bytes) + " B"
}
