package contrast_test

import (
	"encoding/json"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"testing"

	"selfplay/engine"
	"selfplay/engine/contrast"
)

// The seed document that the encoding grew from: 002, the board encoding, version
// 2.0. Every table and worked example of it has a subtest named by its section.
// Where the rule book overrules the seed, the subtest tells the seed's value and
// asserts ours.

func TestSeed002(t *testing.T) {
	for _, s := range []struct {
		name  string
		check func(*testing.T)
	}{
		{"Array Structure (29 elements)", seed002Structure},
		{"Cell Encoding (0-8)", seed002Cells},
		{"Encoding Table", seed002Table},
		{"Tile Inventory Encoding", seed002Inventory},
		{"1D Array Layout", seed002Layout},
		{"Coordinate System", seed002Coordinates},
		{"Array Index Mapping", seed002Mapping},
		{"GET board_array", seed002Get},
		{"POST board_array", seed002Post},
		{"Code Examples: encode_cell, decode_cell", seed002Codec},
		{"Code Examples: array of another length", seed002Length},
		{"Initial Board State Example", seed002Initial},
		{"Endgame Example (Tiles Depleted)", seed002Endgame},
		{"Compatibility", seed002Compatibility},
		{"Migration from v1.0 (25 elements)", seed002Migration},
		{"Future NTuple Integration: state count", seed002StateCount},
	} {
		t.Run(s.name, s.check)
	}
}

const empty25 = "0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,"

// with returns an empty board with full hands but for one element, Black to move.
func with(index, value int) string {
	array := append(make([]int, 25), 3, 1, 3, 1)
	array[index] = value
	return textOf(array, 1)
}

// accepted returns the values that Set takes for an element.
func accepted(index int) (list []int) {
	p := contrast.New()
	for value := range 300 {
		if p.Set(with(index, value)) == nil {
			list = append(list, value)
		}
	}
	return list
}

func seed002Structure(t *testing.T) {
	if contrast.ArrayLen != 29 {
		t.Errorf("%d elements, want 29", contrast.ArrayLen)
	}
	for i := range contrast.ArrayLen {
		most := 8
		if i >= 25 {
			most = []int{3, 1, 3, 1}[i-25]
		}
		if got := accepted(i); len(got) != most+1 || slices.Max(got) != most {
			t.Errorf("element %d may be %v, want 0 to %d", i, got, most)
		}
	}
}

// value = occupant*3 + tile, both as the rules see them: whose piece it is by who
// can move it, which tile it is by where to.
func seed002Cells(t *testing.T) {
	for occupant := range 3 {
		for tile := range 3 {
			checkCellMeans(t, occupant*3+tile, occupant, tile)
		}
	}
}

// checkCellMeans looks at a cell in the middle, c3, with either side to move.
func checkCellMeans(t *testing.T, value, occupant, tile int) {
	t.Helper()
	arrows := []string{"b3 c2 c4 d3", "b2 b4 d2 d4", "b2 b3 b4 c2 c4 d2 d3 d4"}[tile]
	for side := 1; side <= 2; side++ {
		text := strings.TrimSuffix(with(12, value), "x") + string("?xo"[side])
		want := ""
		if occupant == side {
			want = arrows
		}
		if got := strings.Join(targets(at(t, text), "c3"), " "); got != want {
			t.Errorf("value %d: side %d goes to %q, want %q", value, side, got, want)
		}
	}
	if occupant == 0 {
		// A piece beside it walks on the cell, and on from there by its tile.
		p := play(t, at(t, strings.Replace(with(12, value), empty25[:16], "0,0,0,0,0,0,0,3,", 1)), "c4,c3 -1")
		array := p.Array()
		if array[12] != uint8(3+tile) {
			t.Errorf("value %d: with a black piece on it %d, want %d", value, array[12], 3+tile)
		}
	}
}

func seed002Table(t *testing.T) {
	const none, black, white, gray = 0, 1, 2, 2
	for value, c := range []struct{ occupant, tile int }{
		{none, none}, {none, black}, {none, gray},
		{black, none}, {black, black}, {black, gray},
		{white, none}, {white, black}, {white, gray},
	} {
		checkCellMeans(t, value, c.occupant, c.tile)
	}
}

// Every player has three black tiles and a gray one; each element is the hand that
// the table says: laying such a tile takes one from it.
func seed002Inventory(t *testing.T) {
	hands := [4]uint8(contrast.New().AppendArray(nil)[25:])
	if hands != [4]uint8{3, 1, 3, 1} {
		t.Fatalf("at the start %v", hands)
	}
	for i, list := range [][]string{
		{"a5,a4 c3b"}, {"a5,a4 c3g"}, {"a5,a4 -1", "a1,a2 c3b"}, {"a5,a4 -1", "a1,a2 c3g"},
	} {
		want := hands
		want[i]--
		p := play(t, contrast.New(), list...)
		if got := [4]uint8(p.AppendArray(nil)[25:]); got != want {
			t.Errorf("after %v: %v, want %v", list, got, want)
		}
	}
}

func seed002Layout(t *testing.T) {
	for y := range 5 {
		for x := range 5 {
			name := fmt.Sprintf("%c%d", 'a'+x, 5-y)
			cell, err := contrast.ParseCell(name)
			if err != nil || int(cell) != y*5+x || contrast.CellName(cell) != name {
				t.Errorf("%s is %d and named %s, want %d; %v", name, cell, contrast.CellName(cell), y*5+x, err)
			}
		}
	}
	for _, name := range []string{"", "a", "a0", "a6", "f1", "A1", "a11", "1a"} {
		if cell, err := contrast.ParseCell(name); err == nil {
			t.Errorf("%q is cell %d", name, cell)
		}
	}
}

// Rank 5 is the top row, file a the left one, and Black goes down.
func seed002Coordinates(t *testing.T) {
	p := contrast.New()
	if got := strings.Join(targets(p, "a5"), " "); got != "a4" {
		t.Errorf("a5 goes to %s", got)
	}
	play(t, p, "a5,a4 -1", "e1,e2 -1")
	array := p.Array()
	if array[5] != 3 || array[19] != 6 {
		t.Errorf("a4 is %d, e2 is %d", array[5], array[19])
	}
}

func seed002Mapping(t *testing.T) {
	for index, name := range map[uint8]string{
		0: "a5", 1: "b5", 2: "c5", 3: "d5", 4: "e5", 5: "a4", 6: "b4",
		20: "a1", 21: "b1", 22: "c1", 23: "d1", 24: "e1", 25: "-",
	} {
		if got := contrast.CellName(index); got != name {
			t.Errorf("index %d is %s, want %s", index, got, name)
		}
	}
}

const seed002Response = `{
  "board_array": [3,3,3,3,3,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,6,6,6,6,6,3,1,3,1],
  "encoding": "occupant*3+tile",
  "size": 29,
  "format": "row-major",
  "structure": {
    "board_cells": "[0-24]",
    "black_player_tiles": "[25-26]",
    "white_player_tiles": "[27-28]"
  },
  "tile_inventory": {
    "black_player": {"black": 3, "gray": 1},
    "white_player": {"black": 3, "gray": 1}
  }
}`

func seed002Get(t *testing.T) {
	type hand struct{ Black, Gray uint8 }
	var answer struct {
		BoardArray []int `json:"board_array"`
		Size       int
		Inventory  struct {
			Black hand `json:"black_player"`
			White hand `json:"white_player"`
		} `json:"tile_inventory"`
	}
	if err := json.Unmarshal([]byte(seed002Response), &answer); err != nil {
		t.Fatal(err)
	}
	array := contrast.New().Array()
	if !slices.EqualFunc(array[:], answer.BoardArray, equalElement) || len(array) != answer.Size {
		t.Errorf("the start is %v", array)
	}
	if in := answer.Inventory; in.Black != (hand{array[25], array[26]}) || in.White != (hand{array[27], array[28]}) {
		t.Errorf("the hands are %v", array[25:])
	}
}

// The seed's array has no side to move, so it is no whole state, as the seed has
// it; our text adds the side, and with another side other moves are legal.
func seed002Post(t *testing.T) {
	const request = "3,3,3,3,3,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,6,6,6,6,6,3,1,3,1"
	if err := contrast.New().Set(request); err == nil {
		t.Error("the array without a side to move is a position")
	}
	x, o := at(t, request+" x"), at(t, request+" o")
	if x.Array() != o.Array() || slices.Equal(moves(x), moves(o)) || x.Hash() == o.Hash() {
		t.Error("the side to move makes no difference")
	}
}

// decode_cell refuses what is below 0 or above 8.
func seed002Codec(t *testing.T) {
	p := contrast.New()
	for value := -1; value <= 9; value++ {
		err := p.Set(with(7, value))
		if in := value >= 0 && value <= 8; in != (err == nil) {
			t.Errorf("%d: %v", value, err)
		}
		if err == nil && p.Array()[7] != uint8(value) {
			t.Errorf("%d comes back as %d", value, p.Array()[7])
		}
	}
}

func seed002Length(t *testing.T) {
	for n := range 40 {
		if n == 0 || n == 29 {
			continue
		}
		if err := contrast.New().Set(strings.TrimSuffix(strings.Repeat("0,", n), ",") + " x"); err == nil {
			t.Errorf("an array of %d elements is a position", n)
		}
	}
}

func seed002Initial(t *testing.T) {
	want := draw("xxxxx ..... ..... ..... ooooo", "3,1,3,1 x")
	p := contrast.New()
	if p.String() != want || want != contrast.StartText {
		t.Errorf("the start is %s, want %s", p, want)
	}
	if err := p.Reachable(); err != nil {
		t.Error(err)
	}
	if got := len(p.Moves(nil)); got != 155 {
		t.Errorf("%d moves, want 155", got)
	}
}

// The example decodes, but no game leads to it: three pieces a side, and three of
// the black tiles are missing.
func seed002Endgame(t *testing.T) {
	const drawing = "x.... .xg.. .bx.. ...o. ...oo"
	const array = "3,0,0,0,0,0,3,2,0,0,0,1,3,0,0,0,0,0,6,0,0,0,0,6,6,0,0,2,1"
	for _, dialect := range dialects {
		for side, want := range map[string]int{" x": 10, " o": 245} {
			p := set(t, in(dialect), array+side)
			if got := p.String(); got != array+side || got != draw(drawing, "0,0,2,1"+side) {
				t.Errorf("written as %s", got)
			}
			if p.Reachable() == nil {
				t.Error("a game may lead to it")
			}
			if got := len(moves(p)); got != want || p.Count() != want {
				t.Errorf("%s%s: %d moves, want %d", dialect, side, got, want)
			}
			lays := slices.ContainsFunc(moves(p), func(m string) bool { return !strings.HasSuffix(m, " -1") })
			if lays != (side == " o") {
				t.Errorf("%s%s: lays tiles: %t", dialect, side, lays)
			}
		}
	}
}

// Elements 0 to 24 are those of version 1.
func seed002Compatibility(t *testing.T) {
	for i, s := range states(t) {
		if i%10 != 0 {
			continue
		}
		array := at(t, s.text()).Array()
		migrated, _, err := contrast.MigrateV1(array[:25])
		if err != nil || !slices.Equal(migrated[:25], array[:25]) {
			t.Errorf("%v became %v, %v", array[:25], migrated, err)
		}
	}
}

func seed002Migration(t *testing.T) {
	start := contrast.New().Array()
	if a, certain, err := contrast.MigrateV1(start[:25]); a != start || !certain || err != nil {
		t.Errorf("the start: %v, certain %t, %v", a, certain, err)
	}
	// With tiles on the board the seed fills the hands too, which makes too many.
	p := play(t, contrast.New(), "a5,a4 c3b")
	array := p.Array()
	a, certain, err := contrast.MigrateV1(array[:25])
	if a == array || [4]uint8(a[25:]) != [4]uint8{3, 1, 3, 1} || certain || err != nil {
		t.Errorf("with a tile: %v, certain %t, %v", a, certain, err)
	}
	for _, bad := range [][]uint8{nil, start[:24], start[:], append(slices.Clone(start[:24]), 9)} {
		if a, certain, err := contrast.MigrateV1(bad); err == nil || certain || a != [contrast.ArrayLen]uint8{} {
			t.Errorf("%v became %v, certain %t", bad, a, certain)
		}
	}
}

// The seed says that 9^25 * 4*2*4*2 is "about 6.2 kei", 6.2e16. It is 4.6e25. What
// is near 6.2e16 is the number of arrays with five pieces a side and all tiles.
func seed002StateCount(t *testing.T) {
	product := big.NewInt(1)
	for i := range contrast.ArrayLen {
		product.Mul(product, big.NewInt(int64(len(accepted(i)))))
	}
	if got := product.String(); got != "45945471212278565681295936" {
		t.Errorf("%s arrays are read", got)
	}
	binomial := func(n, k int64) *big.Int { return new(big.Int).Binomial(n, k) }
	tiles := new(big.Int)
	for hands := range int64(64) {
		black, gray := 6-hands&3-hands>>3&3, 2-hands>>2&1-hands>>5&1
		tiles.Add(tiles, binomial(25, black).Mul(binomial(25, black), binomial(25-black, gray)))
	}
	conserved := tiles.Mul(tiles, binomial(25, 5).Mul(binomial(25, 5), binomial(20, 5)))
	if got := conserved.String(); got != "61091101599786720" {
		t.Errorf("%s arrays hold all pieces and tiles", got)
	}
}

// TestWorkedExample: the first move of the rule book, and the move that only the
// dialect before knows.
func TestWorkedExample(t *testing.T) {
	for _, dialect := range dialects {
		p := play(t, in(dialect), "a5,a4 c3b")
		if got, want := p.String(), draw(".xxxx x.... ..b.. ..... ooooo", "2,1,3,1 o"); got != want {
			t.Errorf("%s: %s, want %s", dialect, got, want)
		}
		if got := p.Count(); got != 145 {
			t.Errorf("%s: %d moves, want 145", dialect, got)
		}
	}
	p := play(t, in("before"), "a5,a4 a4b")
	if got, want := p.String(), draw(".xxxx x.... ..... ..... ooooo", "3,1,3,1 o"); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// TestGame: the names and numbers that others rely on.
func TestGame(t *testing.T) {
	g := contrast.Game()
	if g.Name != "contrast" || g.Sides != [2]string{"black", "white"} || g.MaxPlies != 500 || !slices.Equal(g.Variants, dialects) {
		t.Errorf("%+v", g)
	}
	if len(g.Samplers) != 1 || g.Samplers[0].Name != "tile" || g.Samplers[0].Default != 250 {
		t.Errorf("dice %+v", g.Samplers)
	}
	for variant, nodes := range map[string]uint64{"": 5547990, "after": 5547990, "before": 5674720} {
		if got := engine.Perft(g.New(variant), 3); got != nodes {
			t.Errorf("variant %q: %d, want %d", variant, got, nodes)
		}
	}
	defer func() {
		if recover() == nil {
			t.Error("there is another variant")
		}
	}()
	g.New("sideways")
}
