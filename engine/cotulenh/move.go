package cotulenh

import (
	"fmt"
	"strings"

	"selfplay/engine"
)

// The wire form of a step: what moves, in upper case with + before a hero, the
// square it leaves, marks for what it does, the square it goes to. Marks, in this
// order: > deploy, then _ stay, x capture, @ suicide or & join. Tc3>xd3, (NF)a3b3.

const commitText = "commit"

var effectMarks = [...]string{normal: "", capture: "x", stay: "_", suicide: "@", join: "&"}

// FormatMove writes a legal step.
func (p *Position) FormatMove(m engine.Move) string {
	if m == commit {
		return commitText
	}
	from, to := fromOf(m), toOf(m)
	s, mark := p.cells[from], ""
	if what := whatOf(m); what >= deploy {
		s, mark = kept[s&511][1<<(what-deploy)&7], ">"
	}
	return strings.ToUpper(s.String()) + Square(from).String() + mark + effectMarks[effectOf(m)] + Square(to).String()
}

// ParseMove reads the wire form of a legal step.
func (p *Position) ParseMove(text string) (engine.Move, error) {
	list := p.Moves(p.list[:0])
	p.list = list
	for _, m := range list {
		if p.FormatMove(m) == text {
			return m, nil
		}
	}
	return 0, fmt.Errorf("parse move %q: no such step is legal here", text)
}

// Step is a move taken apart, for numbering.
type Step struct {
	From, To Square
	What     uint8 // 0 whole stack, 1 whole stack that captures and stays, 2+k slot k leaves the stack
	Commit   bool  // ends a deployment; nothing else is set
}

// Unpack takes a move apart. It needs no position.
func Unpack(m engine.Move) Step {
	if m == commit {
		return Step{Commit: true}
	}
	return Step{From: Square(fromOf(m)), To: Square(toOf(m)), What: whatOf(m)}
}

// Pack is the inverse of Unpack for a step that the position allows: what it does
// there follows from the board. A step that makes no sense here is an error; an
// illegal one may not be.
func (p *Position) Pack(s Step) (engine.Move, error) {
	if s.Commit {
		if !p.session.open() {
			return 0, fmt.Errorf("pack step: no deployment is open to commit")
		}
		return commit, nil
	}
	from, to := uint8(s.From), uint8(s.To)
	in, target := &infos[p.cells[from]&511], &infos[p.cells[to]&511]
	l := lineFrom(s.From, s.To)
	if in.side != p.turn || target.side == sideDead || l.n == 0 || s.What >= deploy && s.What-deploy >= in.size {
		return 0, fmt.Errorf("pack step: nothing can go from %v to %v like that", s.From, s.To)
	}
	slot := uint8(0)
	if s.What >= deploy {
		slot = s.What - deploy
	}
	what := engine.Move(s.What)
	switch {
	case target.side == sideNone:
		return newStep(from, to, what, normal), nil
	case target.side == p.turn:
		return newStep(from, to, what, join), nil
	case s.What == wholeStay:
		return newStep(from, to, what, stay), nil
	case in.kinds[slot%3] == airKind && p.zones[p.turn^1].fly(from, l.dir, int(l.n)) != safe:
		return newStep(from, to, what, suicide), nil
	case !fits[in.kinds[slot%3]>>1&15][to]:
		return newStep(from, to, what, stay), nil
	}
	return newStep(from, to, what, capture), nil
}

// line is a direction and a number of steps.
type line struct{ dir, n uint8 }

// lineFrom returns how to walk from a to b on one of the eight rays, n == 0 if
// they share none.
func lineFrom(a, b Square) line {
	dr, df := b.Rank()-a.Rank(), b.File()-a.File()
	n := max(dr, -dr, df, -df)
	if n == 0 || dr != 0 && df != 0 && dr != df && dr != -df {
		return line{}
	}
	return line{uint8(dr/n*16 + df/n), uint8(n)}
}
