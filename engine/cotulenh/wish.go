package cotulenh

import (
	"fmt"
	"slices"
	"strings"

	"selfplay/engine"
)

// This file reads wishes: the squares, the piece and the way of a step that a player would like to
// make. obstacle.go says why such a step is not legal.

var _ interface {
	engine.EndReader
	engine.Arbiter
	engine.Guarded
} = (*Position)(nil)

// waysOf are the ways of the effects.
var waysOf = [...]engine.Way{Normal: engine.Quiet, Capture: engine.Capture, Stay: engine.Stay, Suicide: engine.Suicide, Join: engine.Join}

// Wish returns a legal step as a wish.
func (p *Position) Wish(m engine.Move) engine.Wish {
	if m == Commit {
		return engine.Wish{Way: engine.EndTurn}
	}
	w := engine.Wish{From: Square(fromOf(m)).String(), To: Square(toOf(m)).String(), Way: waysOf[effectOf(m)]}
	s := p.cells[fromOf(m)]
	if moverOf(m) >= Deploy && s.HasCargo() {
		w.Piece = s.member(moverOf(m) - Deploy).Lead().upper()
	}
	return w
}

// upper returns the upper-case letter of the type.
func (t Type) upper() string { return strings.ToUpper(string(t.Letter())) }

// Zones returns the air defense of a side.
func (p *Position) Zones(side engine.Side) (list []engine.Zone) {
	for _, sq := range p.Pieces(side) {
		level := AirDefense(p.cells[sq])
		if level == 0 {
			continue
		}
		z := engine.Zone{Guard: sq.String()}
		for _, covered := range Zone(sq, level) {
			z.Squares = append(z.Squares, covered.String())
		}
		list = append(list, z)
	}
	return list
}

// attempt is a wish whose squares and piece exist here.
type attempt struct {
	*Position
	line
	from, to uint8
	mover    uint8 // Whole or Deploy and a slot
	moved    Stack
	lead     Type
	heroic   bool
	way      engine.Way
	target   Stack
	owner    uint8 // side of the target, or sideNone
}

// obstacle returns an obstacle on a square, or on none for NoSquare.
func obstacle(why engine.Why, at uint8, format string, args ...any) engine.Obstacle {
	name := ""
	if at != NoSquare {
		name = Square(at).String()
	}
	return engine.NewObstacle(why, name, format, args...)
}

var sideNames = [2]string{"red", "blue"}

func sideName(side uint8) string { return sideNames[side&1] }

// pieceOn describes the stack on a square by its lead: blue's anti-air on f5.
func (p *Position) pieceOn(sq uint8) string {
	s := p.cells[sq]
	return fmt.Sprintf("%s's %s on %v", sideName(uint8(s.Side())), describe(s), Square(sq))
}

// describe describes a stack by its members: heroic navy with air force.
func describe(s Stack) string {
	text := ""
	for i, m := range s.Members() {
		text += [...]string{"", " with ", " and "}[i]
		if m.Heroic {
			text += "heroic "
		}
		text += m.Type.Name()
	}
	return text
}

// attempt finds the squares and the piece of a wish.
func (p *Position) attempt(w engine.Wish) (*attempt, engine.Obstacle) {
	from, errFrom := ParseSquare(w.From)
	to, errTo := ParseSquare(w.To)
	if errFrom != nil || errTo != nil {
		return nil, obstacle(engine.NoPiece, NoSquare, "A step goes from a cell of the board to another one.")
	}
	a := &attempt{Position: p, from: uint8(from), to: uint8(to), way: w.Way, line: alignment(from, to), target: p.cells[to]}
	a.owner = infos[a.target&511].side
	s := p.cells[from]
	switch {
	case p.session.open() && a.from != p.session.origin:
		return nil, obstacle(engine.NoPiece, p.session.origin, "The stack on %v deploys: only its pieces may go until the turn ends.", Square(p.session.origin))
	case s == Empty:
		return nil, obstacle(engine.NoPiece, a.from, "Nothing stands on %v.", from)
	case infos[s&511].side != p.turn:
		return nil, obstacle(engine.NoPiece, a.from, "%s is to move, and %v holds %s's %s.", sideName(p.turn), from, sideName(p.turn^1), describe(s))
	}
	o := a.choose(w.Piece, s)
	if o.Why != engine.NoObstacle {
		return nil, o
	}
	kind := infos[a.moved&511].kinds[0]
	a.lead, a.heroic = Type(kind>>1), kind&heroicBit != 0
	return a, engine.Obstacle{}
}

// alignment is lineBetween without the squares of other ranks that have the same difference.
func alignment(from, to Square) line {
	ranks, files := to.Rank()-from.Rank(), to.File()-from.File()
	if ranks != 0 && files != 0 && ranks != files && ranks != -files {
		return line{}
	}
	return lineBetween(from, to)
}

// choose chooses the mover of a stack by the letter of a wish.
func (a *attempt) choose(letter string, s Stack) engine.Obstacle {
	members, open := s.Members(), a.session.open()
	isWhole := !open && (letter == "" || len(members) == 1)
	if letter == "" && (len(members) == 1 || !open) {
		letter = members[0].Type.upper()
	}
	slot := slices.IndexFunc(members, func(m Member) bool { return m.Type.upper() == letter })
	switch {
	case slot < 0 && letter == "":
		return obstacle(engine.NoPiece, a.from, "The stack on %v deploys: its pieces go one by one.", Square(a.from))
	case slot < 0:
		return obstacle(engine.NoPiece, a.from, "The %s on %v has no such piece.", describe(s), Square(a.from))
	case open && a.session.rest>>slot&1 == 0:
		return obstacle(engine.NoPiece, a.from, "The %s on %v has captured in this turn: each piece goes once.", members[slot].Type.Name(), Square(a.from))
	case isWhole:
		a.mover = Whole
	default:
		a.mover = Deploy + uint8(slot)
	}
	a.moved = s.moving(a.mover)
	return engine.Obstacle{}
}

// subject names what moves.
func (a *attempt) subject() string {
	switch {
	case a.moved.HasCargo():
		return fmt.Sprintf("the stack of the %s", a.lead.Name())
	case a.heroic:
		return "the heroic " + a.lead.Name()
	}
	return "the " + a.lead.Name()
}

func (a *attempt) captures() bool { return a.owner == a.turn^1 }
func (a *attempt) joins() bool    { return a.owner == a.turn }

// square returns the n-th square on the way.
func (a *attempt) square(n uint8) uint8 { return a.from + n*a.dir }

// diagonal reports whether the way is diagonal.
func (l line) diagonal() bool { return relations[l.dir].diagonal != 0 }

// joinsLanded reports whether the member joins one that landed in this session, at any distance.
func (a *attempt) joinsLanded() bool {
	isLanded := a.session.open() && a.to != a.session.origin && (a.to == a.session.landed[0] || a.to == a.session.landed[1])
	if !isLanded || !a.joins() || a.way != engine.AnyWay && a.way != engine.Join {
		return false
	}
	sum := combine(a.moved, a.target)
	return sum != Empty && infos[sum&511].lead == infos[a.target&511].lead
}
