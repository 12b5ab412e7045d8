package chess

import (
	"slices"
	"strings"
	"testing"

	"selfplay/internal/must"
)

// The source of this package is the page "10x12 Board" of the Chess Programming Wiki:
// Sargon's board, the tables of TSCP, and a generator that walks offsets. Each table and
// each example of the page has a test here.

func TestSeed001(t *testing.T) {
	for _, s := range []struct {
		name string
		test func(*testing.T)
	}{
		{"Sargon board", document001Sargon},
		{"Sargon piece bits", document001SargonBits},
		{"mailbox[120]", document001Mailbox},
		{"mailbox64[64]", document001Mailbox64},
		{"a4 is 32, 61, 60, off the board", document001Example},
		{"offset[6][8], offsets[6], slide[6]", document001Offsets},
		{"two border ranks for knights", document001Knights},
		{"one border file for other steps", document001OneFile},
		{"TSCP piece and color", document001Arrays},
	} {
		t.Run(s.name, s.test)
	}
}

// sargonBoard is Sargon's board as printed; its first rank with pieces is White's. The
// 60 in the fifth rank is an error of the source: it sets two bits that the legend
// calls unused, on a square that is empty at the start.
const sargonBoard = `
FFFFFFFFFFFFFFFFFFFF
FFFFFFFFFFFFFFFFFFFF
FF0402030506030204FF
FF0101010101010101FF
FF0000000000000000FF
FF0000000000000000FF
FF0000000000000060FF
FF0000000000000000FF
FF8181818181818181FF
FF8482838586838284FF
FFFFFFFFFFFFFFFFFFFF
FFFFFFFFFFFFFFFFFFFF`

// sargonCells returns the bytes of sargonBoard.
func sargonCells() (cells []uint8) {
	for _, row := range strings.Fields(sargonBoard) {
		for i := 0; i < len(row); i += 2 {
			cells = append(cells, uint8(strings.IndexByte("0123456789ABCDEF", row[i])<<4|strings.IndexByte("0123456789ABCDEF", row[i+1])))
		}
	}
	return cells
}

// The board is the start of the game with rank 1 first. FF stands for the border.
func document001Sargon(t *testing.T) {
	cells, p, strayBits := sargonCells(), New(), 0
	if len(cells) != 120 {
		t.Fatalf("%d bytes, want 120", len(cells))
	}
	for i, c := range cells {
		if (c == 0xff) != (p.board[i] == wall) {
			t.Errorf("square %d: %02x in the source, code %d", i, c, p.board[i])
		}
		if c == 0xff {
			continue
		}
		if c&0x60 != 0 {
			strayBits++
			c &^= 0x60
		}
		want := uint8(empty)
		if c != 0 {
			want = colourOf(c>>7) | c&7
		}
		// Sargon's board starts at rank 1, so flip the ranks.
		cell := int(mailbox[i]) ^ 56
		if got := p.board[squareOf(cell)]; got != want {
			t.Errorf("%s: code %d, want %d as in the source", cellName(cell), got, want)
		}
	}
	if strayBits != 1 {
		t.Errorf("%d bytes with unused bits, want 1", strayBits)
	}
}

// Bits 0 to 2 are the kind, 1 pawn to 6 king, as in this package.
func document001SargonBits(t *testing.T) {
	want := []int{1: pawn, 2: knight, 3: bishop, 4: rook, 5: queen, 6: king}
	for code, kind := range want {
		if code != kind {
			t.Errorf("type %d has code %d", code, kind)
		}
	}
	if colourOf(0)&kindBits != 0 || colourOf(1)&kindBits != 0 || wall&kindBits != 0 {
		t.Error("a colour bit or the border bit overlaps the type bits")
	}
	if wall&(white|black) != 0 {
		t.Error("the border has a colour bit, so a ray would capture it")
	}
}

var documentMailbox = [120]int8{
	-1, -1, -1, -1, -1, -1, -1, -1, -1, -1,
	-1, -1, -1, -1, -1, -1, -1, -1, -1, -1,
	-1, 0, 1, 2, 3, 4, 5, 6, 7, -1,
	-1, 8, 9, 10, 11, 12, 13, 14, 15, -1,
	-1, 16, 17, 18, 19, 20, 21, 22, 23, -1,
	-1, 24, 25, 26, 27, 28, 29, 30, 31, -1,
	-1, 32, 33, 34, 35, 36, 37, 38, 39, -1,
	-1, 40, 41, 42, 43, 44, 45, 46, 47, -1,
	-1, 48, 49, 50, 51, 52, 53, 54, 55, -1,
	-1, 56, 57, 58, 59, 60, 61, 62, 63, -1,
	-1, -1, -1, -1, -1, -1, -1, -1, -1, -1,
	-1, -1, -1, -1, -1, -1, -1, -1, -1, -1,
}

var documentMailbox64 = [64]uint8{
	21, 22, 23, 24, 25, 26, 27, 28,
	31, 32, 33, 34, 35, 36, 37, 38,
	41, 42, 43, 44, 45, 46, 47, 48,
	51, 52, 53, 54, 55, 56, 57, 58,
	61, 62, 63, 64, 65, 66, 67, 68,
	71, 72, 73, 74, 75, 76, 77, 78,
	81, 82, 83, 84, 85, 86, 87, 88,
	91, 92, 93, 94, 95, 96, 97, 98,
}

// Entries from 120 on belong to the border.
func document001Mailbox(t *testing.T) {
	for sq, cell := range mailbox {
		want := int8(-1)
		if sq < len(documentMailbox) {
			want = documentMailbox[sq]
		}
		if cell != want {
			t.Errorf("mailbox[%d] = %d, want %d", sq, cell, want)
		}
		onBoard := New().board[sq] != wall
		if onBoard != (want >= 0) || (bit[sq] != 0) != (want >= 0) || want >= 0 && bit[sq] != 1<<want {
			t.Errorf("square %d: on board %t, bit %x, want cell %d", sq, onBoard, bit[sq], want)
		}
	}
}

func document001Mailbox64(t *testing.T) {
	for cell, want := range documentMailbox64 {
		if got := mailbox64[cell]; got != want {
			t.Errorf("mailbox64[%d] = %d, want %d", cell, got, want)
		}
		if got := firstSquare(1 << cell); got != want {
			t.Errorf("firstSquare of cell %d is %d, want %d", cell, got, want)
		}
		if got := cellOf(want); got != cell {
			t.Errorf("square %d is cell %d, want %d", want, got, cell)
		}
	}
}

// A rook on a4 (32) has mailbox number 61. One step to the left is 60, and mailbox[60]
// is -1, whereas 32 - 1 = 31 would be h5.
func document001Example(t *testing.T) {
	a4, err := parseCell("a4")
	if err != nil || a4 != 32 {
		t.Fatalf("a4 is %d, want 32", a4)
	}
	sq := mailbox64[a4]
	if sq != 61 || sq+west != 60 || mailbox[sq+west] != -1 {
		t.Errorf("a4 is square %d, its left neighbour %d with cell %d; want 61, 60, -1", sq, sq+west, mailbox[sq+west])
	}
	if name := cellName(a4 - 1); name != "h5" {
		t.Errorf("cell 31 is %s, want h5", name)
	}
	p := new(Position)
	must.Do(t, p.Set("4k3/8/8/8/R7/8/8/4K3 w - - 0 1"))
	for _, m := range p.Moves(nil) {
		if fromOf(m) == sq && toOf(m)%10 == 0 {
			t.Errorf("the rook leaves the board with %s", p.FormatMove(m))
		}
	}
}

func document001Offsets(t *testing.T) {
	offset := [6][]int{ // by kind; pawns have none
		knight: {-21, -19, -12, -8, 8, 12, 19, 21},
		bishop: {-11, -9, 9, 11},
		rook:   {-10, -1, 1, 10},
	}
	queenAndKing := []int{-11, -10, -9, -1, 1, 9, 10, 11}
	for _, c := range []struct {
		name      string
		got, want []int
	}{
		{"knight", knightSteps[:], offset[knight]},
		{"bishop", diagonalSteps[:], offset[bishop]},
		{"rook", straightSteps[:], offset[rook]},
		{"queen and king", kingSteps[:], queenAndKing},
	} {
		if !slices.Equal(c.got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, c.got, c.want)
		}
	}
	both := slices.Concat(diagonalSteps[:], straightSteps[:])
	slices.Sort(both)
	if !slices.Equal(both, kingSteps[:]) {
		t.Errorf("bishop and rook steps together are %v", both)
	}
	for _, c := range []struct {
		step uint8
		want int
	}{
		{north, -10}, {south, 10}, {west, -1}, {east, 1},
		{northWest, -11}, {northEast, -9}, {southWest, 9}, {southEast, 11},
	} {
		if c.step != uint8(c.want) {
			t.Errorf("step %d, want %d", int8(c.step), c.want)
		}
	}
	// slide is true for bishop, rook and queen only.
	for _, c := range []struct {
		name  string
		reach [64]uint64
		want  int
	}{{"knight", knightReach, 8}, {"king", kingReach, 8}, {"bishop", diagonals, 13}, {"rook", straights, 14}} {
		d5, _ := parseCell("d5")
		n := 0
		for set := c.reach[d5]; set != 0; set &= set - 1 {
			n++
		}
		if n != c.want {
			t.Errorf("%s on d5: %d targets on the empty board, want %d", c.name, n, c.want)
		}
	}
}

// With two border ranks above and below, a knight's jump from any corner stays in the
// array.
func document001Knights(t *testing.T) {
	least, most := 200, -200
	for _, sq := range mailbox64 {
		for _, step := range knightSteps {
			to := int(sq) + step
			least, most = min(least, to), max(most, to)
			if to < 0 || to >= 120 {
				t.Errorf("step %[2]d from %[1]d leads to %[3]d, want 0 to 119", sq, step, to)
			}
		}
	}
	if least != 21-21 || most != 98+21 {
		t.Errorf("knights reach squares %d to %d, want 0 to 119", least, most)
	}
}

// One border file on each side suffices: no step leads from the board to a wrong
// square of the board.
func document001OneFile(t *testing.T) {
	for cell, sq := range mailbox64 {
		for _, step := range slices.Concat(knightSteps[:], kingSteps[:]) {
			to := mailbox[sq+uint8(step)]
			if to < 0 {
				continue
			}
			files, ranks := int(to)&7-cell&7, int(to)>>3-cell>>3
			if files*files+ranks*ranks > 5 {
				t.Errorf("%s, step %d leads to %s", cellName(cell), step, cellName(int(to)))
			}
		}
	}
}

// One piece code replaces TSCP's arrays piece and color.
func document001Arrays(t *testing.T) {
	p := New()
	for cell, sq := range mailbox64 {
		got := p.board[sq]
		want := uint8(empty)
		switch rank := cell >> 3; rank {
		case 0, 7:
			want = []uint8{rook, knight, bishop, queen, king, bishop, knight, rook}[cell&7]
		case 1, 6:
			want = pawn
		}
		if got&kindBits != want || want != empty && (sideOf(got) == 1) != (cell < 32) {
			t.Errorf("%s has code %d", cellName(cell), got)
		}
	}
}
