package enginetest

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"selfplay/engine"
)

// query returns what the name of a query asks.
func (r Rules) query(name string) Query {
	switch name {
	case "rejects": // the error of Set, such as "FEN_INVALID_PIECE lexical rank 5 column 2"
		return rejection
	case "leads": // to which position
		return func(p engine.Position, _ Case) any { return p.String() }
	case "moves": // the legal moves; of those that begin with "of" and end with a word of "to", the rest
		return func(p engine.Position, c Case) any {
			return MovesOf(p, c.Field("of"), strings.Fields(c.Field("to"))...)
		}
	case "legal": // whether "move" is legal
		return isLegal
	case "check":
		return func(p engine.Position, _ Case) any { return p.Check() }
	case "clocks": // what follows the board in the text of the position
		return func(p engine.Position, _ Case) any { _, rest, _ := strings.Cut(p.String(), " "); return rest }
	case "outcome": // such as "white checkmate", "draw fifty" and "ongoing"
		return func(p engine.Position, _ Case) any { return OutcomeText(r.Game, p.Outcome()) }
	case "better": // whether the score is higher than that of "worse"
		return r.isBetter
	case "gain": // whether that of "move" is from "least" to "most"
		return gain
	case "turns": // how many moves begin a turn, and in how many positions it can end
		return turns
	case "canonical": // whether "move" continues its turn in canonical order
		return isCanonical
	}
	return r.Queries[name]
}

// MovesOf returns the legal moves that begin with a text and end with one of the given texts,
// or with anything if there are none. It cuts the beginning. "e1" does not begin "e12".
func MovesOf(p engine.Position, of string, to ...string) (list []string) {
	for _, move := range moveTexts(p) {
		rest, found := strings.CutPrefix(move, of)
		if !found || of != "" && rest[0] >= '0' && rest[0] <= '9' {
			continue
		}
		if len(to) == 0 || slices.ContainsFunc(to, func(end string) bool { return strings.HasSuffix(rest, end) }) {
			list = append(list, rest)
		}
	}
	return list
}

// OutcomeText returns the winner, or draw, and the reason.
func OutcomeText(g engine.Game, o engine.Outcome) string {
	switch o.Result {
	case engine.FirstWins:
		return g.Sides[engine.First] + " " + o.Reason.String()
	case engine.SecondWins:
		return g.Sides[engine.Second] + " " + o.Reason.String()
	case engine.Draw:
		return "draw " + o.Reason.String()
	default:
		return "ongoing"
	}
}

// isLegal reports whether Moves lists a move. ParseMove must agree.
func isLegal(p engine.Position, c Case) any {
	listed := slices.Contains(moveTexts(p), c.Field("move"))
	if _, err := c.Move(p); (err == nil) != listed {
		return fmt.Errorf("listed: %t, but ParseMove returns %v", listed, err)
	}
	return listed
}

func (r Rules) isBetter(p engine.Position, c Case) any {
	worse := r.Game.New("").(engine.Evaluator)
	if err := worse.Set(c.Field("worse")); err != nil {
		return err
	}
	return p.(engine.Evaluator).Evaluate() > worse.Evaluate()
}

func gain(p engine.Position, c Case) any {
	m, err := c.Move(p)
	least, err1 := strconv.Atoi(c.Field("least"))
	most, err2 := strconv.Atoi(c.Field("most"))
	if err := errors.Join(err, err1, err2); err != nil {
		return err
	}
	if got := p.(engine.Evaluator).Gain(m); got < least || got > most {
		return fmt.Sprintf("gain %d", got)
	}
	return true
}

func isCanonical(p engine.Position, c Case) any {
	m, err := c.Move(p)
	if err != nil {
		return err
	}
	return p.(engine.Orderer).Canonical(m)
}

// rejection returns kind and category of the error with which a new position rejects the text,
// and rank and column if the error has them.
func rejection(p engine.Position, c Case) any {
	err := p.Set(c.Field("text"))
	if broken := checkTextError(err); broken != nil {
		return broken
	}
	var e *engine.TextError
	errors.As(err, &e)
	if e.Rank == 0 {
		return e.Kind + " " + e.Category
	}
	return fmt.Sprintf("%s %s rank %d column %d", e.Kind, e.Category, e.Rank, e.Column)
}

func turns(p engine.Position, _ Case) any {
	_, ends := TurnEnds(p, func(engine.Move) bool { return true })
	return fmt.Sprintf("%d moves, %d ends", len(p.Moves(nil)), len(ends))
}

// TurnEnds plays all sequences of moves that end the turn, of those moves that keep accepts. It
// returns how many there are, and the texts of the positions in which they end.
func TurnEnds(p engine.Position, keep func(engine.Move) bool) (sequences int, ends map[string]bool) {
	side, ends := p.Turn(), map[string]bool{}
	var explore func()
	explore = func() {
		if p.Turn() != side {
			sequences++
			ends[p.String()] = true
			return
		}
		for _, m := range p.Moves(nil) {
			if keep(m) {
				p.Do(m)
				explore()
				p.Undo()
			}
		}
	}
	explore()
	return sequences, ends
}
