package cotulenh

import (
	"errors"
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
// there follows from the board. A step that makes no sense here is an error; one
// that only breaks a rule of range or legality may not be.
func (p *Position) Pack(s Step) (engine.Move, error) {
	if s.Commit {
		if !p.session.open() {
			return 0, errors.New("pack step: no deployment is open to commit")
		}
		return commit, nil
	}
	from, to := uint8(s.From), uint8(s.To)
	stack := p.cells[from]
	in, target := &infos[stack&511], &infos[p.cells[to]&511]
	slot, moved := uint8(0), stack
	if s.What >= deploy {
		slot = s.What - deploy
		moved = kept[stack&511][1<<(slot&3)&7]
	}
	l := lineFrom(s.From, s.To)
	if in.side != p.turn || target.side == sideDead || l.n == 0 || slot >= in.size || !p.mayDeploy(from, s.What) ||
		s.What == wholeStay && target.side != p.turn^1 {
		return 0, fmt.Errorf("pack step: nothing can go from %v to %v like that", s.From, s.To)
	}
	e := normal
	switch target.side {
	case sideNone:
	case p.turn:
		if e = join; combine(moved, p.cells[to]) == Empty {
			return 0, fmt.Errorf("pack step: what goes from %v to %v cannot stand there", s.From, s.To)
		}
	default:
		e = p.captureEffect(s, in.kinds[slot&3], l)
	}
	return newStep(from, to, engine.Move(s.What), e), nil
}

// mayDeploy reports whether a step of this kind may come from a square now: in an
// open session only what remains of its stack, outside only true stacks.
func (p *Position) mayDeploy(from, what uint8) bool {
	if p.session.open() {
		return from == p.session.origin && what >= deploy && p.session.rest>>(what-deploy)&1 == 1
	}
	return what < deploy || infos[p.cells[from]&511].size > 1
}

// captureEffect returns how a mover captures what stands on s.To.
func (p *Position) captureEffect(s Step, kind uint8, l line) effect {
	switch {
	case s.What == wholeStay:
		return stay
	case kind == airKind && p.zones[p.turn&1^1].fly(uint8(s.From), l.dir, int(l.n)) != safe:
		return suicide
	case !fits[kind>>1&15][s.To]:
		return stay
	}
	return capture
}

// line is a direction and a number of steps.
type line struct{ dir, n uint8 }

// lineFrom returns how to walk from a to b on one of the eight rays, n == 0 if
// they share none.
func lineFrom(a, b Square) line {
	return lines[256+int(b)-int(a)]
}

// lines is lineFrom by the difference of the squares.
var lines = func() (table [512]line) {
	for _, dir := range directions {
		for n := 1; n <= unlimited; n++ {
			if d := 256 + n*dir; d >= 0 && d < len(table) {
				table[d] = line{uint8(dir), uint8(n)}
			}
		}
	}
	return table
}()
