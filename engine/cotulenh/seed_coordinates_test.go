package cotulenh_test

import (
	"fmt"
	"strings"
	"testing"

	"selfplay/engine"
	"selfplay/engine/cotulenh"
	"selfplay/engine/enginetest"
	"selfplay/internal/must"
)

// Design document 004, "Board Coordinate System", defines numbers, names, directions and
// terrain. The rule book overrides it in three points: heavy pieces cross the river on files f
// and h, steps may be longer than three squares, and d6 e6 d7 e7 are mixed, not land.

func TestSeed004(t *testing.T) {
	sections(t, []section{
		{"Board Dimensions", document004Dimensions},
		{"16x16 Mailbox", document004Mailbox},
		{"Rank Inversion System", document004Ranks},
		{"File and Rank Extraction", document004Extraction},
		{"Coordinate Conversion Functions", document004Conversion},
		{"Board Layout Visualization", document004Layout},
		{"Movement Direction Offsets", document004Directions},
		{"Terrain Zones", document004Terrain},
		{"River Zones", document004River},
		{"Heavy Piece Restriction", document004Heavy},
		{"Boundary Validation", document004Boundary},
		{"Boundary Detection", document004Displacement},
		{"Mistake 1: Rank Inversion", document004Mistake1},
		{"Mistake 2: Terrain Restrictions", document004Mistake2},
		{"Mistake 3: Flying General", document004Mistake3},
		{"Mistake 4: Movement Calculation", document004Mistake4},
		{"Mistake 5: Boundary Checks", document004Mistake5},
		{"Testing Best Practices", document004Practices},
		{"Quick Reference Tables", document004Tables},
		{"Memory Layout", document004Memory},
	})
}

func document004Dimensions(t *testing.T) {
	if got := len(board()); got != 132 {
		t.Errorf("%d squares, want 132", got)
	}
	if first, last := square(t, "a1"), square(t, "k12"); !first.Valid() || !last.Valid() {
		t.Error("a1 or k12 is not on the board")
	}
}

func document004Mailbox(t *testing.T) {
	numbered(t, map[string]cotulenh.Square{"a12": 0, "k12": 10, "a1": 176, "k1": 186, "e6": 100})
}

func document004Ranks(t *testing.T) {
	for display := 1; display <= 12; display++ {
		sq := square(t, fmt.Sprintf("e%d", display))
		if sq.Rank() != 12-display || sq.PrintedRank() != display {
			t.Errorf("e%d: internal rank %d, printed rank %d", display, sq.Rank(), sq.PrintedRank())
		}
	}
}

func document004Extraction(t *testing.T) {
	for _, sq := range board() {
		if sq.File() != int(sq&0x0f) || sq.Rank() != int(sq>>4) || sq.PrintedRank() != 12-sq.Rank() {
			t.Errorf("%d: file %d, rank %d, printed rank %d", sq, sq.File(), sq.Rank(), sq.PrintedRank())
		}
	}
}

func document004Conversion(t *testing.T) {
	numbered(t, map[string]cotulenh.Square{"e6": 100, "a12": 0, "k1": 186})
	for _, sq := range board() {
		if back, err := cotulenh.ParseSquare(sq.String()); err != nil || back != sq {
			t.Errorf("%d is written %s and read %d, %v", sq, sq, back, err)
		}
	}
}

// The board as printed, rank 12 at the top.
func document004Layout(t *testing.T) {
	list := board()
	for row := range 12 {
		var names []string
		for file := range 11 {
			names = append(names, list[row*11+file].String())
		}
		n := fmt.Sprint(12 - row)
		want := "a" + n + " b" + n + " c" + n + " d" + n + " e" + n + " f" + n + " g" + n + " h" + n + " i" + n + " j" + n + " k" + n
		if got := strings.Join(names, " "); got != want {
			t.Errorf("row %d: %s, want %s", row, got, want)
		}
	}
}

// document004Directions includes the table "Movement Offsets from Any Square".
func document004Directions(t *testing.T) {
	for _, c := range []struct {
		name           string
		offset, number int
		square         string
		want           int
	}{
		{"North", cotulenh.North, -16, "e7", 84}, {"South", cotulenh.South, +16, "e5", 116},
		{"East", cotulenh.East, +1, "f6", 101}, {"West", cotulenh.West, -1, "d6", 99},
		{"NE", cotulenh.NorthEast, -15, "f7", 85}, {"NW", cotulenh.NorthWest, -17, "d7", 83},
		{"SE", cotulenh.SouthEast, +17, "f5", 117}, {"SW", cotulenh.SouthWest, +15, "d5", 115},
	} {
		got := int(square(t, "e6")) + c.offset
		if c.offset != c.number || got != c.want || square(t, c.square) != cotulenh.Square(got) {
			t.Errorf("%s of e6: offset %d leads to %d, want %d to %s %d", c.name, c.offset, got, c.number, c.square, c.want)
		}
	}
}

// The document lists d6 e6 d7 e7 both as land and as mixed; by the rule book they are mixed.
func document004Terrain(t *testing.T) {
	numbered(t, map[string]cotulenh.Square{
		"a6": 96, "b6": 97, "c6": 98, "d6": 99, "e6": 100, "d7": 83, "e7": 84, "f6": 101, "h6": 103, "k6": 106,
	})
	for _, sq := range board() {
		name, want := sq.String(), cotulenh.Land
		switch {
		case sq.File() < 2:
			want = cotulenh.Water
		case sq.File() == 2, name == "d6", name == "e6", name == "d7", name == "e7":
			want = cotulenh.Mixed
		}
		if got := cotulenh.TerrainAt(sq); got != want {
			t.Errorf("%s has terrain %d, want %d", sq, got, want)
		}
		for typ := cotulenh.Commander; typ <= cotulenh.Headquarters; typ++ {
			stands := want == cotulenh.Mixed || (typ == cotulenh.Navy) == (want == cotulenh.Water)
			if got := cotulenh.CanStand(typ, sq); got != stands {
				t.Errorf("type %c may stand on %s: %t, want %t", typ.Letter(), sq, got, stands)
			}
		}
	}
}

// The upper zone is printed ranks 7 to 12, the lower zone 1 to 6. A heavy piece on file i
// does not leave its zone.
func document004River(t *testing.T) {
	for rank := 1; rank <= 12; rank++ {
		from := square(t, fmt.Sprintf("i%d", rank))
		p := at(t, "11/2c8/11/11/11/11/11/11/11/11/11/6C4 r - - 0 1")
		must.Do(t, p.Put(from, stack(t, engine.First, plain(cotulenh.Artillery)...)))
		list := enginetest.MovesOf(p, "A"+from.String())
		if len(list) == 0 {
			t.Errorf("artillery on %s has no step", from)
		}
		for _, step := range list {
			to := square(t, step)
			if (to.Rank() <= 5) != (rank >= 7) {
				t.Errorf("artillery crosses the river from %s to %s", from, to)
			}
		}
	}
}

// In the document artillery on f8 cannot move to f5. By the rule book heavy pieces cross the
// river along files f and h, on no other file and never diagonally.
func document004Heavy(t *testing.T) {
	for _, c := range []struct{ mover, text, squares, want string }{
		{"Af8", "10c/11/11/11/5A5/11/11/11/11/11/11/6C4 r - - 0 1", "f7 f6 f5 d6 h6 c5 i5", "f7 f6 f5"},
		{"Ah8", "10c/11/11/11/7A3/11/11/11/11/11/11/6C4 r - - 0 1", "h7 h6 h5 f6 j6", "h7 h6 h5"},
		{"Ae8", "10c/11/11/11/4A6/11/11/11/11/11/11/6C4 r - - 0 1", "e7 e6 e5 g6", "e7"},
		{"Gf7", "10c/11/11/11/11/5G5/11/11/11/11/11/6C4 r - - 0 1", "f6 f5", "f6"},
		{"Gg7", "10c/11/11/11/11/6G4/11/11/11/11/11/6C4 r - - 0 1", "g6 g5", ""},
		{"Sf7", "10c/11/11/11/11/5S5/11/11/11/11/11/6C4 r - - 0 1", "f6 f5 e6 g6", "f6 f5"},
	} {
		t.Run(c.mover, func(t *testing.T) {
			wantSteps(t, c.text, c.mover, c.squares, c.want)
		})
	}
}

func document004Boundary(t *testing.T) {
	for number := range 256 {
		if got, want := cotulenh.Square(number).Valid(), number&15 < 11 && number>>4 < 12; got != want {
			t.Errorf("square %d: valid %t, want %t", number, got, want)
		}
	}
}

// The document treats a displacement of more than three files or ranks as wrapping around
// the board. By the rule book longer steps exist, of air forces and commanders, and none wraps.
func document004Displacement(t *testing.T) {
	wantSteps(t, "10c/11/11/11/11/11/11/11/11/11/11/2C7F r - - 0 1", "Fk1", "", "k2 k3 k4 k5 j1 i1 h1 g1 j2 i3 h4 g5")
	wantSteps(t, "10c/11/11/11/11/11/11/11/11/11/9I1/2C8 r - - 0 1", "Cc1", "",
		"c2 c3 c4 c5 c6 c7 c8 c9 c10 c11 d1 e1 f1 g1 h1 i1 j1")
}

func document004Mistake1(t *testing.T) {
	numbered(t, map[string]cotulenh.Square{"e12": 4, "e1": 180})
}

func document004Mistake2(t *testing.T) {
	p, a6 := at(t, emptyBoard), square(t, "a6")
	tank := stack(t, engine.Second, plain(cotulenh.Tank)...)
	if err := p.Put(a6, tank); err == nil || cotulenh.CanStand(cotulenh.Tank, a6) {
		t.Errorf("tank on a6: error %v, want one", err)
	}
	if p.At(a6) != cotulenh.Empty || p.String() != emptyBoard {
		t.Errorf("a rejected Put changed the position to %s", p)
	}
	if err := p.Put(a6, stack(t, engine.Second, plain(cotulenh.Navy, cotulenh.Tank)...)); err != nil {
		t.Errorf("navy with tank on a6: %v", err)
	}
}

// No step may leave the commanders facing each other on one file. Commanders on e6 and h9 do
// not face each other.
func document004Mistake3(t *testing.T) {
	for _, step := range steps(at(t, "11/11/11/4c6/11/11/4C6/11/11/11/11/11 r - - 0 1")) {
		if to := square(t, strings.TrimPrefix(step, "Ce6")); to.File() == 4 {
			t.Errorf("%s leaves the commanders facing each other", step)
		}
	}
	wantSteps(t, "11/11/11/7c3/11/11/4C6/11/11/11/11/11 r - - 0 1", "Ce6", "e5 e7 e8 e9", "e5 e7 e8")
}

// On a 16x16 mailbox north is -16: e6-16 is e7, e6-12 is i7.
func document004Mistake4(t *testing.T) {
	e6 := square(t, "e6")
	if wrong, right := e6-12, cotulenh.Square(int(e6)+cotulenh.North); wrong.String() == "e7" || right.String() != "e7" {
		t.Errorf("e6-12 is %s and e6-16 is %s, want only the second to be e7", wrong, right)
	}
}

func document004Mistake5(t *testing.T) {
	for rank := 1; rank <= 12; rank++ {
		if sq := square(t, fmt.Sprintf("k%d", rank)); (sq + cotulenh.East).Valid() {
			t.Errorf("east of %s is %s, want no square", sq, sq+cotulenh.East)
		}
	}
}

func document004Practices(t *testing.T) {
	numbered(t, map[string]cotulenh.Square{"e6": 100, "h9": 55})
	if from, to := square(t, "e6"), square(t, "e8"); int(to)-int(from) != 2*cotulenh.North {
		t.Errorf("e8 - e6 is %d, want -32", int(to)-int(from))
	}
	for _, c := range []struct {
		typ    cotulenh.Type
		square string
		want   bool
	}{
		{cotulenh.Tank, "f6", true}, {cotulenh.Navy, "a6", true}, {cotulenh.Navy, "d6", true}, {cotulenh.Tank, "a6", false},
	} {
		if got := cotulenh.CanStand(c.typ, square(t, c.square)); got != c.want {
			t.Errorf("%c may stand on %s: %t, want %t", c.typ.Letter(), c.square, got, c.want)
		}
	}
	wantSteps(t, "10c/11/11/11/11/11/4T6/11/11/11/11/6C4 r - - 0 1", "Te6", "f6 a6", "f6")
}

func document004Tables(t *testing.T) {
	numbered(t, map[string]cotulenh.Square{"a12": 0*16 + 0, "k12": 0*16 + 10, "a1": 11*16 + 0, "k1": 11*16 + 10})
	for _, c := range []struct {
		name                  string
		number                cotulenh.Square
		file, rank, displayed int
	}{
		{"e6", 100, 4, 6, 6}, {"f7", 85, 5, 5, 7}, {"d5", 115, 3, 7, 5}, {"h9", 55, 7, 3, 9},
	} {
		sq := square(t, c.name)
		if sq != c.number || sq.File() != c.file || sq.Rank() != c.rank || sq.PrintedRank() != c.displayed {
			t.Errorf("%s: %d, file %d, rank %d, printed %d; want %+v", c.name, sq, sq.File(), sq.Rank(), sq.PrintedRank(), c)
		}
	}
}

// 132 of 256 cells are squares: 51.6 %.
func document004Memory(t *testing.T) {
	valid := 0
	for number := range 256 {
		if cotulenh.Square(number).Valid() {
			valid++
		}
	}
	if got := fmt.Sprintf("%.1f%%", 100*float64(valid)/256); valid != 132 || got != "51.6%" {
		t.Errorf("%d cells are squares, %s, want 132, 51.6%%", valid, got)
	}
}
