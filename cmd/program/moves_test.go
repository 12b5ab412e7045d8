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

// readAnswers decodes a line of JSON and refuses members that v does not have.
func readAnswers(t *testing.T, line string, v any) {
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
		readAnswers(t, o.stdout, &a)
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
		readAnswers(t, selfplay("", args...).stdout, &a)
		if a.Position != pos.String() {
			t.Errorf("%s: after %q the position is %s, want %s", game.Name, args, a.Position, pos)
		}
		var b answer
		readAnswers(t, selfplay("", "moves", "--game", game.Name, "--position", a.Position).stdout, &b)
		if !slices.Equal(a.Moves, b.Moves) || a.Side != b.Side {
			t.Errorf("%s: the text does not describe the position: %+v, %+v", game.Name, a, b)
		}
	}
}

func TestBatch(t *testing.T) {
	start := selfplay("", "moves", "--game", "cotulenh").stdout
	var a answer
	readAnswers(t, start, &a)
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
			readAnswers(t, lines[0], &r)
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
			readAnswers(t, mustRun(t, "moves", "--game", game.Name, "--position", pos.String()), &want)
			readAnswers(t, mustRun(t, "moves", "--game", game.Name, "--position", text), &one)
			readAnswers(t, selfplay(text+"\n", "moves", "--game", game.Name, "--batch").stdout, &batch)
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
			readAnswers(t, mustRun(t, "moves", "--game", "contrast", "--variant", variant,
				"--position", fmt.Sprintf(`{"board_array":%s,"side":%q}`, c.array, c.side)), &a)
			if len(a.Moves) != c.moves && variant == "after" || a.Reachable != c.reachable || a.Size != 29 || len(a.Array) != 29 {
				t.Errorf("%s %s %s: %d moves, reachable %t, %d elements", c.array, c.side, variant, len(a.Moves), a.Reachable, len(a.Array))
			}
		}
	}
}

func TestChessMovesHaveSAN(t *testing.T) {
	var a answer
	readAnswers(t, mustRun(t, "moves", "--game", "chess", "--play", "e2e4", "--play", "e7e5"), &a)
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
	readAnswers(t, lines[0], &r)
	var a answer
	readAnswers(t, lines[1], &a)
	if r.Kind != "ARRAY_AMBIGUOUS" || len(a.Moves) != 155 {
		t.Errorf("%+v", o)
	}
}

// FuzzConfig: no file makes parseConfig panic. Each setting has a line, and no flag is set
// twice.
func FuzzConfig(f *testing.F) {
	for _, text := range []string{"", "games: 4000\nplayer: 'ab:depth=2'\n", "---\n", "a: &x 1\nb: *x\n", "[1, 2]", "a: {b: c}", "a: 1\na: 2", "? [a]\n: b", "<<: {a: 1}", "# nothing"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		settings, err := parseConfig([]byte(text))
		if err != nil {
			return
		}
		for i, s := range settings {
			if s.line < 1 {
				t.Errorf("line %d of setting %q", s.line, s.flag)
			}
			for _, other := range settings[:i] {
				if other.flag == s.flag {
					t.Errorf("%q is set twice", s.flag)
				}
			}
		}
	})
}

// FuzzBatch: every game answers every line of a batch with one JSON object, and a refusal
// has an error and a kind.
func FuzzBatch(f *testing.F) {
	for _, line := range []string{"", "{}", `{"position":"","play":["e2e4"]}`, `{"board":[0,1],"side":"red"}`,
		`{"board_array":[3,3,3,3,3,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,6,6,6,6,6],"side":"black"}`, "startpos", "8/8/8/8/8/8/8/8 w - - 0 1", `{"position":7}`} {
		f.Add([]byte(line))
	}
	var oracles []*ask.Responder
	for _, g := range encode.Games() {
		oracles = append(oracles, ask.NewResponder(g, "", false), ask.NewResponder(g, "", true))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		for _, o := range oracles {
			answer := reply(o, line, nil)
			if text, err := json.Marshal(answer); err != nil || len(text) < 2 || text[0] != '{' {
				t.Errorf("answered %s, %v", text, err)
			}
			if r, refused := answer.(ask.Refusal); refused && (r.Error == "" || r.Kind == "") {
				t.Errorf("refused by %+v", r)
			}
		}
	})
}
