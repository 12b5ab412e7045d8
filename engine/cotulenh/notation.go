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
// placement: 12 ranks from rank 12 to rank 1, separated by /; a number for a run
// of empty squares; a letter for a piece, upper case red, + before a hero; a stack
// in parentheses, lead first. side: r or b. An open session is a seventh field
// O:REM:LANDED: the origin; the members still to deploy, as stack text in upper
// case; the squares where members landed, comma-joined, or -. The board is always
// the one that stands now, and in a session the half-move clock is already what
// commit will leave.

// StartText is the start of the game.
const StartText = "6c4/1n2fh1hf2/3a2s2a1/2n1gt1tg2/2ie2m2ei/11/11/2IE2M2EI/2N1GT1TG2/3A2S2A1/1N2FH1HF2/6C4 r - - 0 1"

// Kinds of faults in a position text, as the published engine names them. Session
// faults have a name of this program, for its session field is its own.
const (
	kindFormat      = "FEN_INVALID_FORMAT"
	kindRankCount   = "FEN_INVALID_RANK_COUNT"
	kindFileCount   = "FEN_INVALID_FILE_COUNT"
	kindPiece       = "FEN_INVALID_PIECE"
	kindParentheses = "FEN_MISMATCH_PARENTHESES"
	kindCombination = "COMBINATION_FAILED"
	kindTerrain     = "BOARD_INVALID_TERRAIN"
	kindCommander   = "COMMANDER_LIMIT_EXCEEDED"
	kindSession     = "FEN_INVALID_SESSION"
)

var sideLetters = [2]byte{'r', 'b'}

// String returns the canonical text.
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

// Put edits the position outside a session: what stands on a square becomes s.
// The history is forgotten. Nothing is promoted.
func (p *Position) Put(sq Square, s Stack) error {
	switch {
	case !sq.Valid():
		return fault(kindFormat, "structure", "put: square %d is not on the board", sq)
	case p.session.open():
		return fault(kindSession, "session", "put on %v: a session is open", sq)
	case s >= NumStacks:
		return fault(kindPiece, "lexical", "put on %v: no stack has the code %d", sq, s)
	}
	if s != Empty {
		if !CanStand(s.Lead(), sq) {
			return fault(kindTerrain, "terrain", "put %v on %v: its lead cannot stand there", s, sq)
		}
		other, exists := p.Commander(s.Side())
		if infos[s].commander != 0 && exists && other != sq {
			return fault(kindCommander, "semantic", "put %v on %v: that side has a commander on %v", s, sq, other)
		}
	}
	p.set(uint8(sq), s)
	p.begin()
	return nil
}

// Reset goes back to the start of the game.
func (p *Position) Reset() { p.copyFrom(startPosition) }

// Set makes the position the one that text describes.
func (p *Position) Set(text string) error {
	u, err := parse(text)
	if err != nil {
		return err
	}
	q := p
	if u.session != "" {
		// Only a position can tell whether its session is valid, and p must stay
		// as it was if it is not.
		q = new(Position)
	}
	q.arrange(u)
	if u.session != "" {
		if err := q.openSession(u); err != nil {
			return err
		}
		p.copyFrom(q)
	}
	return nil
}

// startPosition is the start, for Set to copy.
var startPosition = func() *Position {
	u, err := parse(StartText)
	if err != nil {
		panic(err)
	}
	p := new(Position)
	p.arrange(u)
	return p
}()

// arrange sets the position up as parsed, without a session.
func (p *Position) arrange(u *setup) {
	p.clear()
	for _, sq := range boardSquares {
		if s := u.cells[sq]; s != Empty {
			p.set(sq, s)
		}
	}
	p.turn, p.half, p.full = u.turn, u.half, u.full
	p.begin()
}

// copyFrom makes p the position q, which has no past, and keeps p's memory.
func (p *Position) copyFrom(q *Position) {
	log, past, turns, scratch := p.log[:0], p.past[:0], append(p.turns[:0], q.turns...), p.scratch
	*p = *q
	p.log, p.past, p.turns, p.scratch = log, past, turns, scratch
}

var _ engine.Position = (*Position)(nil)
