package positions

import (
	"bytes"
	"context"
	"encoding/binary"
	"slices"
	"strings"
	"testing"

	"selfplay/encode"
	"selfplay/encode/encodetest"
	"selfplay/engine"
	"selfplay/internal/must"
)

// beginBody returns the body of a begin.
func beginBody(n, flags, limit uint32, start string) (body []byte) {
	for _, v := range []uint32{n, flags, limit} {
		body = binary.LittleEndian.AppendUint32(body, v)
	}
	return append(body, start...)
}

// newBatch begins n positions of a game.
func newBatch(t *testing.T, g encode.Game, n, flags uint32) *batch {
	t.Helper()
	return newBatchOn(t, newCrew(1), g, n, flags)
}

// newBatchOn begins n positions of a game, which a crew steps.
func newBatchOn(t *testing.T, c *crew, g encode.Game, n, flags uint32) *batch {
	t.Helper()
	layout := must.Get(g.Layout(encode.PlanesName))(t)
	b, refused := begin(&Config{Game: g}, layout, c, beginBody(n, flags, uint32(g.MaxPlies), ""))
	if refused != nil {
		t.Fatal(refused.text)
	}
	must.Do(t, b.look())
	return b
}

// legal returns the legal actions of a position.
func (b *batch) legal(i int) []uint16 {
	for k := range b.parts {
		if p := &b.parts[k]; i < p.first+len(p.seats) {
			return p.legal(i - p.first)
		}
	}
	return nil
}

// mustStep plays a step.
func mustStep(t *testing.T, b *batch, step []byte) {
	t.Helper()
	refused, err := b.step(step)
	must.Do(t, err)
	if refused != nil {
		t.Fatal(refused.text)
	}
}

// bytesOf returns the observation as one frame.
func bytesOf(b *batch) []byte { return slices.Concat(b.observe()...) }

// drawStep fills a step with legal actions.
func drawStep(b *batch, step []byte, draw int) []byte {
	step = step[:0]
	for i := range b.seats {
		legal := b.legal(i)
		action := uint16(0)
		if len(legal) > 0 {
			action = legal[(draw*7+i*13)%len(legal)]
		}
		step = binary.LittleEndian.AppendUint16(step, action)
	}
	return step
}

// TestStepsFollowTheRules: one of several positions is played in step with another of the engine's own.
func TestStepsFollowTheRules(t *testing.T) {
	for _, g := range append(encode.Games(), encodetest.TicTacToe()) {
		b, p := newBatch(t, g, 3, flagRestart|flagPlanes), g.New("")
		var step []byte
		for draw := range 600 {
			step = drawStep(b, step, draw)
			m := must.Get(g.Actions.Move(p, binary.LittleEndian.Uint16(step[2:])))(t)
			p.Do(m)
			mustStep(t, b, step)
			if s := b.seats[1]; s.outcome != p.Outcome() && s.outcome.Reason != engine.PlyLimit {
				t.Fatalf("%s, step %d: %v, want %v", g.Name, draw, s.outcome, p.Outcome())
			}
			if b.seats[1].ended {
				p.Reset()
			}
			var legal []uint16
			for _, m := range p.Moves(nil) {
				legal = append(legal, g.Actions.Number(m))
			}
			slices.Sort(legal)
			if got := b.legal(1); !slices.Equal(got, legal) || b.seats[1].pos.String() != p.String() {
				t.Fatalf("%s, step %d: %v in %s, want %v in %s", g.Name, draw, got, b.seats[1].pos, legal, p)
			}
		}
	}
}

// TestIllegalActionsChangeNothing: the positions before the one at fault do not move either.
func TestIllegalActionsChangeNothing(t *testing.T) {
	b := newBatch(t, encode.Chess(), 3, flagMover)
	before, step := bytesOf(b), drawStep(b, nil, 1)
	binary.LittleEndian.PutUint16(step[4:], 1)
	refused, err := b.step(step)
	if err != nil || refused == nil || refused.index != 2 || !strings.Contains(refused.text, "position 2: action 1 is not legal") {
		t.Fatal(refused)
	}
	if !bytes.Equal(bytesOf(b), before) {
		t.Error("a position has changed")
	}
}

// TestFinishedPositionsStay where they do not restart.
func TestFinishedPositionsStay(t *testing.T) {
	b := newBatch(t, encodetest.TicTacToe(), 2, 0)
	for draw := range 12 {
		mustStep(t, b, drawStep(b, nil, draw))
	}
	for i := range b.seats {
		if s := b.seats[i]; s.outcome == engine.Ongoing || s.ended || len(b.legal(i)) > 0 {
			t.Errorf("position %d: %+v", i, s)
		}
	}
}

func TestStepsAllocateNothing(t *testing.T) {
	for _, g := range encode.Games() {
		b := newBatch(t, g, 8, flagRestart|flagMover|flagPlanes)
		var step []byte
		draw := 0
		play := func() {
			step, draw = drawStep(b, step, draw), draw+1
			mustStep(t, b, step)
			b.observe()
		}
		for range 4 * g.MaxPlies {
			play()
		}
		if n := testing.AllocsPerRun(200, play); n > 0 {
			t.Errorf("%s: %v allocations a step", g.Name, n)
		}
	}
}

// TestWrongFrames: they are refused, or end the conversation with an error.
func TestWrongFrames(t *testing.T) {
	frame := func(kind int, body []byte) string { return string(append(appendHeader(nil, kind, len(body)), body...)) }
	for _, c := range []struct{ in, answer, err string }{
		{frame(kindStep, nil), "a step before", ""},
		{frame(7, nil), "a frame of kind 7", ""},
		{frame(kindBegin, nil), "a begin of 0 bytes", ""},
		{frame(kindBegin, beginBody(0, 0, 1, "")), "0 positions", ""},
		{frame(kindBegin, beginBody(1, 8, 1, "")), "flags 8", ""},
		{frame(kindBegin, beginBody(1, 0, 1, "nonsense")), `position "nonsense"`, ""},
		{frame(kindBegin, beginBody(2, 0, 1, "")) + frame(kindStep, []byte{1}), "a step of 1 bytes", ""},
		{"GET / HTTP/1.1\r\n", "", "bytes that are no frame"},
		{frame(kindStep, []byte{1, 2})[:13], "", "unexpected EOF"},
		{string(appendHeader(nil, kindStep, 1<<30)), "", "want at most"},
	} {
		var out bytes.Buffer
		err := Serve(context.Background(), Config{Game: encode.Chess()}, strings.NewReader(c.in), &out)
		if !strings.Contains(out.String(), c.answer) || (err == nil) != (c.err == "") || err != nil && !strings.Contains(err.Error(), c.err) {
			t.Errorf("%q: %v, %q", c.in, err, out.String())
		}
	}
}
