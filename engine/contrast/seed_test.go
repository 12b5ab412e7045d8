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
	"selfplay/engine/enginetest"
	"selfplay/internal/must"
)

// The source of the encoding is docs/BOARD_ENCODING.md, version 2.0, of
// github.com/Terauchi01/Contrast. Every table and worked example of it has a subtest,
// named after its section. Where the rules overrule the source, the subtest states the
// value of the source and asserts ours.

func TestSeed002(t *testing.T) {
	for _, s := range []struct {
		name  string
		check func(*testing.T)
	}{
		{"Array Structure (29 elements)", document002Structure},
		{"Cell Encoding (0-8)", document002Cells},
		{"Encoding Table", document002Table},
		{"Tile Inventory Encoding", document002Inventory},
		{"1D Array Layout", document002Layout},
		{"Coordinate System", document002Coordinates},
		{"Array Index Mapping", document002Mapping},
		{"GET board_array", document002Get},
		{"POST board_array", document002Post},
		{"Code Examples: encode_cell, decode_cell", document002Codec},
		{"Code Examples: array of another length", document002Length},
		{"Initial Board State Example", document002Initial},
		{"Endgame Example (Tiles Depleted)", document002Endgame},
		{"Compatibility", document002Compatibility},
		{"Migration from v1.0 (25 elements)", document002Migration},
		{"Future NTuple Integration: state count", document002StateCount},
	} {
		t.Run(s.name, s.check)
	}
}

const empty25 = "0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,"

// with returns the text of an empty board with full hands and one element changed,
// Black to move.
func with(index, value int) string {
	array := append(make([]int, 25), 3, 1, 3, 1)
	array[index] = value
	return textOf(array, 1)
}

// accepted returns the values that Set accepts for an element.
func accepted(index int) (list []int) {
	p := contrast.New()
	for value := range 300 {
		if p.Set(with(index, value)) == nil {
			list = append(list, value)
		}
	}
	return list
}

func document002Structure(t *testing.T) {
	if contrast.ArrayLen != 29 {
		t.Errorf("%d elements, want 29", contrast.ArrayLen)
	}
	for i := range contrast.ArrayLen {
		most := 8
		if i >= 25 {
			most = []int{3, 1, 3, 1}[i-25]
		}
		if got := accepted(i); len(got) != most+1 || slices.Max(got) != most {
			t.Errorf("element %d accepts %v, want 0 to %d", i, got, most)
		}
	}
}

// value = occupant*3 + tile. The test reads the occupant from the side that can move
// it and the tile from its targets.
func document002Cells(t *testing.T) {
	for occupant := range 3 {
		for tile := range 3 {
			checkCellCode(t, occupant*3+tile, occupant, tile)
		}
	}
}

// checkCellCode checks the meaning of a code on cell c3, with either side to move.
func checkCellCode(t *testing.T, value, occupant, tile int) {
	t.Helper()
	arrows := []string{"b3 c2 c4 d3", "b2 b4 d2 d4", "b2 b3 b4 c2 c4 d2 d3 d4"}[tile]
	for side := 1; side <= 2; side++ {
		text := strings.TrimSuffix(with(12, value), "x") + string("?xo"[side])
		want := ""
		if occupant == side {
			want = arrows
		}
		if got := strings.Join(targets(at(t, text), "c3"), " "); got != want {
			t.Errorf("value %d: targets of side %d are %q, want %q", value, side, got, want)
		}
	}
	if occupant == 0 {
		// A piece steps on the empty cell; its code becomes 3 + tile.
		p := play(t, at(t, strings.Replace(with(12, value), empty25[:16], "0,0,0,0,0,0,0,3,", 1)), "c4,c3 -1")
		array := p.Array()
		if array[12] != uint8(3+tile) {
			t.Errorf("value %d: code %d with a black piece, want %d", value, array[12], 3+tile)
		}
	}
}

func document002Table(t *testing.T) {
	const none, black, white, gray = 0, 1, 2, 2
	for value, c := range []struct{ occupant, tile int }{
		{none, none}, {none, black}, {none, gray},
		{black, none}, {black, black}, {black, gray},
		{white, none}, {white, black}, {white, gray},
	} {
		checkCellCode(t, value, c.occupant, c.tile)
	}
}

// Every player starts with three black tiles and a gray one. Placing a tile takes one
// from the element that the table names.
func document002Inventory(t *testing.T) {
	hands := [4]uint8(contrast.New().AppendArray(nil)[25:])
	if hands != [4]uint8{3, 1, 3, 1} {
		t.Fatalf("hands at the start: %v", hands)
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

func document002Layout(t *testing.T) {
	for y := range 5 {
		for x := range 5 {
			name := fmt.Sprintf("%c%d", 'a'+x, 5-y)
			cell, err := contrast.ParseCell(name)
			if err != nil || int(cell) != y*5+x || contrast.CellName(cell) != name {
				t.Errorf("%s is cell %d with name %s, want cell %d; error %v", name, cell, contrast.CellName(cell), y*5+x, err)
			}
		}
	}
	for _, name := range []string{"", "a", "a0", "a6", "f1", "A1", "a11", "1a"} {
		if cell, err := contrast.ParseCell(name); err == nil {
			t.Errorf("%q parses as cell %d", name, cell)
		}
	}
}

// Rank 5 is the top row, file a the left one. Black moves down.
func document002Coordinates(t *testing.T) {
	p := contrast.New()
	if got := strings.Join(targets(p, "a5"), " "); got != "a4" {
		t.Errorf("targets of a5: %s", got)
	}
	play(t, p, "a5,a4 -1", "e1,e2 -1")
	array := p.Array()
	if array[5] != 3 || array[19] != 6 {
		t.Errorf("a4 has code %d, e2 has code %d", array[5], array[19])
	}
}

func document002Mapping(t *testing.T) {
	for index, name := range map[uint8]string{
		0: "a5", 1: "b5", 2: "c5", 3: "d5", 4: "e5", 5: "a4", 6: "b4",
		20: "a1", 21: "b1", 22: "c1", 23: "d1", 24: "e1", 25: "-",
	} {
		if got := contrast.CellName(index); got != name {
			t.Errorf("index %d is %s, want %s", index, got, name)
		}
	}
}

const document002Response = `{
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

func document002Get(t *testing.T) {
	type hand struct{ Black, Gray uint8 }
	var answer struct {
		BoardArray []int `json:"board_array"`
		Size       int
		Inventory  struct {
			Black hand `json:"black_player"`
			White hand `json:"white_player"`
		} `json:"tile_inventory"`
	}
	must.Do(t, json.Unmarshal([]byte(document002Response), &answer))
	array := contrast.New().Array()
	if !slices.EqualFunc(array[:], answer.BoardArray, equalElement) || len(array) != answer.Size {
		t.Errorf("array of the start: %v", array)
	}
	if in := answer.Inventory; in.Black != (hand{array[25], array[26]}) || in.White != (hand{array[27], array[28]}) {
		t.Errorf("hands: %v", array[25:])
	}
}

// The source calls its array a complete state, but the side to move is missing. Our
// text adds it, and legal moves depend on it.
func document002Post(t *testing.T) {
	const request = "3,3,3,3,3,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,6,6,6,6,6,3,1,3,1"
	if err := contrast.New().Set(request); err == nil {
		t.Error("Set accepts an array without a side to move")
	}
	x, o := at(t, request+" x"), at(t, request+" o")
	if x.Array() != o.Array() || slices.Equal(enginetest.MovesOf(x, ""), enginetest.MovesOf(o, "")) || x.Hash() == o.Hash() {
		t.Error("moves and hash do not depend on the side to move")
	}
}

// decode_cell rejects values below 0 and above 8.
func document002Codec(t *testing.T) {
	p := contrast.New()
	for value := -1; value <= 9; value++ {
		err := p.Set(with(7, value))
		if in := value >= 0 && value <= 8; in != (err == nil) {
			t.Errorf("value %d: error %v", value, err)
		}
		if err == nil && p.Array()[7] != uint8(value) {
			t.Errorf("value %d round-trips to %d", value, p.Array()[7])
		}
	}
}

func document002Length(t *testing.T) {
	for n := range 40 {
		if n == 0 || n == 29 {
			continue
		}
		if err := contrast.New().Set(strings.TrimSuffix(strings.Repeat("0,", n), ",") + " x"); err == nil {
			t.Errorf("Set accepts an array of %d elements", n)
		}
	}
}

func document002Initial(t *testing.T) {
	want := boardText("xxxxx ..... ..... ..... ooooo", "3,1,3,1 x")
	p := contrast.New()
	if p.String() != want || want != contrast.StartText {
		t.Errorf("the start is %s, want %s", p, want)
	}
	must.Do(t, p.Reachable())
	if got := len(p.Moves(nil)); got != 155 {
		t.Errorf("%d moves, want 155", got)
	}
}

// The example decodes but is unreachable: it has three pieces per side and lacks three
// black tiles.
func document002Endgame(t *testing.T) {
	const drawing = "x.... .xg.. .bx.. ...o. ...oo"
	const array = "3,0,0,0,0,0,3,2,0,0,0,1,3,0,0,0,0,0,6,0,0,0,0,6,6,0,0,2,1"
	for _, variant := range variants {
		for side, want := range map[string]int{" x": 10, " o": 245} {
			p := set(t, in(variant), array+side)
			if got := p.String(); got != array+side || got != boardText(drawing, "0,0,2,1"+side) {
				t.Errorf("String is %s", got)
			}
			if p.Reachable() == nil {
				t.Error("Reachable finds no fault")
			}
			if got := len(enginetest.MovesOf(p, "")); got != want || p.Count() != want {
				t.Errorf("%s%s: %d moves, want %d", variant, side, got, want)
			}
			places := slices.ContainsFunc(enginetest.MovesOf(p, ""), func(m string) bool { return !strings.HasSuffix(m, " -1") })
			if places != (side == " o") {
				t.Errorf("%s%s: places tiles: %t", variant, side, places)
			}
		}
	}
}

// Elements 0 to 24 are the array of version 1.
func document002Compatibility(t *testing.T) {
	for i, s := range states(t) {
		if i%10 != 0 {
			continue
		}
		array := at(t, s.text()).Array()
		migrated, _, err := contrast.MigrateV1(array[:25])
		if err != nil || !slices.Equal(migrated[:25], array[:25]) {
			t.Errorf("%v migrates to %v, error %v", array[:25], migrated, err)
		}
	}
}

func document002Migration(t *testing.T) {
	start := contrast.New().Array()
	if a, certain, err := contrast.MigrateV1(start[:25]); a != start || !certain || err != nil {
		t.Errorf("start: %v, certain %t, error %v", a, certain, err)
	}
	// The source fills the hands even with tiles on the board, which makes too many tiles.
	p := play(t, contrast.New(), "a5,a4 c3b")
	array := p.Array()
	a, certain, err := contrast.MigrateV1(array[:25])
	if a == array || [4]uint8(a[25:]) != [4]uint8{3, 1, 3, 1} || certain || err != nil {
		t.Errorf("with a tile: %v, certain %t, error %v", a, certain, err)
	}
	for _, invalid := range [][]uint8{nil, start[:24], start[:], append(slices.Clone(start[:24]), 9)} {
		if a, certain, err := contrast.MigrateV1(invalid); err == nil || certain || a != [contrast.ArrayLen]uint8{} {
			t.Errorf("%v migrates to %v, certain %t", invalid, a, certain)
		}
	}
}

// The source says that 9^25 * 4*2*4*2 is "about 6.2 kei", 6.2e16. It is 4.6e25. The
// number near 6.2e16 counts the arrays with five pieces per side and all tiles.
func document002StateCount(t *testing.T) {
	product := big.NewInt(1)
	for i := range contrast.ArrayLen {
		product.Mul(product, big.NewInt(int64(len(accepted(i)))))
	}
	if got := product.String(); got != "45945471212278565681295936" {
		t.Errorf("%s arrays are valid", got)
	}
	binomial := func(n, k int64) *big.Int { return new(big.Int).Binomial(n, k) }
	tiles := new(big.Int)
	for hands := range int64(64) {
		black, gray := 6-hands&3-hands>>3&3, 2-hands>>2&1-hands>>5&1
		tiles.Add(tiles, binomial(25, black).Mul(binomial(25, black), binomial(25-black, gray)))
	}
	conserved := tiles.Mul(tiles, binomial(25, 5).Mul(binomial(25, 5), binomial(20, 5)))
	if got := conserved.String(); got != "61091101599786720" {
		t.Errorf("%s arrays have all pieces and tiles", got)
	}
}

// TestWorkedExample: the first move of the rules, and a move that is legal only in the
// variant before.
func TestWorkedExample(t *testing.T) {
	for _, variant := range variants {
		p := play(t, in(variant), "a5,a4 c3b")
		if got, want := p.String(), boardText(".xxxx x.... ..b.. ..... ooooo", "2,1,3,1 o"); got != want {
			t.Errorf("%s: %s, want %s", variant, got, want)
		}
		if got := p.Count(); got != 145 {
			t.Errorf("%s: %d moves, want 145", variant, got)
		}
	}
	p := play(t, in("before"), "a5,a4 a4b")
	if got, want := p.String(), boardText(".xxxx x.... ..... ..... ooooo", "3,1,3,1 o"); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// TestGame: the names and numbers that other packages rely on.
func TestGame(t *testing.T) {
	g := contrast.Game()
	if g.Name != "contrast" || g.Sides != [2]string{"black", "white"} || g.MaxPlies != 500 || !slices.Equal(g.Variants, variants) {
		t.Errorf("%+v", g)
	}
	if len(g.Samplers) != 1 || g.Samplers[0].Name != "tile" || g.Samplers[0].Default != 250 {
		t.Errorf("samplers %+v", g.Samplers)
	}
	for variant, nodes := range map[string]uint64{"": 5547990, "after": 5547990, "before": 5674720} {
		if got := engine.Perft(g.New(variant), 3); got != nodes {
			t.Errorf("variant %q: %d, want %d", variant, got, nodes)
		}
	}
	defer func() {
		if recover() == nil {
			t.Error("New accepts an unknown variant")
		}
	}()
	g.New("sideways")
}
