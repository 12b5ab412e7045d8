package positions

import (
	"encoding/binary"
	"strings"
	"testing"

	"selfplay/encode"
)

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
		if b.seats[0].plies != 0 {
			t.Errorf("flags %d: a line has moved a position", flags)
		}
	}
}
