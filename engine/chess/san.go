package chess

import (
	"strings"

	"selfplay/engine"
)

// SAN writes a legal move in standard algebraic notation: Nbd7, exd6, e8=Q+, O-O#.
func (p *Position) SAN(m engine.Move) string {
	text := p.plainSAN(m)
	p.Do(m)
	defer p.Undo()
	switch {
	case !p.Check():
		return text
	case p.canMove():
		return text + "+"
	}
	return text + "#"
}

// plainSAN is SAN without the mark of check or mate.
func (p *Position) plainSAN(m engine.Move) string {
	s := Unpack(m)
	from, to := cellName(int(s.From)), cellName(int(s.To))
	kind := p.board[fromOf(m)] & kindBits
	takes := ""
	if p.board[toOf(m)] != empty || m&whatBits == passant {
		takes = "x"
	}
	switch {
	case m&whatBits == castle && s.To > s.From:
		return "O-O"
	case m&whatBits == castle:
		return "O-O-O"
	case kind != pawn:
		return upper(kind) + p.distinguish(m) + takes + to
	case takes != "":
		takes = from[:1] + takes
	}
	if s.Promotion != 0 {
		to += "=" + upper(s.Promotion)
	}
	return takes + to
}

// upper returns the letter of a kind in upper case.
func upper(kind uint8) string { return strings.ToUpper(letters[kind : kind+1]) }

// distinguish returns what tells the piece of a move from others of its kind that
// may legally go to the same square: its file, else its rank, else both.
func (p *Position) distinguish(m engine.Move) string {
	from := Unpack(m).From
	others, onFile, onRank := false, false, false
	p.list = p.Moves(p.list[:0])
	for _, other := range p.list {
		if toOf(other) != toOf(m) || fromOf(other) == fromOf(m) || p.board[fromOf(other)] != p.board[fromOf(m)] {
			continue
		}
		o := Unpack(other).From
		others = true
		onFile = onFile || o&7 == from&7
		onRank = onRank || o>>3 == from>>3
	}
	name := cellName(int(from))
	switch {
	case !others:
		return ""
	case !onFile:
		return name[:1]
	case !onRank:
		return name[1:]
	}
	return name
}
