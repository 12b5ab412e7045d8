package positions

import (
	"encoding/binary"
	"encoding/json"
	"encoding/xml"
	"slices"
	"strings"
	"testing"

	"selfplay/encode"
	"selfplay/encode/encodetest"
	"selfplay/engine"
	"selfplay/internal/must"
)

// lookBody returns the body of a look.
func lookBody(flags uint32, text string, actions ...uint16) (body []byte) {
	body = binary.LittleEndian.AppendUint32(body, flags)
	body = append(binary.LittleEndian.AppendUint32(body, uint32(len(text))), text...)
	for _, a := range actions {
		body = binary.LittleEndian.AppendUint16(body, a)
	}
	return body
}

// lookAt looks at a position.
func lookAt(t *testing.T, s *session, body []byte) (v sight) {
	t.Helper()
	s.body = body
	frame, refused := s.look()
	if refused != nil {
		t.Fatal(refused.text)
	}
	must.Do(t, json.Unmarshal(frame[headerSize:], &v))
	return v
}

// TestSightsAreThoseOfTheBatch: of the same line, whoever numbers the actions.
func TestSightsAreThoseOfTheBatch(t *testing.T) {
	for _, g := range append(encode.Games(), encodetest.TicTacToe()) {
		for _, flags := range []uint32{0, flagMover} {
			s := &session{config: Config{Game: g}, batch: newBatch(t, g, 1, flags)}
			s.layout = s.batch.layout
			var line []uint16
			for draw := range 40 {
				b, p := s.batch, s.batch.seats[0].pos
				v := lookAt(t, s, lookBody(flags, "", line...))
				if v.Text != p.String() || v.Side != int(p.Turn()) || v.Result != int(b.seats[0].outcome.Result) || !slices.Equal(v.Actions, b.legal(0)) {
					t.Fatalf("%s, flags %d, ply %d: %+v", g.Name, flags, draw, v)
				}
				if string(v.Planes) != string(s.layout.Encode(nil, p)) {
					t.Fatalf("%s, flags %d, ply %d: other planes", g.Name, flags, draw)
				}
				if v.Reason != "" {
					break
				}
				for i, text := range v.Moves {
					m := must.Get(p.ParseMove(text))(t)
					if found, legal := b.find(p, v.Actions[i]); !legal || found != m {
						t.Fatalf("%s: action %d is not %s", g.Name, v.Actions[i], text)
					}
				}
				step := drawStep(b, nil, draw)
				line = append(line, binary.LittleEndian.Uint16(step))
				mustStep(t, b, step)
			}
		}
	}
}

// TestPicturesAreWholeFiles: a page may have those of several games.
func TestPicturesAreWholeFiles(t *testing.T) {
	for _, g := range encode.Games() {
		s := &session{config: Config{Game: g}, layout: must.Get(g.Layout(encode.PlanesName))(t)}
		v := lookAt(t, s, lookBody(flagPicture, ""))
		must.Do(t, xml.Unmarshal([]byte(v.Picture), new(struct{})))
		if rules := strings.Count(v.Picture, "svg.board"); rules == 0 || rules != strings.Count(v.Picture, "svg.board."+g.Name+" ") {
			t.Errorf("%s: %d rules, not all of this game", g.Name, rules)
		}
		if !strings.HasPrefix(v.Picture, `<svg class="board `+g.Name+`" width="`) || !strings.Contains(v.Picture, "<title>") {
			t.Errorf("%s: %.100s", g.Name, v.Picture)
		}
	}
}

func TestWrongLooks(t *testing.T) {
	mated := "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1"
	for _, c := range []struct {
		body []byte
		want string
	}{
		{nil, "a look of 0 bytes"},
		{lookBody(1, ""), "flags 1"},
		{lookBody(0, "")[:7], "a look of 7 bytes"},
		{append(lookBody(0, ""), 1), "9 bytes in all"},
		{lookBody(0, "nonsense")[:12], "a text of 8 bytes"},
		{lookBody(0, "nonsense"), `position "nonsense"`},
		{lookBody(0, "", 1), "action 1 is not legal in rnbq"},
		{lookBody(0, mated, 1), "the game has ended by checkmate"},
	} {
		s := &session{config: Config{Game: encode.Chess()}, body: c.body}
		if _, refused := s.look(); refused == nil || !strings.Contains(refused.text, c.want) {
			t.Errorf("%q: %v", c.body, refused)
		}
	}
	s := &session{config: Config{Game: encode.Chess()}}
	s.layout = must.Get(s.config.Game.Layout(encode.PlanesName))(t)
	if v := lookAt(t, s, lookBody(0, mated)); v.Reason != "checkmate" || v.Result != int(engine.FirstWins) || len(v.Actions) > 0 || !v.Check {
		t.Errorf("%+v", v)
	}
}

// TestLinesAreTheMovesOfAGame, whoever numbers the actions. An illegal one is named by its ply.
func TestLinesAreTheMovesOfAGame(t *testing.T) {
	g := encode.Chess()
	for _, flags := range []uint32{0, flagMover} {
		b, p := newBatch(t, g, 1, flags), g.New("")
		var line []byte
		for _, text := range []string{"e2e4", "e7e5", "g1f3"} {
			m, err := p.ParseMove(text)
			if err != nil {
				t.Fatal(err)
			}
			action := g.Actions.Number(m)
			if b.flips(p) {
				action = g.Actions.Flip(action)
			}
			line = binary.LittleEndian.AppendUint16(line, action)
			p.Do(m)
		}
		frame, refused := b.line(line)
		if refused != nil || string(frame[headerSize:]) != "e2e4\ne7e5\ng1f3\n" {
			t.Errorf("flags %d: %q, %v", flags, frame, refused)
		}
		if _, refused = b.line(append(line, 1, 0)); refused == nil || refused.index != 3 || !strings.Contains(refused.text, "ply 3: action 1 is not legal") {
			t.Errorf("flags %d: %v", flags, refused)
		}
		if len(b.seats[0].moves) != 0 {
			t.Errorf("flags %d: a line has moved a position", flags)
		}
	}
}
