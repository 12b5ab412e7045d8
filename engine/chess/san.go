package chess

import (
	"fmt"
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

// sanPattern is what a text in algebraic notation says about a move. Fields that it leaves
// open are -1, the kind 0.
type sanPattern struct {
	kind       uint8 // of the moving piece; 0 if the text has no letter and names both squares
	promotion  uint8 // kind, 0 for none
	castle     int8  // 0 none, 1 king side, 2 queen side
	file, rank int8  // of the square that the piece leaves, as in cell&7 and cell>>3
	to         int8  // cell
}

// ParseSAN parses a legal move in standard algebraic notation. It also reads what other
// programs write: marks (!, ?, e.p.) and missing marks of check, capture and promotion
// (exd8Q), castling with zeros, the letter P of a pawn, more of the first square than needed,
// and the long form with both squares (Ng1-f3, e2e4).
func (p *Position) ParseSAN(text string) (engine.Move, error) {
	want, ok := parseSAN(text)
	if !ok {
		return 0, fmt.Errorf("parse move %q: no algebraic notation such as e4, Nxd5, e8=Q or O-O", text)
	}
	p.list = p.Moves(p.list[:0])
	found, matches := engine.Move(0), 0
	for _, m := range p.list {
		if want.fits(m) && !(p.chess960 && want.kind == king && m&specialBits == castle) { // Kh1 is a step
			found = m
			matches++
		}
	}
	switch matches {
	case 0:
		return 0, fmt.Errorf("parse move %q: not a legal move here", text)
	case 1:
		return found, nil
	}
	return 0, fmt.Errorf("parse move %q: it fits %d legal moves: want the file or rank of the first square", text, matches)
}

// fits reports whether the pattern describes a legal move.
func (s *sanPattern) fits(m engine.Move) bool {
	from, to := cellOf(fromOf(m)), cellOf(toOf(m))
	switch {
	case s.castle == 1:
		return m&specialBits == castle && to > from
	case s.castle == 2:
		return m&specialBits == castle && to < from
	}
	return to == int(s.to) && promotionOf(m) == s.promotion &&
		(s.kind == 0 || s.kind == pieceOf(m)&kindBits) &&
		(s.file < 0 || int(s.file) == from&7) && (s.rank < 0 || int(s.rank) == from>>3)
}

// parseSAN parses a text without a position.
func parseSAN(text string) (s sanPattern, ok bool) {
	text = strings.TrimRight(text, "+#!?")
	text = strings.TrimSuffix(strings.TrimSuffix(text, "e.p."), "ep")
	switch text {
	case "O-O", "0-0", "o-o":
		return sanPattern{castle: 1}, true
	case "O-O-O", "0-0-0", "o-o-o":
		return sanPattern{castle: 2}, true
	}
	s = sanPattern{file: -1, rank: -1}
	text, ok = s.cutPromotion(text)
	if !ok || text == "" {
		return s, false
	}
	letter := strings.IndexByte("?PNBRQK", text[0])
	if letter > 0 {
		s.kind, text = uint8(letter), text[1:]
	}
	if len(text) < 2 {
		return s, false
	}
	to, err := parseCell(text[len(text)-2:])
	s.to = int8(to)
	return s, err == nil && s.readOrigin(text[:len(text)-2], letter > 0)
}

// cutPromotion reads and removes the kind that a pawn becomes: =Q, (Q), /Q, Q or q.
func (s *sanPattern) cutPromotion(text string) (rest string, ok bool) {
	text = strings.TrimSuffix(text, ")")
	n := len(text)
	if n < 3 {
		return text, true
	}
	last := text[n-1] | 0x20 // lower case
	kind := strings.IndexByte(kindLetters, last)
	if kind < knight || kind > queen {
		return text, last >= '0' && last <= '9'
	}
	s.promotion = uint8(kind)
	return strings.TrimRight(text[:n-1], "=/("), true
}

// readOrigin reads what stands between the letter of a piece and its target: nothing, a file,
// a rank or both, and the mark of a capture or of a move.
func (s *sanPattern) readOrigin(text string, hasLetter bool) bool {
	if n := len(text); n > 0 && strings.IndexByte("x-:", text[n-1]) >= 0 {
		text = text[:n-1]
	}
	if text != "" && text[0] >= 'a' && text[0] <= 'h' {
		s.file, text = int8(text[0]-'a'), text[1:]
	}
	if text != "" && text[0] >= '1' && text[0] <= '8' {
		s.rank, text = int8('8'-text[0]), text[1:]
	}
	if !hasLetter && (s.file < 0 || s.rank < 0) {
		s.kind = pawn
	}
	return text == ""
}
