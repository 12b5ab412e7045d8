package encode_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"selfplay/encode"
	"selfplay/engine"
	"selfplay/engine/contrast"
)

// contrastEndgame is the second example of the public encoding. It decodes, but no game
// leads to it.
const contrastEndgame = "3,0,0,0,0,0,3,2,0,0,0,1,3,0,0,0,0,0,6,0,0,0,0,6,6,0,0,2,1 x"

func TestContrastTextIsItsArray(t *testing.T) {
	layout := encode.Contrast().Layouts[0]
	if layout.Len() != 29 || layout.Kind != encode.Uint8 {
		t.Errorf("%d elements of %v, want 29 of uint8", layout.Len(), layout.Kind)
	}
	for _, text := range []string{
		contrast.StartText,
		contrastEndgame,
		"0,3,3,3,3,3,0,0,0,0,0,0,1,0,0,0,0,0,0,0,6,6,6,6,6,2,1,3,1 o",
	} {
		p := positionOf(t, "contrast", text)
		got := strings.Trim(fmt.Sprint(layout.Encode(nil, p)), "[]")
		if want, _, _ := strings.Cut(text, " "); strings.ReplaceAll(got, " ", ",") != want {
			t.Errorf("%s has the array %s", text, got)
		}
	}
}

func TestContrastArraysOfIntegers(t *testing.T) {
	layout := encode.Contrast().Layouts[0]
	cells := []int{3, 3, 3, 3, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 6, 6, 6, 6, 6}
	tiled := slices.Clone(cells)
	tiled[12] = 1
	with := func(array []int, more ...int) []int { return append(slices.Clone(array), more...) }
	for _, c := range []struct {
		name   string
		array  []int
		strict bool
		want   string // the text, or part of the error
		bad    bool
	}{
		{"version 2", with(cells, 3, 1, 3, 1), true, contrast.StartText, false},
		{"version 1", cells, false, contrast.StartText, false},
		{"version 1, strict", cells, true, contrast.StartText, false},
		{"version 1 with a tile", tiled, false, strings.Replace(contrast.StartText, "0,0,0,0,0,0,0,0,", "0,0,0,0,0,0,0,1,", 1), false},
		{"version 1 with a tile, strict", tiled, true, "ARRAY_AMBIGUOUS", true},
		{"version 1 with a bad cell", with(cells[:24], 9), false, "element 24 is 9", true},
		{"version 1 with a negative cell", with(cells[:24], -1), false, "element 24 is -1", true},
		{"28 elements", with(cells, 3, 1, 3), false, "28 elements, want 29", true},
		{"no elements", []int{}, false, "0 elements, want 29", true},
		{"a negative hand", with(cells, 3, 1, 3, -1), false, "element 28 is -1, want 0 to 255", true},
		{"a number above 255", with(cells, 3, 1, 3, 257), false, "element 28 is 257", true},
		{"a hand out of range", with(cells, 4, 1, 3, 1), false, "element 25 is 4", true},
	} {
		text, err := layout.Text(c.array, engine.First, c.strict)
		if (err != nil) != c.bad {
			t.Errorf("%s: %q, %v", c.name, text, err)
			continue
		}
		if err != nil {
			text = err.Error()
		}
		if !strings.Contains(text, c.want) {
			t.Errorf("%s: %s, want %s", c.name, text, c.want)
		}
	}
}

// TestContrastMembersAreThePublicObject compares the members with the documented object of
// the public encoding.
func TestContrastMembersAreThePublicObject(t *testing.T) {
	const documented = `{
		"board_array": [3,3,3,3,3,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,6,6,6,6,6,3,1,3,1],
		"encoding": "occupant*3+tile",
		"size": 29,
		"format": "row-major",
		"structure": {"board_cells": "[0-24]", "black_player_tiles": "[25-26]", "white_player_tiles": "[27-28]"},
		"tile_inventory": {"black_player": {"black": 3, "gray": 1}, "white_player": {"black": 3, "gray": 1}},
		"reachable": true
	}`
	layout := encode.Contrast().Layouts[0]
	object := map[string]any{}
	for _, m := range layout.Members(layout.Encode(nil, contrast.New()), engine.First) {
		object[m.Name] = m.Value
	}
	text, err := json.Marshal(object)
	if err != nil {
		t.Fatal(err)
	}
	var got, want any
	if err := errors.Join(json.Unmarshal(text, &got), json.Unmarshal([]byte(documented), &want)); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%s, want %s", text, documented)
	}
}

func TestContrastMembersReportReachability(t *testing.T) {
	layout := encode.Contrast().Layouts[0]
	for text, want := range map[string]bool{
		contrast.StartText: true,
		contrastEndgame:    false,
		// White has just reached a5: black is to move and has lost.
		"6,0,3,3,3,3,0,0,0,0,0,0,3,0,0,0,0,0,0,0,0,6,6,6,6,3,1,3,1 x": true,
		"6,0,3,3,3,3,0,0,0,0,0,0,3,0,0,0,0,0,0,0,0,6,6,6,6,3,1,3,1 o": false,
	} {
		p := positionOf(t, "contrast", text)
		members := layout.Members(layout.Encode(nil, p), p.Turn())
		if last := members[len(members)-1]; last.Name != "reachable" || last.Value != want {
			t.Errorf("%s: %v, want reachable %t", text, last, want)
		}
	}
}

// TestContrastRecordsStartAtReachablePositions: other starts are refused.
func TestContrastRecordsStartAtReachablePositions(t *testing.T) {
	game := encode.Contrast()
	layout := &game.Layouts[0]
	for start, want := range map[string]string{
		"0,3,3,3,3,3,0,0,0,0,0,0,1,0,0,0,0,0,0,0,6,6,6,6,6,2,1,3,1 o": "",
		contrastEndgame: "3 black tiles on the board and in hand, want 6",
	} {
		view := encode.View{Layout: layout}
		table := encode.NewTable(view.Columns())
		err := encode.NewReplayer(game, "after", view).Append(&engine.Record{Start: start, Outcome: engine.Outcome{Reason: engine.PlyLimit}}, table, nil)
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("start %s: %v, want %q", start, err, want)
		}
	}
}
