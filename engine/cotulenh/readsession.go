package cotulenh

import (
	"fmt"
	"strings"

	"selfplay/engine"
)

// openSession reads a session field for the board as arranged. The published engine
// writes O:STAY:STEPS, where the board is the one before the session and every step in
// STEPS contains >; those steps are replayed.
func (p *Position) openSession(text string) error {
	invalid := func(format string, args ...any) error {
		return fault(kindSession, "session", "session %q: "+format, append([]any{text}, args...)...)
	}
	parts := strings.Split(text, ":")
	if len(parts) != 3 {
		return invalid("want origin:members:squares")
	}
	origin, err := ParseSquare(parts[0])
	if err != nil {
		return invalid("origin %q is not a square", parts[0])
	}
	if s := p.cells[origin]; s == Empty || s.Side() != p.Turn() {
		return invalid("want a stack of the side to move on %v", origin)
	}
	if p.sides[p.turn&1].commander == NoSquare {
		return invalid("the side to move has no commander")
	}
	if strings.Contains(parts[2], ">") {
		if !p.replaySession(origin, parts[1], strings.TrimSuffix(parts[2], "...")) {
			return invalid("its steps are illegal or do not lead to an open session with the members %q", parts[1])
		}
		p.startHistory()
		return nil
	}
	p.session = noSession
	p.session.origin = uint8(origin)
	if !p.readRest(parts[1]) {
		return invalid("members %q are not part of the stack on %v", parts[1], origin)
	}
	if !p.readLanded(parts[2]) {
		return invalid("landing squares %q: want - or one or two squares with own stacks", parts[2])
	}
	if p.nothingDeployed() {
		return invalid("no member has deployed")
	}
	if !p.canContinue() {
		return invalid("no deploy step is legal, so the turn would have ended")
	}
	p.startHistory()
	return nil
}

// readRest sets the slots of the origin's stack that text names.
func (p *Position) readRest(text string) bool {
	s := p.cells[p.session.origin]
	for slots := uint8(1); slots < 1<<s.Size(); slots++ {
		p.session.rest = slots
		if p.restText() == text {
			return true
		}
	}
	return false
}

// readLanded sets the landing squares.
func (p *Position) readLanded(text string) bool {
	if text == "-" {
		return true
	}
	names := strings.Split(text, ",")
	if len(names) > len(p.session.landed) {
		return false
	}
	for i, name := range names {
		sq, err := ParseSquare(name)
		if err != nil || uint8(sq) == p.session.origin || i > 0 && uint8(sq) == p.session.landed[0] {
			return false
		}
		if s := p.cells[sq]; s == Empty || s.Side() != p.Turn() {
			return false
		}
		p.session.landed[i] = uint8(sq)
	}
	return true
}

// nothingDeployed reports that no deploy step can have been played. A whole stack that
// may still deploy is possible after a suicide, which resets the half-move clock.
func (p *Position) nothingDeployed() bool {
	all := 1<<p.cells[p.session.origin].Size() - 1
	return int(p.session.rest) == all && p.session.landed == noSession.landed && p.half != 0
}

// replaySession plays the steps of the published engine's session field. It reports
// whether all are legal and leave a session open with the members of rest.
func (p *Position) replaySession(origin Square, rest, steps string) bool {
	for _, text := range strings.Split(steps, ",") {
		i := strings.IndexByte(text, '>')
		if i < 0 {
			return false
		}
		m, err := p.ParseMove(text[:i] + origin.String() + text[i:])
		if err != nil {
			return false
		}
		p.Do(m)
	}
	return p.session.open() && p.restText() == rest
}

// ParseMove reads the text of a legal step.
func (p *Position) ParseMove(text string) (engine.Move, error) {
	list := p.Moves(p.moves[:0])
	p.moves = list
	for _, m := range list {
		if p.FormatMove(m) == text {
			return m, nil
		}
	}
	return 0, fmt.Errorf("parse move %q: not a legal step in this position", text)
}
