package encode_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"selfplay/encode"
	"selfplay/engine"
	"selfplay/engine/contrast"
	"selfplay/internal/must"
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
	text := must.Get(json.Marshal(object))(t)
	var got, want any
	must.Do(t, errors.Join(json.Unmarshal(text, &got), json.Unmarshal([]byte(documented), &want)))
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
