package program

import (
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"selfplay/cmd/internal/ask"
	"selfplay/encode"
	"selfplay/engine"
)

// read decodes a line of JSON and refuses members that v does not have.
func read(t *testing.T, line string, v any) {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(line))
	d.DisallowUnknownFields()
	if err := d.Decode(v); err != nil {
		t.Fatalf("%v in %q", err, line)
	}
}

// answer is an answer of moves. Only some games have the members of the second part.
type answer struct {
	Position string
	Side     string
	Moves    []string
	Check    bool
	Result   string
	Reason   string

	SAN       []string
	Array     []int `json:"board_array"`
	Encoding  string
	Size      int
	Format    string
	Structure map[string]string
	Inventory map[string]map[string]int `json:"tile_inventory"`
	Reachable bool
}

func TestMovesFromTheStart(t *testing.T) {
	for _, game := range encode.Games() {
		o := selfplay("", "moves", "--game", game.Name)
		if o.code != 0 || o.stderr != "" || strings.Count(o.stdout, "\n") != 1 {
			t.Fatalf("%s: %+v", game.Name, o)
		}
		var a answer
		read(t, o.stdout, &a)
		pos := game.New("")
		if a.Position != pos.String() || a.Side != game.Sides[0] || len(a.Moves) != len(pos.Moves(nil)) ||
			a.Check || a.Result != "" || a.Reason != "" {
			t.Errorf("%s: %+v", game.Name, a)
		}
		if !slices.IsSorted(a.Moves) {
			t.Errorf("%s: moves are not sorted", game.Name)
		}
	}
}

func TestMovesAfterMoves(t *testing.T) {
	for _, game := range encode.Games() {
		pos := game.New("")
		args := []string{"moves", "--game", game.Name}
		for range 4 {
			m := pos.Moves(nil)[0]
			args = append(args, "--play", pos.FormatMove(m))
			pos.Do(m)
		}
		var a answer
		read(t, selfplay("", args...).stdout, &a)
		if a.Position != pos.String() {
			t.Errorf("%s: after %q the position is %s, want %s", game.Name, args, a.Position, pos)
		}
		var b answer
		read(t, selfplay("", "moves", "--game", game.Name, "--position", a.Position).stdout, &b)
		if !slices.Equal(a.Moves, b.Moves) || a.Side != b.Side {
			t.Errorf("%s: the text does not describe the position: %+v, %+v", game.Name, a, b)
		}
	}
}

func TestBatch(t *testing.T) {
	start := selfplay("", "moves", "--game", "cotulenh").stdout
	var a answer
	read(t, start, &a)
	played := selfplay("", "moves", "--game", "cotulenh", "--play", a.Moves[0]).stdout
	object := func(position string, play ...string) string {
		line, _ := json.Marshal(ask.Question{Position: ask.Position{Text: position}, Play: play})
		return string(line)
	}
	game := encode.CoTuLenh()
	array := func(element, value int) string {
		list := make([]int, game.Layouts[0].Len())
		list[element] = value
		line, _ := json.Marshal(ask.Question{Position: ask.Position{Array: list, Side: game.Sides[0]}})
		return string(line)
	}
	for _, c := range []struct{ name, line, want, kind string }{
		{"empty text", "", start, ""},
		{"text", a.Position, start, ""},
		{"text with CR LF", a.Position + "\r", start, ""},
		{"object", object(a.Position), start, ""},
		{"empty object", "{}", start, ""},
		{"object with moves", object(a.Position, a.Moves[0]), played, ""},
		{"object with moves from the start", object("", a.Moves[0]), played, ""},
		{"illegal move", object("", "!!"), "", ask.KindMove},
		{"illegal second move", object("", a.Moves[0], a.Moves[0]+"!"), "", ask.KindMove},
		{"broken object", `{"position":`, "", ask.KindJSON},
		{"object with an unknown member", `{"positon":""}`, "", ask.KindJSON},
		{"two objects", `{} {}`, "", ask.KindJSON},
		{"play is not a list", `{"play":"a"}`, "", ask.KindJSON},
		{"array with an unknown cell value", array(60, 999), "", "ARRAY_RANGE"},
		{"array with an origin off the board", array(134, 200), "", "ARRAY_RANGE"},
		{"array with deploying members without origin", array(135, 1), "", "ARRAY_INCONSISTENT"},
		{"array that is too short", `{"board_array":[1],"side":"red"}`, "", "ARRAY_LENGTH"},
		{"invalid UTF-8", "\xff\xfe", "", "?"},
		{"not a position", "!!", "", "?"},
		{"long line", strings.Repeat("x", maxLine+1), "", kindLine},
		{"very long line", strings.Repeat("x", 5*maxLine), "", kindLine},
		{"longest line", strings.Repeat("x", maxLine-1), "", "?"},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := selfplay(c.line+"\n"+a.Position, "moves", "--game", "cotulenh", "--batch")
			lines := strings.SplitAfter(o.stdout, "\n")
			if o.code != 0 || len(lines) != 3 || lines[1] != start {
				t.Fatalf("the line after is not answered: %+.200v", o)
			}
			if c.kind == "" {
				if lines[0] != c.want {
					t.Errorf("got %s, want %s", lines[0], c.want)
				}
				return
			}
			var r ask.Refusal
			read(t, lines[0], &r)
			if r.Error == "" || r.Kind == "" || c.kind != "?" && r.Kind != c.kind {
				t.Errorf("got %s, want kind %s", lines[0], c.kind)
			}
		})
	}
}

// TestKindsOfRefusals: an unknown error has a kind of its own.
func TestKindsOfRefusals(t *testing.T) {
	for _, c := range []struct {
		err  error
		kind string
	}{
		{errLine, kindLine}, {ask.ErrJSON, ask.KindJSON}, {&ask.MoveError{}, ask.KindMove}, {&engine.TextError{Kind: "FEN_EMPTY"}, "FEN_EMPTY"}, {io.ErrUnexpectedEOF, ask.KindUnknown},
	} {
		if r := refuse(fmt.Errorf("wrapped: %w", c.err)); r.Kind != c.kind {
			t.Errorf("%v is of kind %s, want %s", c.err, r.Kind, c.kind)
		}
	}
}

// TestBatchIsFast: 2,000 positions take seconds of CPU time.
func TestBatchIsFast(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	const positions = 2_000
	game, _ := encode.Games().Find("cotulenh")
	pos, src := game.New(""), rand.NewPCG(1, 1)
	var in strings.Builder
	for range positions {
		if _, ok := pos.DoRandom(src); !ok {
			pos.Reset()
		}
		fmt.Fprintln(&in, pos)
	}
	begin := processTime()
	o := selfplay(in.String(), "moves", "--game", "cotulenh", "--batch")
	if n := strings.Count(o.stdout, "\n"); o.code != 0 || n != positions || strings.Contains(o.stdout, `"error"`) {
		t.Errorf("code %d, %d answers for %d positions", o.code, n, positions)
	}
	if d := processTime() - begin; d > 4*time.Second && !watched {
		t.Errorf("%d positions took %v", positions, d)
	}
}
