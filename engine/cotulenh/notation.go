package cotulenh

import (
	"strconv"
	"strings"

	"selfplay/engine"
)

// A position text is
//
//	placement side - - half-move full-move [session]
//
// The placement lists the ranks 12 to 1, separated by /. A number stands for a run of
// empty squares, a letter for a piece: upper case for red, with + before a heroic one.
// A stack is in parentheses, lead first. The side is r or b.
//
// An open session is a seventh field O:REM:LANDED. O is the origin; REM is the stack
// of the members still to deploy, in upper case; LANDED lists the squares where
// members landed, separated by commas, or is -. The board is the current one, and the
// half-move clock has the value after commit.

// StartText is the text of the start of the game.
const StartText = "6c4/1n2fh1hf2/3a2s2a1/2n1gt1tg2/2ie2m2ei/11/11/2IE2M2EI/2N1GT1TG2/3A2S2A1/1N2FH1HF2/6C4 r - - 0 1"

var sideLetters = [2]byte{'r', 'b'}

// String returns the canonical text. It contains everything that legal steps depend
// on.
func (p *Position) String() string {
	b := make([]byte, 0, 160)
	for rank := range ranks {
		if rank > 0 {
			b = append(b, '/')
		}
		b = p.appendRank(b, rank)
	}
	b = append(b, ' ', sideLetters[p.turn&1])
	b = append(b, " - - "...)
	b = strconv.AppendUint(b, uint64(p.half), 10)
	b = append(b, ' ')
	b = strconv.AppendUint(b, uint64(p.full), 10)
	if p.session.open() {
		b = append(b, ' ')
		b = append(b, p.sessionText()...)
	}
	return string(b)
}

func (p *Position) appendRank(b []byte, rank int) []byte {
	empty := 0
	for file := range files {
		s := p.cells[squareAt(rank, file)]
		if s == Empty {
			empty++
			continue
		}
		if empty > 0 {
			b = strconv.AppendInt(b, int64(empty), 10)
			empty = 0
		}
		b = append(b, s.String()...)
	}
	if empty > 0 {
		b = strconv.AppendInt(b, int64(empty), 10)
	}
	return b
}

func (p *Position) sessionText() string {
	landed := "-"
	if list, n := p.Landed(); n > 0 {
		names := make([]string, n)
		for i := range n {
			names[i] = list[i].String()
		}
		landed = strings.Join(names, ",")
	}
	return Square(p.session.origin).String() + ":" + p.restText() + ":" + landed
}

// restText returns the members that may still deploy, in upper case.
func (p *Position) restText() string {
	s := p.cells[p.session.origin]
	return strings.ToUpper(kept[s&511][p.session.rest&7].String())
}

// The text of a step: the members that move, in upper case with + before a heroic
// one; the square that they leave; > for a deployment; the mark of the effect; the
// square that they go to. Examples: Ic5c6, Tc3>xd3, (NF)a3b3.

const commitText = "commit"

var effectMarks = [...]string{Normal: "", Capture: "x", Stay: "_", Suicide: "@", Join: "&"}

// FormatMove writes a legal step.
func (p *Position) FormatMove(m engine.Move) string { return FormatStep(m, p.cells[fromOf(m)]) }

// FormatStep writes a step that leaves from a square with the given stack.
func FormatStep(m engine.Move, from Stack) string {
	if m == Commit {
		return commitText
	}
	mover, mark := moverOf(m), ""
	if mover >= Deploy {
		mark = ">"
	}
	return strings.ToUpper(from.moving(mover).String()) + Square(fromOf(m)).String() + mark + effectMarks[effectOf(m)] + Square(toOf(m)).String()
}
