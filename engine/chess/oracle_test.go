package chess_test

import (
	"fmt"
	"strconv"
	"strings"
)

// The oracle is a second implementation of chess, slow and in the style of TSCP. It has
// two arrays of 64 cells and two maps to and from the mailbox, but no sets, no piece
// lists and no hash. It makes each move on a copy and tests whether the king is
// attacked. It shares no code with the package; oracle_compare_test.go compares the two.

const (
	oLight, oDark, oNone = 0, 1, 6

	oPawn, oKnight, oBishop, oRook, oQueen, oKing, oEmpty = 0, 1, 2, 3, 4, 5, 6
)

var (
	oMailbox = func() (m [120]int) {
		for i := range m {
			m[i] = -1
			if file, rank := i%10-1, i/10-2; file >= 0 && file < 8 && rank >= 0 && rank < 8 {
				m[i] = rank*8 + file
			}
		}
		return m
	}()
	oMailbox64 = func() (m [64]int) {
		for i, cell := range oMailbox {
			if cell >= 0 {
				m[cell] = i
			}
		}
		return m
	}()
	oSlide   = [6]bool{false, false, true, true, true, false}
	oOffsets = [6]int{0, 8, 4, 4, 8, 8}
	oOffset  = [6][8]int{
		{0, 0, 0, 0, 0, 0, 0, 0},
		{-21, -19, -12, -8, 8, 12, 19, 21},
		{-11, -9, 9, 11, 0, 0, 0, 0},
		{-10, -1, 1, 10, 0, 0, 0, 0},
		{-11, -10, -9, -1, 1, 9, 10, 11},
		{-11, -10, -9, -1, 1, 9, 10, 11},
	}
)

// oCorners are the cells where arriving or leaving loses a castling right.
var oCorners = []struct {
	cell   int
	letter string
}{{60, "K"}, {60, "Q"}, {63, "K"}, {56, "Q"}, {4, "k"}, {4, "q"}, {7, "k"}, {0, "q"}}

type oracle struct {
	color, piece [64]int
	side         int
	rights       string // letters of KQkq
	ep           int    // cell behind the pawn that has just made a double step, or -1
	half, full   int
}

type oMove struct{ from, to, promote int } // promote is 0 for none

func (m oMove) String() string {
	s := oName(m.from) + oName(m.to)
	if m.promote != 0 {
		s += string("pnbrq"[m.promote])
	}
	return s
}

func oName(cell int) string { return string("abcdefgh"[cell%8]) + string("87654321"[cell/8]) }

// oStep returns the cell that a mailbox step reaches, or -1 off the board.
func oStep(cell, step int) int { return oMailbox[oMailbox64[cell]+step] }

// attack reports whether a side attacks a cell.
func (o *oracle) attack(cell, by int) bool {
	for i := range 64 {
		if o.color[i] != by {
			continue
		}
		p := o.piece[i]
		if p == oPawn {
			ahead := -10 + 20*by
			if oStep(i, ahead-1) == cell || oStep(i, ahead+1) == cell {
				return true
			}
			continue
		}
		for j := range oOffsets[p] {
			for n := oStep(i, oOffset[p][j]); n != -1; n = oStep(n, oOffset[p][j]) {
				if n == cell {
					return true
				}
				if o.color[n] != oNone || !oSlide[p] {
					break
				}
			}
		}
	}
	return false
}

func (o *oracle) inCheck(side int) bool {
	for i := range 64 {
		if o.color[i] == side && o.piece[i] == oKing {
			return o.attack(i, side^1)
		}
	}
	panic("oracle: no king")
}

// gen lists the pseudo-legal moves. Castling moves are legal.
func (o *oracle) gen() (list []oMove) {
	for i := range 64 {
		if o.color[i] != o.side {
			continue
		}
		p := o.piece[i]
		if p == oPawn {
			list = o.genPawn(list, i)
			continue
		}
		for j := range oOffsets[p] {
			for n := oStep(i, oOffset[p][j]); n != -1; n = oStep(n, oOffset[p][j]) {
				if o.color[n] != oNone {
					if o.color[n] == o.side^1 {
						list = append(list, oMove{i, n, 0})
					}
					break
				}
				list = append(list, oMove{i, n, 0})
				if !oSlide[p] {
					break
				}
			}
		}
	}
	return o.genCastle(list)
}

func (o *oracle) genPawn(list []oMove, i int) []oMove {
	ahead := -10 + 20*o.side
	if n := oStep(i, ahead); n != -1 && o.color[n] == oNone {
		list = genPush(list, i, n)
		if i/8 == 6-5*o.side {
			if n = oStep(n, ahead); o.color[n] == oNone {
				list = append(list, oMove{i, n, 0})
			}
		}
	}
	for _, aside := range []int{-1, 1} {
		if n := oStep(i, ahead+aside); n != -1 && (o.color[n] == o.side^1 || n == o.ep) {
			list = genPush(list, i, n)
		}
	}
	return list
}

func genPush(list []oMove, from, to int) []oMove {
	if to/8 != 0 && to/8 != 7 {
		return append(list, oMove{from, to, 0})
	}
	for _, p := range []int{oKnight, oBishop, oRook, oQueen} {
		list = append(list, oMove{from, to, p})
	}
	return list
}

func (o *oracle) genCastle(list []oMove) []oMove {
	e := 60 - 56*o.side
	letters := []string{"KQ", "kq"}[o.side]
	free := func(cells ...int) bool {
		for _, c := range cells {
			if o.color[c] != oNone {
				return false
			}
		}
		return true
	}
	safe := func(cells ...int) bool {
		for _, c := range cells {
			if o.attack(c, o.side^1) {
				return false
			}
		}
		return true
	}
	if strings.Contains(o.rights, letters[:1]) && free(e+1, e+2) && safe(e, e+1, e+2) {
		list = append(list, oMove{e, e + 2, 0})
	}
	if strings.Contains(o.rights, letters[1:]) && free(e-1, e-2, e-3) && safe(e, e-1, e-2) {
		list = append(list, oMove{e, e - 2, 0})
	}
	return list
}

// make returns the position after a move, and whether the move leaves the king safe.
func (o *oracle) make(m oMove) (*oracle, bool) {
	q := *o
	p := o.piece[m.from]
	q.half++
	if p == oPawn || o.color[m.to] != oNone {
		q.half = 0
	}
	q.ep = -1
	q.lift(m.from)
	q.set(m.to, o.side, p)
	switch {
	case p == oPawn && m.to == o.ep:
		q.lift(m.to + 8 - 16*o.side)
	case p == oPawn && (m.to-m.from == 16 || m.to-m.from == -16):
		q.ep = (m.from + m.to) / 2
	case p == oKing && m.to-m.from == 2:
		q.lift(m.from + 3)
		q.set(m.from+1, o.side, oRook)
	case p == oKing && m.from-m.to == 2:
		q.lift(m.from - 4)
		q.set(m.from-1, o.side, oRook)
	}
	if m.promote != 0 {
		q.piece[m.to] = m.promote
	}
	for _, corner := range oCorners {
		if q.rights != "" && (m.from == corner.cell || m.to == corner.cell) {
			q.rights = strings.ReplaceAll(q.rights, corner.letter, "")
		}
	}
	q.full += o.side
	q.side ^= 1
	return &q, !q.inCheck(o.side)
}

func (o *oracle) lift(cell int)             { o.color[cell], o.piece[cell] = oNone, oEmpty }
func (o *oracle) set(cell, color, kind int) { o.color[cell], o.piece[cell] = color, kind }

// legal returns the legal moves and their successors.
func (o *oracle) legal() (list []oMove, after []*oracle) {
	for _, m := range o.gen() {
		if q, ok := o.make(m); ok {
			list, after = append(list, m), append(after, q)
		}
	}
	return list, after
}

func (o *oracle) perft(depth int) (nodes uint64) {
	if depth == 0 {
		return 1
	}
	_, after := o.legal()
	for _, q := range after {
		nodes += q.perft(depth - 1)
	}
	return nodes
}

// passantLegal reports whether an en passant capture is legal.
func (o *oracle) passantLegal() bool {
	list, _ := o.legal()
	for _, m := range list {
		if o.ep >= 0 && m.to == o.ep && o.piece[m.from] == oPawn {
			return true
		}
	}
	return false
}

// outcome returns result and reason, ignoring repetition.
func (o *oracle) outcome() string {
	list, _ := o.legal()
	switch {
	case len(list) == 0 && o.inCheck(o.side):
		return []string{"black checkmate", "white checkmate"}[o.side]
	case len(list) == 0:
		return "draw stalemate"
	case o.half >= 100:
		return "draw fifty"
	case o.insufficientMaterial():
		return "draw material"
	}
	return "ongoing"
}

func (o *oracle) insufficientMaterial() bool {
	minors, knights := 0, 0
	var colours [2]int
	for cell, p := range o.piece {
		switch p {
		case oPawn, oRook, oQueen:
			return false
		case oKnight:
			knights++
			minors++
		case oBishop:
			colours[(cell/8+cell%8)%2]++
			minors++
		}
	}
	return minors < 2 || knights == 0 && (colours[0] == 0 || colours[1] == 0)
}

// String returns FEN, with an en passant square only if a capture is legal.
func (o *oracle) String() string {
	var b strings.Builder
	for rank := range 8 {
		row := ""
		for cell := rank * 8; cell < rank*8+8; cell++ {
			switch letter := "pnbrqk1"[o.piece[cell]:][:1]; o.color[cell] {
			case oLight:
				row += strings.ToUpper(letter)
			default:
				row += letter
			}
		}
		for n := 8; n > 1; n-- {
			row = strings.ReplaceAll(row, strings.Repeat("1", n), strconv.Itoa(n))
		}
		b.WriteString(row)
		if rank < 7 {
			b.WriteByte('/')
		}
	}
	rights, ep := o.rights, "-"
	if rights == "" {
		rights = "-"
	}
	if o.passantLegal() {
		ep = oName(o.ep)
	}
	fmt.Fprintf(&b, " %s %s %s %d %d", "wb"[o.side:o.side+1], rights, ep, o.half, o.full)
	return b.String()
}

// oRead parses a valid FEN text.
func oRead(text string) *oracle {
	f := strings.Fields(text)
	o := &oracle{ep: -1, rights: strings.Trim(f[2], "-"), side: strings.Index("wb", f[1])}
	cell := 0
	for _, c := range strings.ReplaceAll(f[0], "/", "") {
		if c >= '1' && c <= '8' {
			for range c - '0' {
				o.lift(cell)
				cell++
			}
			continue
		}
		color := oDark
		if c < 'a' {
			color = oLight
		}
		o.set(cell, color, strings.IndexRune("pnbrqk", c|0x20))
		cell++
	}
	if f[3] != "-" {
		o.ep = int('8'-f[3][1])*8 + int(f[3][0]-'a')
	}
	o.half, _ = strconv.Atoi(f[4])
	o.full, _ = strconv.Atoi(f[5])
	return o
}
