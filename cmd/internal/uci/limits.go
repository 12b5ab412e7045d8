package uci

import (
	"slices"
	"strconv"
	"strings"

	"selfplay/engine"
	"selfplay/workers"
)

// limits are the arguments of the command go.
type limits struct {
	values map[string]string // depth and nodes
	others []string          // arguments that no player takes
	hold   bool              // infinite or ponder: the result waits for stop
}

// numbered are the arguments of go that a number follows.
var numbered = []string{"depth", "nodes", "movetime", "wtime", "btime", "winc", "binc", "movestogo", "mate"}

// parseLimits parses the arguments of go. It never fails: GUIs send what they like.
func parseLimits(args []string) limits {
	l := limits{values: map[string]string{}}
	for i := 0; i < len(args); i++ {
		switch name := args[i]; {
		case name == "infinite" || name == "ponder":
			l.hold = true
		case slices.Contains(numbered, name) && i+1 < len(args):
			i++
			if _, err := strconv.ParseUint(args[i], 10, 63); err == nil && (name == "depth" || name == "nodes") {
				l.values[name] = args[i]
			} else {
				l.others = append(l.others, name)
			}
		default:
			l.others = append(l.others, name)
			if name == "searchmoves" { // moves follow
				return l
			}
		}
	}
	return l
}

// apply returns the text of a player with the limits in place of its own depth and nodes,
// and the names of the limits that it does not take. To UCI, nodes is a hard limit.
func (l *limits) apply(g *engine.Game, text string) (limited string, ignored []string) {
	ignored = slices.Clone(l.others)
	name, list, _ := strings.Cut(text, ":")
	var taken []string
	for _, limit := range []string{"depth", "nodes"} {
		value, given := l.values[limit]
		switch {
		case given && takes(g, name, limit):
			taken = append(taken, limit+"="+value)
		case given:
			ignored = append(ignored, limit)
		}
	}
	if taken == nil {
		return text, ignored
	}
	params := strings.Split(list, ",")
	if nodes, given := l.values["nodes"]; given && takes(g, name, "hard") && !slices.Contains(params, "exact=true") {
		taken = append(taken, "hard="+nodes)
	}
	for _, p := range params {
		if p != "" && !strings.HasPrefix(p, "depth=") && !strings.HasPrefix(p, "nodes=") && !strings.HasPrefix(p, "hard=") {
			taken = append(taken, p)
		}
	}
	return name + ":" + strings.Join(taken, ","), ignored
}

// takes reports whether a player type has a parameter. A mixture has none.
func takes(g *engine.Game, player, param string) bool {
	return slices.ContainsFunc(workers.PlayerTypes(g), func(t workers.PlayerTypeFacts) bool {
		return t.Name == player && slices.ContainsFunc(t.Params, func(p workers.ParamFacts) bool { return p.Name == param })
	})
}

// depthOf returns the depth in a player text, "" if it has none.
func depthOf(text string) string {
	_, list, _ := strings.Cut(text, ":")
	for _, p := range strings.Split(list, ",") {
		if value, ok := strings.CutPrefix(p, "depth="); ok {
			return value
		}
	}
	return ""
}
