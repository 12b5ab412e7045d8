package chess

import (
	"strings"

	"selfplay/engine"
)

// SAN returns a legal move in standard algebraic notation: Nbd7, exd6, e8=Q+, O-O#.
func (p *Position) SAN(m engine.Move) string {
	text := p.unmarkedSAN(m)
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

// unmarkedSAN is SAN without the mark of check or checkmate.
func (p *Position) unmarkedSAN(m engine.Move) string {
	s := Unpack(m)
	from, to := cellName(int(s.From)), cellName(int(s.To))
	kind := p.board[fromOf(m)] & kindBits
	capture := ""
	if p.board[toOf(m)] != empty || m&specialBits == passant {
		capture = "x"
	}
	switch {
	case m&specialBits == castle && s.To > s.From:
		return "O-O"
	case m&specialBits == castle:
		return "O-O-O"
	case kind != pawn:
		return kindLetter(kind) + p.disambiguation(m) + capture + to
	case capture != "":
		capture = from[:1] + capture
	}
	if s.Promotion != 0 {
		to += "=" + kindLetter(s.Promotion)
	}
	return capture + to
}

// kindLetter returns the upper-case letter of a kind.
func kindLetter(kind uint8) string { return strings.ToUpper(kindLetters[kind : kind+1]) }

// disambiguation returns the file, else the rank, else both of the moving piece, as
// far as needed to tell it from other pieces of its kind that can legally move to the
// same square.
func (p *Position) disambiguation(m engine.Move) string {
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
