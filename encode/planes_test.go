package encode_test

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"selfplay/encode"
	"selfplay/engine"
	"selfplay/engine/contrast"
	"selfplay/engine/cotulenh"
)

// planesCase is what the tests of planes must know of a game.
type planesCase struct {
	game         encode.Game
	ranks, files int
	drawn        []string                             // positions of the golden file
	cell         func(values []byte, cell int) string // what stands on a cell, for people
}

var planesCases = []planesCase{
	{
		game: encode.CoTuLenh(), ranks: 12, files: 11,
		drawn: []string{
			cotulenh.StartText,
			"2(NFM)8/11/11/11/(NFC)10/5f5/9(+es)1/3+h7/3c7/9AT/11/4hI5 b - - 7 8 d5:+H:d4",
		},
		cell: func(values []byte, cell int) string {
			return cotulenh.Stack(binary.LittleEndian.Uint16(values[2*cell:])).String()
		},
	},
	{
		game: encode.Chess(), ranks: 8, files: 8,
		drawn: []string{
			"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
			"r3k2r/8/8/8/pP6/8/7n/4K2R b Kq b3 0 60",
			"8/8/4k3/8/8/3K4/8/6R1 b - - 37 60",
		},
		cell: func(values []byte, cell int) string {
			return strings.TrimSpace(" PNBRQKpnbrqk"[values[cell]:][:1])
		},
	},
	{
		game: encode.Contrast(), ranks: 5, files: 5,
		drawn: []string{
			contrast.StartText,
			"0,3,3,3,3,3,0,0,0,0,0,0,1,0,0,0,0,0,0,0,6,6,6,6,6,2,1,3,1 o",
			contrastEndgame,
		},
		// As the public encoding draws them: x and o, [] on a black tile, () on a gray.
		cell: func(values []byte, cell int) string {
			return [9]string{"", "[ ]", "( )", "x", "[x]", "(x)", "o", "[o]", "(o)"}[values[cell]]
		},
	},
}

// layouts returns the two layouts of the game.
func (c *planesCase) layouts(t *testing.T) (compact, planes *encode.Layout) {
	t.Helper()
	planes, err := c.game.Layout("planes")
	if err != nil {
		t.Fatal(err)
	}
	return &c.game.Layouts[0], planes
}

// TestPlanesAreDrawn draws each plane beside its board: what a person can check.
func TestPlanesAreDrawn(t *testing.T) {
	for _, c := range planesCases {
		t.Run(c.game.Name, func(t *testing.T) {
			compact, layout := c.layouts(t)
			var b strings.Builder
			for _, text := range c.drawn {
				p := c.game.New("")
				if err := p.Set(text); err != nil {
					t.Fatal(err)
				}
				fmt.Fprintf(&b, "%s\n\n", p)
				c.draw(&b, layout, compact.Encode(nil, p), layout.Encode(nil, p))
			}
			golden(t, c.game.Name+"_planes.txt", b.String())
		})
	}
}

// draw writes the planes, empty and full ones in a line each.
func (c *planesCase) draw(b *strings.Builder, layout *encode.Layout, board, values []byte) {
	size := layout.Elements[0].Count
	for i, e := range layout.Elements {
		plane := values[i*size:][:size]
		set := 0
		for cell := range 8 * size {
			set += int(bit(plane, cell))
		}
		switch fmt.Fprintf(b, "%d %s", i, e.Name); set {
		case 0:
			b.WriteString(": empty\n")
			continue
		case c.ranks * c.files:
			b.WriteString(": full\n")
			continue
		}
		b.WriteByte('\n')
		for rank := range c.ranks {
			for file := range c.files {
				text := c.cell(board, rank*c.files+file)
				if text == "" {
					text = "."
				}
				fmt.Fprintf(b, "%6s", text)
			}
			b.WriteString("   ")
			for file := range c.files {
				b.WriteString([2]string{" .", " #"}[bit(plane, rank*c.files+file)])
			}
			b.WriteByte('\n')
		}
	}
	b.WriteByte('\n')
}

func bit(plane []byte, cell int) byte { return plane[cell>>3] >> (cell & 7) & 1 }

// TestPlanesTurnWithThePosition: the other side sees the turned position as this
// side sees the position, in every plane but the one that tells the sides apart.
func TestPlanesTurnWithThePosition(t *testing.T) {
	for _, c := range planesCases {
		t.Run(c.game.Name, func(t *testing.T) {
			_, layout := c.layouts(t)
			c.positions(t, func(played engine.Position) {
				p, turned := mirrored(t, &c.game, played.String())
				size := layout.Elements[0].Count
				one, two := layout.Encode(nil, p), layout.Encode(nil, turned)
				for i, e := range layout.Elements {
					same := slices.Equal(one[i*size:][:size], two[i*size:][:size])
					if same == (e.Name == "first") {
						t.Errorf("%s and %s: plane %s is the same: %t", p, turned, e.Name, same)
					}
				}
			})
		})
	}
}

// TestPlanesAreExact: appended after what dst holds, of the stated size, with
// nothing beyond the board and nothing allocated.
func TestPlanesAreExact(t *testing.T) {
	for _, c := range planesCases {
		t.Run(c.game.Name, func(t *testing.T) {
			_, layout := c.layouts(t)
			size, cells := layout.Elements[0].Count, c.ranks*c.files
			before := []byte{1, 2, 3}
			c.positions(t, func(p engine.Position) {
				values := layout.Encode(slices.Clone(before), p)
				if !slices.Equal(values[:3], before) || len(values) != 3+layout.Len() {
					t.Fatalf("%s: %d bytes, begun with %v", p, len(values), values[:3])
				}
				for i, e := range layout.Elements {
					for cell := cells; cell < 8*size; cell++ {
						if bit(values[3+i*size:], cell) != 0 {
							t.Errorf("%s: plane %s has a bit beyond the board", p, e.Name)
						}
					}
				}
			})
			p, dst := c.game.New(""), make([]byte, 0, 4096)
			if n := testing.AllocsPerRun(10, func() { dst = layout.Encode(dst[:0], p) }); n > 0 {
				t.Errorf("%v allocations a position", n)
			}
		})
	}
}

// positions shows some thousand positions of random games, and the drawn ones.
func (c *planesCase) positions(t *testing.T, look func(engine.Position)) {
	t.Helper()
	p, src := c.game.New(""), rand.NewPCG(3, 3)
	for range 12 {
		p.Reset()
		for ok := true; ok; _, ok = p.DoRandom(src) {
			look(p)
		}
	}
	for _, text := range c.drawn {
		if err := p.Set(text); err != nil {
			t.Fatal(err)
		}
		look(p)
	}
}

func BenchmarkPlanesEncode(b *testing.B) {
	for _, c := range planesCases {
		b.Run(c.game.Name, func(b *testing.B) {
			layout, _ := c.game.Layout("planes")
			p := c.game.New("")
			var dst []byte
			b.ReportAllocs()
			for b.Loop() {
				dst = layout.Encode(dst[:0], p)
			}
		})
	}
}
