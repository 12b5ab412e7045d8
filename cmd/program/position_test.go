package program

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"selfplay/cmd/internal/ask"
	"selfplay/encode"
)

// Arrays of Contrast: the start in both versions of its public encoding, and the second
// worked example of that encoding, which no game reaches.
const (
	contrastStart = "[3,3,3,3,3,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,6,6,6,6,6,3,1,3,1]"
	contrastV1    = "[3,3,3,3,3,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,6,6,6,6,6]"
	contrastTiled = "[3,3,3,3,3,0,0,0,0,0,0,0,1,0,0,0,0,0,0,0,6,6,6,6,6]"
	contrastEnd   = "[3,0,0,0,0,0,3,2,0,0,0,1,3,0,0,0,0,0,6,0,0,0,0,6,6,0,0,2,1]"
)

// TestMovesOfAnArray: array and side describe the same position as its text.
func TestMovesOfAnArray(t *testing.T) {
	for _, game := range encode.Games() {
		layout := &game.Layouts[0]
		pos := game.New("")
		for range 3 {
			values := layout.Encode(nil, pos)
			array := make([]int, layout.Len())
			for i := range values {
				array[i/layout.Kind.Size()] |= int(values[i]) << (8 * (i % layout.Kind.Size()))
			}
			numbers, _ := json.Marshal(array)
			text := fmt.Sprintf(`{"board_array":%s,"side":%q}`, numbers, game.Sides[pos.Turn()])
			var want, one, batch answer
			read(t, mustRun(t, "moves", "--game", game.Name, "--position", pos.String()), &want)
			read(t, mustRun(t, "moves", "--game", game.Name, "--position", text), &one)
			read(t, selfplay(text+"\n", "moves", "--game", game.Name, "--batch").stdout, &batch)
			for _, got := range []answer{one, batch} {
				if !slices.Equal(got.Moves, want.Moves) || got.Side != want.Side {
					t.Errorf("%s: %+v, want %+v", text, got, want)
				}
			}
			pos.Do(pos.Moves(nil)[0])
		}
	}
}

func TestMovesOfContrast(t *testing.T) {
	for _, c := range []struct {
		array, side string
		moves       int
		reachable   bool
	}{
		{contrastStart, "black", 155, true},
		{contrastV1, "black", 155, true},
		{contrastEnd, "black", 10, false},
		{contrastEnd, "white", 245, false},
		{contrastTiled, "white", 145, false},
	} {
		for _, variant := range []string{"after", "before"} {
			var a answer
			read(t, mustRun(t, "moves", "--game", "contrast", "--variant", variant,
				"--position", fmt.Sprintf(`{"board_array":%s,"side":%q}`, c.array, c.side)), &a)
			if len(a.Moves) != c.moves && variant == "after" || a.Reachable != c.reachable || a.Size != 29 || len(a.Array) != 29 {
				t.Errorf("%s %s %s: %d moves, reachable %t, %d elements", c.array, c.side, variant, len(a.Moves), a.Reachable, len(a.Array))
			}
		}
	}
}

func TestChessMovesHaveSAN(t *testing.T) {
	var a answer
	read(t, mustRun(t, "moves", "--game", "chess", "--play", "e2e4", "--play", "e7e5"), &a)
	if i := slices.Index(a.Moves, "g1f3"); i < 0 || len(a.SAN) != len(a.Moves) || a.SAN[i] != "Nf3" {
		t.Errorf("moves %q have the SAN %q", a.Moves, a.SAN)
	}
}

// TestStrictRefusesToGuess: 25 elements do not tell the tiles in hand.
func TestStrictRefusesToGuess(t *testing.T) {
	object := func(array string) string { return `{"board_array":` + array + `,"side":"black"}` }
	o := selfplay(object(contrastTiled)+"\n"+object(contrastV1)+"\n", "moves", "--game", "contrast", "--batch", "--strict")
	lines := strings.Split(o.stdout, "\n")
	var r ask.Refusal
	read(t, lines[0], &r)
	var a answer
	read(t, lines[1], &a)
	if r.Kind != "ARRAY_AMBIGUOUS" || len(a.Moves) != 155 {
		t.Errorf("%+v", o)
	}
}
