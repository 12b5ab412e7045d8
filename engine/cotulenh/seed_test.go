package cotulenh_test

import (
	"slices"
	"strings"
	"testing"
	"unsafe"

	"selfplay/engine"
	"selfplay/engine/cotulenh"
	"selfplay/engine/enginetest"
	"selfplay/internal/must"
)

// Tests of the design documents of the board. Document 000, board and pieces, is in this
// file; 003, bitboards, in seed_bitboards_test.go; 004, coordinates, in
// seed_coordinates_test.go. Each worked example and table has a subtest named after its
// section. Where the rule book overrides a document, the comment states the document's value
// and the test asserts the rule book's.

const emptyBoard = "11/11/11/11/11/11/11/11/11/11/11/11 r - - 0 1"

// sections runs one subtest per section.
func sections(t *testing.T, list []section) {
	t.Helper()
	for _, s := range list {
		t.Run(s.name, s.check)
	}
}

type section struct {
	name  string
	check func(*testing.T)
}

func square(t testing.TB, name string) cotulenh.Square {
	t.Helper()
	sq := must.Get(cotulenh.ParseSquare(name))(t)
	return sq
}

// board returns the 132 squares of the board, a12 first.
func board() (list []cotulenh.Square) {
	for rank := range 12 {
		for file := range 11 {
			list = append(list, cotulenh.Square(rank*16+file))
		}
	}
	return list
}

func stack(t testing.TB, side engine.Side, members ...cotulenh.Member) cotulenh.Stack {
	t.Helper()
	s, ok := cotulenh.NewStack(side, members...)
	if !ok {
		t.Fatalf("%v do not combine to a stack", members)
	}
	return s
}

// numbered checks names of squares against their numbers, in both directions.
func numbered(t *testing.T, want map[string]cotulenh.Square) {
	t.Helper()
	for name, number := range want {
		if got := square(t, name); got != number {
			t.Errorf("%s is %d, want %d", name, got, number)
		}
		if got := number.String(); got != name {
			t.Errorf("%d is %s, want %s", number, got, name)
		}
	}
}

func plain(types ...cotulenh.Type) (list []cotulenh.Member) {
	for _, t := range types {
		list = append(list, cotulenh.Member{Type: t})
	}
	return list
}

func TestSeed000(t *testing.T) {
	sections(t, []section{
		{"What 0x88 Actually Means", document000Mask},
		{"16x16 Mailbox Array", document000Mailbox},
		{"Square Encoding", document000Encoding},
		{"Piece Type Definition", document000Types},
		{"Piece Examples", document000Pieces},
		{"Stack Rules", document000StackRules},
		{"Board Class: get, set, isValid", document000Cells},
		{"Board Class: pieces, initial", document000Initial},
		{"Board Class: clone", document000Clone},
		{"Board Class: flattenStack, getStackSize, isStack", document000Stacks},
		{"Square Utilities", document000Utilities},
		{"Memory Usage", document000Memory},
		{"Time Complexity", document000Lists},
	})
}

// The 0x88 mask of an 8x8 board rejects 68 of the 132 squares.
func document000Mask(t *testing.T) {
	for _, sq := range []int{0x00, 0x01, 0x02, 0x07, 0x10, 0x11, 0x12, 0x17, 0x70, 0x71, 0x72, 0x77} {
		if sq&0x88 != 0 {
			t.Errorf("the mask rejects chess square %#x", sq)
		}
	}
	rejected := 0
	for sq := range 256 {
		if cotulenh.Square(sq).Valid() && sq&0x88 != 0 {
			rejected++
		}
	}
	if rejected != 68 {
		t.Errorf("the mask rejects %d squares of this board, want 68", rejected)
	}
}

func document000Mailbox(t *testing.T) {
	numbered(t, map[string]cotulenh.Square{
		"a12": 0x00, "b12": 0x01, "k12": 0x0a, "a11": 0x10, "b11": 0x11, "k11": 0x1a, "a1": 0xb0, "b1": 0xb1, "k1": 0xba,
	})
	valid := 0
	for sq := range 256 {
		file, rank := sq&0x0f, sq>>4
		if got, want := cotulenh.Square(sq).Valid(), file < 11 && rank < 12; got != want {
			t.Errorf("%#x: valid %t, want %t", sq, got, want)
		} else if got {
			valid++
		}
	}
	if valid != 11*12 {
		t.Errorf("%d valid squares, want 132", valid)
	}
}

func document000Encoding(t *testing.T) {
	numbered(t, map[string]cotulenh.Square{"a12": 0x00, "k12": 0x0a, "a11": 0x10, "e5": 0x74, "k1": 0xba})
	for rank := range 12 {
		for file := range 11 {
			sq := cotulenh.Square(rank*16 + file)
			if sq.Rank() != rank || sq.File() != file {
				t.Errorf("%#x has rank %d and file %d, want %d and %d", sq, sq.Rank(), sq.File(), rank, file)
			}
		}
	}
}

func document000Types(t *testing.T) {
	const letters = "citmeagsfnh"
	for i, typ := range []cotulenh.Type{
		cotulenh.Commander, cotulenh.Infantry, cotulenh.Tank, cotulenh.Militia, cotulenh.Engineer, cotulenh.Artillery,
		cotulenh.AntiAir, cotulenh.Missile, cotulenh.AirForce, cotulenh.Navy, cotulenh.Headquarters,
	} {
		if int(typ) != i || typ.Letter() != letters[i] {
			t.Errorf("type %d has letter %c, want type %d with %c", typ, typ.Letter(), i, letters[i])
		}
	}
}

// Example 4, a navy with tank and infantry, is not a stack: a navy carries at most one of
// commander, infantry, militia and tank, and at most one air force.
func document000Pieces(t *testing.T) {
	for _, c := range []struct {
		name    string
		side    engine.Side
		members []cotulenh.Member
		want    string
	}{
		{"1 simple piece", engine.First, plain(cotulenh.Infantry), "I"},
		{"2 heroic piece", engine.Second, []cotulenh.Member{{Type: cotulenh.Tank, Heroic: true}}, "+t"},
		{"3 stack", engine.First, plain(cotulenh.Tank, cotulenh.Infantry), "(TI)"},
		{"5 heroic stack", engine.First, []cotulenh.Member{{Type: cotulenh.AirForce, Heroic: true}, {Type: cotulenh.Tank}}, "(+FT)"},
		{"heroic cargo, which the document excludes", engine.First, []cotulenh.Member{{Type: cotulenh.Navy}, {Type: cotulenh.AirForce, Heroic: true}}, "(N+F)"},
	} {
		s := stack(t, c.side, c.members...)
		if s.String() != c.want || s.Side() != c.side || !slices.Equal(s.Members(), c.members) {
			t.Errorf("%s: %s of side %d with %v, want %s", c.name, s, s.Side(), s.Members(), c.want)
		}
	}
	if s, ok := cotulenh.NewStack(engine.Second, plain(cotulenh.Navy, cotulenh.Tank, cotulenh.Infantry)...); ok {
		t.Errorf("4 large stack: %s is a stack, want none of navy, tank and infantry", s)
	}
}

// The rule book overrides rule 4 of the document, "only the carrier can be heroic": each
// member has its own flag, see the examples above.
func document000StackRules(t *testing.T) {
	s := stack(t, engine.First, plain(cotulenh.Infantry, cotulenh.Tank)...)
	if got := s.Lead(); got != cotulenh.Tank {
		t.Errorf("rule 1, carrier: type %d leads %s", got, s)
	}
	if got := s.Members(); !slices.Equal(got, plain(cotulenh.Tank, cotulenh.Infantry)) {
		t.Errorf("rules 2 and 3, flat list: members %v", got)
	}
	const stacked = "10c/11/11/11/11/11/11/11/4(TI)6/11/11/6C4 r - - 0 1"
	alone := enginetest.MovesOf(at(t, "10c/11/11/11/11/11/11/11/4T6/11/11/6C4 r - - 0 1"), "Te4")
	wantSteps(t, stacked, "(TI)e4", "", strings.Join(alone, " ")) // rule 5: it moves as its carrier alone
	wantSteps(t, stacked, "Ie4", "", ">e5 >f4 >e3 >d4")           // rule 6: cargo deploys
}

func document000Cells(t *testing.T) {
	p, e4 := at(t, emptyBoard), square(t, "e4")
	for _, s := range []cotulenh.Stack{
		stack(t, engine.First, plain(cotulenh.Tank)...), stack(t, engine.Second, plain(cotulenh.Infantry)...), cotulenh.Empty,
	} {
		must.Do(t, p.Put(e4, s))
		if got := p.At(e4); got != s {
			t.Errorf("put %q, got %q", s, got)
		}
		for _, side := range []engine.Side{engine.First, engine.Second} {
			if got, want := slices.Contains(p.Pieces(side), e4), s != cotulenh.Empty && s.Side() == side; got != want {
				t.Errorf("after putting %q side %d lists e4: %t", s, side, got)
			}
		}
	}
	if err := p.Put(cotulenh.Square(0x0b), stack(t, engine.First, plain(cotulenh.Tank)...)); err == nil {
		t.Error("Put off the board: want an error")
	}
}

func document000Initial(t *testing.T) {
	p := cotulenh.New()
	if got := p.String(); got != cotulenh.StartText {
		t.Errorf("New is %s, want %s", got, cotulenh.StartText)
	}
	listed := 0
	for _, sq := range board() {
		s := p.At(sq)
		if s == cotulenh.Empty {
			continue
		}
		listed++
		if !slices.Contains(p.Pieces(s.Side()), sq) {
			t.Errorf("%s on %s is not listed", s, sq)
		}
	}
	if n := len(p.Pieces(engine.First)) + len(p.Pieces(engine.Second)); n != listed || n != 38 {
		t.Errorf("%d pieces listed, %d on the board, want 38", n, listed)
	}
}

func document000Clone(t *testing.T) {
	p := play(t, cotulenh.StartText, "Ic5c6 Ic8c7")
	before, list := p.String(), slices.Clone(p.Pieces(engine.First))
	c := p.Clone()
	if c.String() != before || c.Hash() != p.Hash() || !slices.Equal(steps(c), steps(p)) {
		t.Fatalf("the clone of %s is %s", before, c)
	}
	move := must.Get(c.ParseMove("Ic6xc7"))(t)
	c.Do(move)
	if p.String() != before || !slices.Equal(p.Pieces(engine.First), list) {
		t.Errorf("a step on the clone changed the original from %s to %s", before, p)
	}
}

func document000Stacks(t *testing.T) {
	for _, c := range []struct {
		members []cotulenh.Member
		size    int
		isStack bool
	}{
		{plain(cotulenh.Infantry), 1, false},
		{plain(cotulenh.Tank, cotulenh.Infantry), 2, true},
		{plain(cotulenh.Navy, cotulenh.AirForce, cotulenh.Tank), 3, true},
	} {
		s := stack(t, engine.First, c.members...)
		if s.Size() != c.size || s.HasCargo() != c.isStack || !slices.Equal(s.Members(), c.members) {
			t.Errorf("%s: size %d, stack %t, members %v", s, s.Size(), s.HasCargo(), s.Members())
		}
	}
	if cotulenh.Empty.Size() != 0 || cotulenh.Empty.HasCargo() {
		t.Error("Empty has members")
	}
}

func document000Utilities(t *testing.T) {
	numbered(t, map[string]cotulenh.Square{"e5": 0x74})
	e5 := square(t, "e5")
	if e5.File() != 4 || e5.Rank() != 7 || e5.FileLetter() != 'e' || e5.PrintedRank() != 5 || !e5.Valid() {
		t.Errorf("e5: file %d %c, rank %d printed %d", e5.File(), e5.FileLetter(), e5.Rank(), e5.PrintedRank())
	}
	got := []int{cotulenh.North, cotulenh.South, cotulenh.East, cotulenh.West,
		cotulenh.NorthEast, cotulenh.NorthWest, cotulenh.SouthEast, cotulenh.SouthWest}
	if want := []int{-16, 16, 1, -1, -15, -17, 17, 15}; !slices.Equal(got, want) {
		t.Errorf("directions %v, want %v", got, want)
	}
	for _, name := range []string{"", "e", "5", "l1", "a0", "a13", "e05", "e5 ", "E5", "e-5"} {
		if sq, err := cotulenh.ParseSquare(name); err == nil {
			t.Errorf("%q reads as %s, want an error", name, sq)
		}
	}
}

// The document counts a reference of 8 bytes per cell, 2 KB per board. A stack code takes 2
// bytes, the board 512.
func document000Memory(t *testing.T) {
	if got := 256 * unsafe.Sizeof(cotulenh.Empty); got != 512 {
		t.Errorf("256 cells take %d bytes, want 512", got)
	}
}

// Iterating over the pieces visits 19 squares per side, not all 132.
func document000Lists(t *testing.T) {
	p := cotulenh.New()
	for _, side := range []engine.Side{engine.First, engine.Second} {
		if got := len(p.Pieces(side)); got != 19 {
			t.Errorf("side %d lists %d pieces at the start, want 19", side, got)
		}
	}
	p = play(t, "10c/11/11/11/4i6/4T6/11/11/11/11/11/6C4 r - - 0 1", "Te7xe8")
	if got := p.Pieces(engine.Second); len(got) != 1 {
		t.Errorf("after a capture blue lists %v, want one square", got)
	}
}
