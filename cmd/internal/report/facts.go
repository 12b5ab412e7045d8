package report

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// fact is a row of a table: something, and what each dataset says of it.
type fact struct {
	Name    string
	Values  []string
	Differs bool
}

// facts makes rows of what is known of each dataset, leaving out those that none has.
func (r *Report) facts(of func(*Dataset) []fact) (list []fact) {
	for i := range r.Datasets {
		for _, f := range of(&r.Datasets[i]) {
			at := slices.IndexFunc(list, func(have fact) bool { return have.Name == f.Name })
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

// one is a fact of one dataset.
func one(name, format string, args ...any) fact {
	return fact{Name: name, Values: []string{fmt.Sprintf(format, args...)}}
}

// head tells what the dataset is.
func head(d *Dataset) []fact {
	p, info := d.Plan, d.Info
	list := []fact{
		one("players", "%s", players(d)),
		one("seed", "%d", p.Seed),
		one("games", "%s", count(info.Games)),
		one("rows", "%s", count(info.Rows)),
		one("size", "%s, %s a row", size(info.Bytes), perRow(info.Bytes, info.Rows)),
	}
	if info.Target != info.Games {
		list = append(list, one("games wanted", "%s", count(info.Target)))
	}
	for _, s := range info.Splits {
		list = append(list, one(s.Split, "%s rows, games: %s, shards: %s", count(s.Rows), count(s.Games), count(uint64(s.Shards))))
	}
	for _, f := range info.Dropped {
		list = append(list, one("left out by "+f.Filter, "%s rows", count(f.Rows)))
	}
	if p.Variant != "" {
		list = append(list, one("variant", "%s", p.Variant))
	}
	if len(p.Play) > 0 {
		list = append(list, one("play", "%s", strings.Join(p.Play, ", ")))
	}
	list = append(list,
		one("ply limit", "%s", count(uint64(p.MaxPlies))),
		one("board", "%s, %s", p.Layout, p.BoardType),
		one("files", "%s, %s", p.Format, p.Codec),
		one("versions", "rules %d, layout %d, actions %d, writer %d", p.Rules, p.LayoutVersion, p.Actions, p.Writer),
		one("plan", "%s", info.PlanHash),
	)
	for _, a := range [][2]string{{"title", d.About.Title}, {"creator", d.About.Creator}, {"licence", d.About.Licence}} {
		if a[1] != "" {
			list = append(list, one(a[0], "%s", a[1]))
		}
	}
	return list
}

// players writes who played, with the versions.
func players(d *Dataset) string {
	var texts [2]string
	for i, p := range d.Plan.Players {
		texts[i] = p.Spec
		if p.Version > 0 {
			texts[i] += fmt.Sprintf(" (version %d)", p.Version)
		}
	}
	if texts[0] == texts[1] {
		return texts[0] + ", both sides"
	}
	return texts[0] + " against " + texts[1]
}

// gameFacts tell what the games are like.
func gameFacts(d *Dataset) []fact {
	s := d.Stats
	l := s.Lengths
	list := []fact{
		one("games", "%s, %s plies", count(s.Games), count(s.Plies)),
		one("won by somebody", "%s", percent(s.Decisive)),
		one("plies a game", "%s on average, %d to %d, median %d, nine of ten at most %d", decimal(l.Mean), l.Least, l.Most, l.Median, l.P90),
		one("moves", "%s drawn at random, %s the best, %s another", percent(s.Choices.Drawn), percent(s.Choices.Best), percent(s.Choices.Other)),
		one("different positions", "%s%s, %s of the plies", about(s.Positions.Estimated), count(s.Positions.Distinct), percent(s.Positions.Share)),
	}
	if o := d.Overlap; o != nil {
		list = append(list,
			one("rows compared", "%s, with %s positions", count(o.Rows), count(o.Distinct)),
			one("duplicates", "%s of the rows show a position that an earlier row shows", percent(o.Duplicates)))
		if o.Validation > 0 {
			list = append(list, one("leakage", "%s of %s validation rows show a position of the train split", count(o.Leaked), count(o.Validation)))
		}
	} else if p := s.Positions; p.Validation > 0 {
		list = append(list, one("leakage", "%s of the plies of the validation split have a position of the train split", percent(p.Leakage)))
	}
	return list
}

// openingFacts tell how the games differ at their beginning.
func openingFacts(d *Dataset) (list []fact) {
	for _, o := range d.Stats.Openings {
		list = append(list, one(fmt.Sprintf("after %d plies", o.Plies), "%s lines, %s bits, the most common in %s of the games",
			count(o.Lines), decimal(o.Entropy), percent(o.Common)))
	}
	return list
}

// moveFacts tell how many moves there are.
func moveFacts(d *Dataset) []fact {
	a := d.Stats.Actions
	list := []fact{one("actions that occur", "%s of %s, %s", count(uint64(a.Seen)), count(uint64(a.Possible)), percent(share(uint64(a.Seen), uint64(a.Possible))))}
	if l := d.Stats.Legal; l != nil {
		list = append(list, one("legal moves", "%s on average, %d to %d, median %d, nine of ten at most %d", decimal(l.Mean), l.Least, l.Most, l.Median, l.P90))
	}
	return list
}

// searchFacts tell what was searched.
func searchFacts(d *Dataset) (list []fact) {
	if s := d.Stats.Scores; s != nil {
		list = append(list,
			one("searched", "%s plies, %s of all", count(s.Plies), percent(d.Stats.Choices.Searched)),
			one("proven ends", "%s, %s of these", count(s.Proven), percent(share(s.Proven, s.Plies))),
			one("judged by", "%s plies of games that have a result", count(s.Judged)),
			one("AUC", "%.3f: how often the winner's score is the better one", s.AUC),
			one("log loss", "%.4f by the model, %.4f without scores", s.Loss, s.ConstantLoss))
	}
	if p := d.Stats.Policy; p != nil {
		list = append(list, one("policies", "%s, of %s moves and %.2f bits on average", count(p.Plies), decimal(p.Moves), p.Entropy))
	}
	return list
}

func about(estimated bool) string {
	if estimated {
		return "about "
	}
	return ""
}

// percent writes a share with two digits or more, and says where it is not quite all
// or nothing.
func percent(v float64) string {
	p := 100 * v
	digits := 1
	switch {
	case p == math.Trunc(p):
		digits = 0
	case p < 1 || p > 99:
		digits = 2
	}
	switch {
	case v > 0 && p < 0.005:
		return "< 0.01 %"
	case v < 1 && p >= 99.995:
		return "> 99.99 %"
	}
	return strconv.FormatFloat(p, 'f', digits, 64) + " %"
}

// decimal writes a number with one digit after the point.
func decimal(v float64) string { return strconv.FormatFloat(v, 'f', 1, 64) }

// count writes a number with thousands apart.
func count(n uint64) string {
	s := strconv.FormatUint(n, 10)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// size writes bytes.
func size(n int64) string {
	v, names := float64(n), []string{"B", "kB", "MB", "GB", "TB"}
	i := 0
	for ; v >= 1000 && i < len(names)-1; i++ {
		v /= 1000
	}
	return fmt.Sprintf("%.*f %s", min(i, 1), v, names[i])
}

func perRow(bytes int64, rows uint64) string {
	if rows == 0 {
		return "-"
	}
	return decimal(float64(bytes)/float64(rows)) + " B"
}
