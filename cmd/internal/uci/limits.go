package uci

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"selfplay/workers"
)

// limits are the arguments of the command go.
type limits struct {
	values map[string]uint64 // depth and nodes
	others []string          // arguments that no player takes
	hold   bool              // infinite or ponder: the result waits for stop
}

// numbered are the arguments of go that a number follows.
var numbered = []string{"depth", "nodes", "movetime", "wtime", "btime", "winc", "binc", "movestogo", "mate"}

// parseLimits parses the arguments of go. It never fails: GUIs send what they like.
func parseLimits(args []string) limits {
	l := limits{values: map[string]uint64{}}
	for i := 0; i < len(args); i++ {
		switch name := args[i]; {
		case name == "infinite" || name == "ponder":
			l.hold = true
		case slices.Contains(numbered, name) && i+1 < len(args):
			i++
			if n, err := strconv.ParseUint(args[i], 10, 63); err == nil && (name == "depth" || name == "nodes") {
				l.values[name] = n
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
// and the names of the limits that it does not take. A limit above the largest that the player
// takes becomes that one. To UCI, nodes is a hard limit.
func (l *limits) apply(types []workers.PlayerTypeFacts, text string) (limited string, ignored []string) {
	ignored = slices.Clone(l.others)
	name, list, _ := strings.Cut(text, ":")
	var taken []string
	for _, limit := range []string{"depth", "nodes"} {
		value, given := l.values[limit]
		switch most, takes := largest(types, name, limit); {
		case given && takes:
			taken = append(taken, fmt.Sprintf("%s=%d", limit, min(value, most)))
		case given:
			ignored = append(ignored, limit)
		}
	}
	if taken == nil {
		return text, ignored
	}
	params := strings.Split(list, ",")
	nodes, given := l.values["nodes"]
	if most, takes := largest(types, name, "hard"); given && takes && !slices.Contains(params, "exact=true") {
		taken = append(taken, fmt.Sprintf("hard=%d", min(nodes, most)))
	}
	for _, p := range params {
		if p != "" && !strings.HasPrefix(p, "depth=") && !strings.HasPrefix(p, "nodes=") && !strings.HasPrefix(p, "hard=") {
			taken = append(taken, p)
		}
	}
	return name + ":" + strings.Join(taken, ","), ignored
}

// largest returns the largest value of a parameter, and whether the player type has it. A mixture
// has none.
func largest(types []workers.PlayerTypeFacts, player, param string) (most uint64, ok bool) {
	for _, t := range types {
		for _, p := range t.Params {
			if t.Name == player && p.Name == param {
				return uint64(p.Max), true
			}
		}
	}
	return 0, false
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
