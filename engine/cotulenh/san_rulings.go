package cotulenh

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"selfplay/engine"
)

// Games of the published engine may have turns that rulings forbid. The functions here name the ruling, so that readers
// of games can count them. That they find is likely, not proven: it depends on what that engine keeps from earlier turns.

// rulingAgainst returns the ruling against the text of a turn that fits no legal one, "" if it finds none.
func rulingAgainst(p State, t *sanTurn) string {
	q := new(Position)
	if q.Set(p.String()) != nil {
		return ""
	}
	var steps []engine.Move
	if q.session.open() {
		steps = q.sessionSteps(nil)
	} else {
		for _, sq := range q.sides[q.turn&1].squares[:q.sides[q.turn&1].n] {
			steps = q.pseudoLegalFrom(steps, sq, q.near(sq))
		}
	}
	fits := func(m engine.Move) bool { return t.beginsWith(q, m) }
	switch {
	case t.legalWithOtherMarks(q):
		return "H2"
	case !slices.ContainsFunc(steps, fits) && t.flies(q):
		return "H1"
	case !slices.ContainsFunc(steps, fits):
		return ""
	case !t.deployment:
		return "H1" // the commander is in danger only with other zones
	case t.joins():
		return "H3"
	}
	return "H6"
}

// beginsWith reports whether the first step of the text describes a step, marks apart.
func (t *sanTurn) beginsWith(p State, m engine.Move) bool {
	if m == Commit || len(t.steps) == 0 || t.deployment != (moverOf(m) >= Deploy) {
		return false
	}
	s, who := t.steps[0], membersOf(moved(p, m)).types
	if t.deployment && s.types&who == who {
		s.types = who // one of a recombination
	}
	s.heroes = 0
	return s.fitsAs(members{types: who}, effectOf(m), m)
}

// legalWithOtherMarks reports whether the turn would be legal if other members were heroic.
func (t *sanTurn) legalWithOtherMarks(p State) bool {
	types := t.stay.types
	for _, s := range t.steps {
		types |= s.types
	}
	for heroes := uint16(0); ; heroes = (heroes - types) & types { // all subsets
		other := sanTurn{stay: members{t.stay.types, heroes & t.stay.types}, deployment: t.deployment, open: t.open}
		for _, s := range t.steps {
			s.heroes = heroes & s.types
			other.steps = append(other.steps, s)
		}
		if len(other.turns(p)) > 0 {
			return true
		}
		if heroes == types {
			return false
		}
	}
}

// flies reports whether an air force could take the first step if air defense did not exist.
func (t *sanTurn) flies(p *Position) bool {
	if len(t.steps) == 0 {
		return false
	}
	s := t.steps[0]
	for _, from := range p.Pieces(p.Turn()) {
		stack := p.At(from)
		for slot := range uint8(stack.Size()) {
			kind, l := infos[stack].kinds[slot], lineBetween(from, s.to)
			leads := slot == 0 || t.deployment
			if Type(kind>>1) == AirForce && leads && s.types>>AirForce&1 == 1 && l.dist > 0 && l.dist <= uint8(reaches[AirForce].move)+kind&heroicBit {
				return true
			}
		}
	}
	return false
}

// joins reports whether a step joins members that landed before.
func (t *sanTurn) joins() bool {
	for i, s := range t.steps {
		again := func(o sanStep) bool { return o.to == s.to }
		if codeOf(0, s.types, 0) != Empty && s.types&(s.types-1) != 0 || slices.ContainsFunc(t.steps[:i], again) {
			return true
		}
	}
	return false
}

// EndsIn implements engine.EndReader.
func (p *Position) EndsIn(fen string, turn []engine.Move, text string) error {
	return EndsIn(p, fen, turn, text)
}

// EndsIn is Position.EndsIn for any engine, for the tag FEN of the published engine: the position after the last turn with
// the side and the counters before it, or the position before a deployment with a field O:STAY:STEPS. The half-move clock
// is not compared: see H7.
func EndsIn(p State, fen string, turn []engine.Move, text string) error {
	have, before := strings.Fields(fen), strings.Fields(p.String())
	if len(have) < 6 || have[1] != before[1] || have[5] != before[5] {
		return errEndsElsewhere
	}
	board, err := before[0], error(nil)
	if len(have) == 6 {
		board = boardAfter(p, turn)
	} else {
		err = isDeployment(have[6], Square(fromOf(turn[0])), text)
	}
	if err != nil {
		return err
	}
	unmarked := func(s string) string { return strings.ReplaceAll(s, "+", "") }
	switch {
	case have[0] == board:
		return nil
	case unmarked(have[0]) == unmarked(board):
		return &engine.RulingError{Ruling: "H2", Err: fmt.Errorf("the game ends with other heroic pieces: %s", board)}
	}
	return errEndsElsewhere
}

var errEndsElsewhere = errors.New("the game ends in another position")

// boardAfter returns the board after a turn.
func boardAfter(p State, turn []engine.Move) string {
	for _, m := range turn {
		p.Do(m)
	}
	board, _, _ := strings.Cut(p.String(), " ")
	for range turn {
		p.Undo()
	}
	return board
}

// isDeployment returns an error unless a field O:STAY:STEPS is the text of a deployment from a square.
func isDeployment(field string, from Square, text string) error {
	origin, rest, _ := strings.Cut(strings.TrimSuffix(field, "..."), ":")
	stay, steps, _ := strings.Cut(rest, ":")
	if stay != "" {
		stay += "<"
	}
	if origin != from.String() || stay+steps != text {
		return errEndsElsewhere
	}
	return nil
}
