package report

import (
	"strconv"

	"selfplay/datasets/stats"
)

// tree is an opening tree with bars.
type tree struct {
	Start        string
	Games, Moves uint64
	Longest      float64 // share of the longest bar
	Next         []branch
}

// branch is a move with its most common continuations.
type branch struct {
	Move  string
	Games uint64
	Share float64 // of all games
	Bar   string  // width in percent of the longest bar
	Next  []branch
}

// trees returns the opening trees of each dataset.
func (r *Report) trees() (columns []column) {
	for i, d := range r.Datasets {
		c := column{Letter: r.letter(i)}
		for _, t := range d.Stats.Trees {
			c.Trees = append(c.Trees, newTree(t))
		}
		columns = append(columns, c)
	}
	return columns
}

func newTree(t stats.Tree) tree {
	longest := 0.0
	for _, b := range t.Next { // a continuation is at most as common as its first move
		longest = max(longest, b.Share)
	}
	return tree{t.Start, t.Games, t.Moves, longest, branches(t.Next, longest)}
}

func branches(list []stats.Branch, longest float64) (drawn []branch) {
	for _, b := range list {
		drawn = append(drawn, branch{b.Move, b.Games, b.Share, barWidth(b.Share, longest), branches(b.Next, longest)})
	}
	return drawn
}

// minBar is the width of the shortest bar, in percent: it must be visible.
const minBar = 2

// barWidth returns the width of a bar in percent of the longest.
func barWidth(share, longest float64) string {
	if share <= 0 {
		return "0"
	}
	return strconv.FormatFloat(max(minBar, 100*share/longest), 'f', 1, 64)
}
