package uci

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"selfplay/engine"
	"selfplay/workers"
)

// limits are the arguments of the command go.
type limits struct {
	values map[string]int64 // by name; a clock may be negative
	moves  []string         // of searchmoves
	others []string         // arguments that have no effect
	hold   bool             // infinite or ponder: the result waits for stop or ponderhit
}

// numbered are the arguments of go that a number follows.
var numbered = []string{"depth", "nodes", "movetime", "wtime", "btime", "winc", "binc", "movestogo"}

// parseLimits parses the arguments of go. It never fails: GUIs send what they like.
func parseLimits(args []string) limits {
	l := limits{values: map[string]int64{}}
	moves := false // these are the moves of searchmoves
	for i := 0; i < len(args); i++ {
		name := args[i]
		switch numeric := slices.Contains(numbered, name); {
		case name == "infinite" || name == "ponder":
			l.hold = true
		case name == "searchmoves":
			moves = true
			continue
		case name == "mate" && i+1 < len(args):
			i++
			l.others = append(l.others, name)
		case numeric && i+1 < len(args):
			i++
			if n, err := strconv.ParseInt(args[i], 10, 64); err == nil && (n >= 0 || strings.HasSuffix(name, "time")) {
				l.values[name] = n
			} else {
				l.others = append(l.others, name)
			}
		case moves && !numeric:
			l.moves = append(l.moves, name)
			continue
		default:
			l.others = append(l.others, name)
		}
		moves = false
	}
	return l
}

const (
	reserve = 30 * time.Millisecond // of a clock or of movetime, for the way of the answer
	horizon = 25                    // moves that a clock without movestogo has to last for
)

// time returns how long the side to move may think, and false without a clock and without movetime.
func (l *limits) time(side engine.Side) (time.Duration, bool) {
	ms := func(name string) time.Duration {
		const day = 24 * 60 * 60 * 1000
		return time.Duration(min(l.values[name], day)) * time.Millisecond
	}
	if _, given := l.values["movetime"]; given {
		return max(ms("movetime")-reserve, time.Millisecond), true
	}
	clock, inc := "wtime", "winc"
	if side == engine.Second {
		clock, inc = "btime", "binc"
	}
	if _, given := l.values[clock]; !given {
		return 0, false
	}
	left := ms(clock) - reserve
	moves := time.Duration(horizon)
	if n, given := l.values["movestogo"]; given {
		moves = time.Duration(min(max(n, 1), horizon))
	}
	return max(min(left/moves+3*ms(inc)/4, left/2), time.Millisecond), true
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
			taken = append(taken, fmt.Sprintf("%s=%d", limit, min(uint64(value), most)))
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
		taken = append(taken, fmt.Sprintf("hard=%d", min(uint64(nodes), most)))
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
