package positions

import (
	"bytes"
	"encoding/binary"
	"slices"
	"strings"
	"testing"

	"selfplay/encode"
	"selfplay/internal/must"
)

// saved returns what a batch of a session has saved, as the body of a restore.
func saved(s *session, limit uint32) []byte {
	b := s.batch
	head := beginBody(uint32(len(b.seats)), b.flags, limit, "")
	return slices.Concat(binary.LittleEndian.AppendUint32(nil, uint32(len(head))), head, b.save()[headerSize:])
}

// mustRestore restores a batch.
func mustRestore(t *testing.T, s *session, body []byte) {
	t.Helper()
	s.body = body
	_, refused, err := s.restore()
	must.Do(t, err)
	if refused != nil {
		t.Fatal(refused.text)
	}
}

// TestRestoredPositionsGoOnAlike: repetitions, clocks, ends and the draws of the player included.
func TestRestoredPositionsGoOnAlike(t *testing.T) {
	for _, g := range encode.Games() {
		const n, limit = 20, 60
		for _, flags := range []uint32{flagMover | flagPlanes, flagRestart | flagMover} {
			s, other := newSession(t, g, "0.5*random + 0.5*greedy", 2, n), newSession(t, g, "0.5*random + 0.5*greedy", 2, n)
			s.crew, other.crew = newTestCrew(t, 2), newTestCrew(t, 2)
			s.batch = newBatchOn(t, s.crew, g, n, flags)
			s.batch.limit = limit
			for draw := range 150 {
				if flags&flagRestart == 0 {
					mustRound(t, s, roundBody(s.batch, draw, byte(draw%70/69), parity))
				} else {
					mustStep(t, s.batch, drawStep(s.batch, nil, draw))
				}
				if draw%30 == 0 {
					mustRestore(t, other, saved(s, limit))
				} else if flags&flagRestart == 0 {
					mustRound(t, other, roundBody(other.batch, draw, byte(draw%70/69), parity))
				} else {
					mustStep(t, other.batch, drawStep(other.batch, nil, draw))
				}
				if !bytes.Equal(bytesOf(s.batch), bytesOf(other.batch)) {
					t.Fatalf("%s, flags %d, step %d: other bytes", g.Name, flags, draw)
				}
			}
		}
	}
}

// TestWhatIsNotSavedIsRefused, and the positions stay as they are.
func TestWhatIsNotSavedIsRefused(t *testing.T) {
	at := 4 + beginHead // of the first position
	for want, change := range map[string]func(body []byte) []byte{
		"a begin and what was saved":     func(body []byte) []byte { return body[:2] },
		"0 positions":                    func(body []byte) []byte { body[4] = 0; return body },
		"position 1: 17 bytes are no":    func(body []byte) []byte { return body[:len(body)-1] },
		"1 bytes after the last":         func(body []byte) []byte { return append(body, 0) },
		"position 0: action 1 is not":    func(body []byte) []byte { body[at+16], body[at+17] = 1, 0; return body },
		"result 4, reason 0":             func(body []byte) []byte { body[at+4] = 4; return body },
		"result 0, reason 200: there is": func(body []byte) []byte { body[at+5] = 200; return body },
	} {
		s := newSession(t, encode.Chess(), "random", 1, 2)
		s.crew = newTestCrew(t, 1)
		s.batch = newBatchOn(t, s.crew, encode.Chess(), 2, flagRestart)
		mustStep(t, s.batch, drawStep(s.batch, nil, 1))
		before := bytesOf(s.batch)
		s.body = change(saved(s, 9))
		if _, refused, err := s.restore(); err != nil || refused == nil || !strings.Contains(refused.text, want) {
			t.Errorf("%s: %v, %v", want, refused, err)
		}
		if !bytes.Equal(bytesOf(s.batch), before) {
			t.Errorf("%s: a position has moved", want)
		}
	}
}
